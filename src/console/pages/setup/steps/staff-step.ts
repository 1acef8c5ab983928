import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { button, Choice, chip, Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { momentText } from '../../lib/language/format.ts'
import { language } from '../../lib/language/language.ts'
import { getList, type Resource, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed, may } from '../../lib/server/session.ts'
import { applied, type Saving, useSaving } from '../apply.ts'
import { CopyButton } from '../copy-button.ts'
import { useDraft } from '../draft.ts'
import type { Account, StepOptions } from '../house.ts'
import type { QrPath } from '../qr-code.ts'
import { deskPhoneField } from './desk-phone-field.ts'
import { readCertificate } from './network-step.ts'
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
  /** Null for a person. */
  station: Station['kind'] | null
}

/** The QR code of a text, dark on light in each colour scheme, because cameras need that. `label` says what it is for. */
function QrCode({ text, label }: { text: string; label: string }): View | null {
  const [code, setCode] = useState<QrPath | null>(null)
  useEffect(() => {
    // Without the script, the address stands there as a text.
    void import('../qr-code.ts').then(
      ({ qrPath }) => setCode(qrPath(text)),
      () => {},
    )
  }, [text])
  if (code === null) return null
  const { size, path } = code
  return el.svg(
    { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label },
    el.rect({ width: size, height: size, fill: '#fff' }),
    el.path({ d: path, fill: '#000' }),
  )
}

/** Members of the staff with their one-time codes, and the stations at which they work. */
export function StaffStep({ house, changed }: StepOptions): View {
  const [codes, setCodes] = useState<Code[]>([])
  const shown = (code: Code) => {
    // A person and a computer may have the same name.
    const isSame = ({ of, station }: Code) => of === code.of && (station === null) === (code.station === null)
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
          (each.station ? t.value.staff.stationCode : t.value.staff.personCode)(momentText(each.endsAt)),
        ),
        h(CopyButton, { key: each.code, text: each.code, name: each.of }),
        each.station && h(Scan, { ...each, station: each.station }),
      ),
    ),
    house.accounts === null
      ? notice('info', t.value.staff.notAllowed)
      : h(People, { accounts: house.accounts, shown }),
    h(Stations, { shown, house, changed }),
  )
}

/** The address at which another device enrols itself with its code, and the same as a QR code. */
function Scan({ of, code, station }: Code & { station: Station['kind'] }): View | null {
  const { data } = useRead('certificate', readCertificate, ['system.certificate'])
  // An installer who sits at the box reaches it by an address that no other device has.
  const isHere = /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname)
  const origin = isHere ? data?.urls[0] : location.origin
  if (origin === undefined) return data ? el.p(null, t.value.staff.nowhere) : null
  const url = `${origin}/${station === 'kiosk' ? 'kiosk' : 'desk'}#/enrol/${code}`
  return el.div(
    { class: 'stack' },
    el.p(null, t.value.staff.scan),
    h(QrCode, { text: url, label: t.value.staff.qrOf(of) }),
    el.p(null, el.code(null, url)),
    h(CopyButton, { text: url, name: url }),
  )
}

type Shown = (code: Code) => void

/** Creates a resource that has a code, and shows the code. `done` is called afterwards. */
function useCodes(shown: Shown, done: () => void) {
  const saving = useSaving()
  const ask = (
    name: string,
    station: Code['station'],
    work: () => Promise<{ meta?: Record<string, unknown> }>,
  ) =>
    saving.run(async () => {
      const { meta } = await confirmed(work)
      shown({ of: name, code: String(meta?.code), endsAt: String(meta?.codeEndsAt), station })
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
  const { saving, ask } = useCodes(shown, forget)
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
        !isReady && newCode(name, () => ask(name, null, () => send('POST', `${path}/${id}/actions/reset`))),
      )
    }),
    saving,
    add: () =>
      ask(typed.name, null, () => send('POST', path, { body: { ...typed, language: language.value } })),
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
  const { saving, ask } = useCodes(shown, () => {
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
          may('config.write') && newCode(name, () => ask(name, kind, code(id))),
        ),
      ),
      saving,
      add: () => ask(typed.name, typed.kind, () => send('POST', path, { body: typed })),
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
      deskPhoneField({
        value: typed.deskPhone,
        onInput: (deskPhone) => set({ deskPhone }),
        saving,
        isRequired: true,
      }),
    ),
  )
}
