import { h } from 'preact'
import { useState } from 'preact/hooks'
import { getList, type Resource, send } from '../../lib/api.ts'
import { button, Choice, chip, Field, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { momentText } from '../../lib/format.ts'
import { language } from '../../lib/language.ts'
import { useRead } from '../../lib/read.ts'
import { confirmed, may } from '../../lib/session.ts'
import { applied, type Saving, useSaving } from '../apply.ts'
import { useDraft } from '../draft.ts'
import type { Account, StepOptions } from '../house.ts'
import { stepForm } from './step-form.ts'
import { t } from './texts.ts'

const roles = ['frontdesk', 'housekeeping', 'admin', 'installer', 'auditor', 'integrator'] as const
const kinds = ['desk', 'kiosk', 'housekeeping'] as const

export interface Station {
  name: string
  kind: (typeof kinds)[number]
  idleMinutes: number
  enrolledAt: string | null
  makerId: string | null
  codeEndsAt: string | null
}

interface Code {
  of: string
  code: string
  endsAt: string
  isStation: boolean
}

/** Members of the staff with their one-time codes, and the stations at which they work. */
export function StaffStep({ house, changed }: StepOptions): View {
  const [codes, setCodes] = useState<Code[]>([])
  const shown = (code: Code) => {
    // A person and a computer may have the same name.
    const isSame = ({ of, isStation }: Code) => of === code.of && isStation === code.isStation
    setCodes((before) => [...before.filter((each) => !isSame(each)), code])
    changed()
  }
  return el.div(
    { class: 'stack' },
    el.p(null, t.value.staff.why),
    codes.map((each) =>
      notice(
        'ok',
        `${each.of}: ${each.code}`,
        el.p(
          null,
          (each.isStation ? t.value.staff.stationCode : t.value.staff.personCode)(momentText(each.endsAt)),
        ),
      ),
    ),
    house.accounts === null
      ? notice('info', t.value.staff.notAllowed)
      : h(People, { accounts: house.accounts, shown }),
    h(Stations, { shown, house, changed }),
  )
}

type Shown = (code: Code) => void

/** Creates a resource that has a code, and shows the code. `done` is called afterwards. */
function useCodes(shown: Shown, isStation: boolean, done: () => void) {
  const saving = useSaving()
  const ask = (name: string, work: () => Promise<{ meta?: Record<string, unknown> }>) =>
    saving.run(async () => {
      const { meta } = await confirmed(work)
      shown({ of: name, code: String(meta?.code), endsAt: String(meta?.codeEndsAt), isStation })
    }, done)
  return { saving, ask }
}

interface ListOptions {
  title: string
  rows: View[] | undefined
  saving: Saving
  add: () => void
  addLabel: string
  name: string
  setName: (name: string) => void
  /** The role of the person, or the kind of the station. */
  choice: View
}

/** The existing people or stations, and the form that adds one. */
function listAndForm({ title, rows, saving, add, addLabel, name, setName, choice }: ListOptions): View {
  return el.section(
    { class: 'stack', 'aria-label': title },
    el.h2(null, title),
    el.ul({ class: 'rows' }, rows),
    stepForm(
      { saving, save: add, fields: ['name'], label: addLabel },
      el.div(
        { class: 'columns' },
        h(Field, {
          label: t.value.name,
          value: name,
          onInput: setName,
          error: saving.refusal('name'),
          isRequired: true,
          maxLength: 60,
        }),
        choice,
      ),
    ),
  )
}

const newCode = (name: string, onClick: () => void) =>
  button(t.value.staff.newCode, { onClick, name: `${t.value.staff.newCode}: ${name}` })

function People({ accounts, shown }: { accounts: readonly Resource<Account>[]; shown: Shown }): View {
  const [typed, set, forget] = useDraft('person', { name: '', role: 'frontdesk' as (typeof roles)[number] })
  const { saving, ask } = useCodes(shown, false, forget)
  const path = '/api/config/v1/accounts'
  return listAndForm({
    title: t.value.staff.people,
    rows: accounts.map(({ id, attributes: { name, role, passwordSetAt, passcodeSetAt, disabled } }) => {
      const isReady = Boolean(passwordSetAt || passcodeSetAt)
      return el.li(
        { key: id, class: 'row' },
        el.strong(null, name),
        t.value.staff.roles[role as 'admin'] ?? role,
        disabled
          ? chip('warning', t.value.staff.disabled)
          : isReady
            ? chip('ok', t.value.staff.ready)
            : chip('info', t.value.staff.waits),
        !isReady && newCode(name, () => ask(name, () => send('POST', `${path}/${id}/actions/reset`))),
      )
    }),
    saving,
    add: () => ask(typed.name, () => send('POST', path, { body: { ...typed, language: language.value } })),
    addLabel: t.value.staff.add,
    name: typed.name,
    setName: (name) => set({ name }),
    choice: h(Choice, {
      label: t.value.staff.role,
      value: typed.role,
      choices: roles.map((each) => [each, t.value.staff.roles[each]] as const),
      onChange: (role: string) => set({ role: role as (typeof roles)[number] }),
    }),
  })
}

function Stations({ shown, house, changed }: { shown: Shown } & Omit<StepOptions, 'next'>): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'stations',
    async (signal) => (await getList<Station>('/api/config/v1/stations?page[size]=100', { signal })).data,
    ['station'],
  )
  const [typed, set, forget] = useDraft('station', { name: '', kind: 'desk' as Station['kind'] })
  const { saving, ask } = useCodes(shown, true, () => {
    forget()
    readAgain()
  })
  const path = '/api/config/v1/stations'
  const hasKiosk = typed.kind === 'kiosk' || data?.some(({ attributes }) => attributes.kind === 'kiosk')
  const code = (id: string) => () => send('POST', `${path}/${id}/actions/enrolment-code`)
  return el.div(
    { class: 'stack' },
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    hasKiosk && !house.document.settings?.deskPhone && may('config.write') && h(AskDeskPhone, { changed }),
    listAndForm({
      title: t.value.staff.stations,
      rows: data?.map(({ id, attributes: { name, kind, enrolledAt } }) =>
        el.li(
          { key: id, class: 'row' },
          el.strong(null, name),
          t.value.staff.kinds[kind],
          enrolledAt ? chip('ok', t.value.staff.enrolled) : chip('info', t.value.staff.waits),
          may('config.write') && newCode(name, () => ask(name, code(id))),
        ),
      ),
      saving,
      add: () => ask(typed.name, () => send('POST', path, { body: typed })),
      addLabel: t.value.staff.addStation,
      name: typed.name,
      setName: (name) => set({ name }),
      choice: h(Choice, {
        label: t.value.staff.kind,
        value: typed.kind,
        choices: kinds.map((each) => [each, t.value.staff.kinds[each]] as const),
        onChange: (kind: string) => set({ kind: kind as Station['kind'] }),
      }),
    }),
  )
}

/** Asks for the telephone number of the desk, which a guest calls whom the kiosk cannot help. */
function AskDeskPhone({ changed }: Pick<StepOptions, 'changed'>): View {
  const [typed, set, forget] = useDraft('deskPhone', { deskPhone: '' })
  const saving = useSaving()
  const save = () =>
    saving.run(async () => {
      await applied({ settings: { deskPhone: typed.deskPhone.trim() } })
      forget()
    }, changed)
  return notice(
    'warning',
    t.value.staff.noDeskPhone,
    stepForm(
      { saving, save, fields: ['deskPhone'], label: t.value.staff.saveDeskPhone },
      h(Field, {
        label: t.value.house.deskPhone,
        hint: t.value.house.deskPhoneHint,
        type: 'tel',
        autocomplete: 'tel',
        maxLength: 40,
        value: typed.deskPhone,
        onInput: (deskPhone: string) => set({ deskPhone }),
        error: saving.refusal('deskPhone'),
        isRequired: true,
      }),
    ),
  )
}
