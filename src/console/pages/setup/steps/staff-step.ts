import { h } from 'preact'
import { useState } from 'preact/hooks'
import { get, type Resource, send } from '../../lib/api.ts'
import { button, Choice, chip, Field, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { momentText } from '../../lib/format.ts'
import { language } from '../../lib/language.ts'
import { useRead } from '../../lib/read.ts'
import { confirmed, may } from '../../lib/session.ts'
import { useSaving } from '../apply.ts'
import { useDraft } from '../draft.ts'
import type { Account, StepOptions } from '../house.ts'
import { stepForm } from './step-form.ts'
import { t } from './texts.ts'

const roles = ['frontdesk', 'housekeeping', 'admin', 'installer', 'auditor', 'integrator'] as const
const kinds = ['desk', 'kiosk', 'housekeeping'] as const

export interface Station {
  name: string
  kind: (typeof kinds)[number]
  enrolledAt: string | null
  codeEndsAt: string | null
}

interface Code {
  of: string
  code: string
  endsAt: string
  isStation: boolean
}

/** People with their one-time codes, and the computers at which they work. */
export function StaffStep({ house, changed }: StepOptions): View {
  const [codes, setCodes] = useState<Code[]>([])
  const shown = (code: Code) => {
    setCodes((before) => [...before.filter(({ of }) => of !== code.of), code])
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
    h(Stations, { shown }),
  )
}

interface PeopleOptions {
  accounts: readonly Resource<Account>[]
  shown: (code: Code) => void
}

function People({ accounts, shown }: PeopleOptions): View {
  const [typed, set, forget] = useDraft('person', { name: '', role: 'frontdesk' as (typeof roles)[number] })
  const saving = useSaving()
  const path = '/api/config/v1/accounts'
  const ask = (name: string, work: () => Promise<{ meta?: Record<string, unknown> }>) =>
    saving.run(async () => {
      const { meta } = await confirmed(work)
      shown({ of: name, code: String(meta?.code), endsAt: String(meta?.codeEndsAt), isStation: false })
      forget()
    })
  const add = () =>
    ask(typed.name, () => send('POST', path, { body: { ...typed, language: language.value } }))
  return el.section(
    { class: 'stack', 'aria-label': t.value.staff.people },
    el.h2(null, t.value.staff.people),
    el.ul(
      { class: 'rows' },
      accounts.map(({ id, attributes: { name, role, passwordSetAt, passcodeSetAt, disabled } }) =>
        el.li(
          { key: id, class: 'row' },
          el.strong(null, name),
          t.value.staff.roles[role as 'admin'] ?? role,
          disabled
            ? chip('warning', t.value.staff.disabled)
            : passwordSetAt || passcodeSetAt
              ? chip('ok', t.value.staff.ready)
              : chip('info', t.value.staff.waits),
          !passwordSetAt &&
            !passcodeSetAt &&
            button(t.value.staff.newCode, {
              onClick: () => ask(name, () => send('POST', `${path}/${id}/actions/reset`)),
              name: `${t.value.staff.newCode}: ${name}`,
            }),
        ),
      ),
    ),
    stepForm(
      { saving, save: add, fields: ['name'], label: t.value.staff.add },
      el.div(
        { class: 'columns' },
        h(Field, {
          label: t.value.name,
          value: typed.name,
          onInput: (name: string) => set({ name }),
          error: saving.refusal('name'),
          isRequired: true,
          maxLength: 60,
        }),
        h(Choice, {
          label: t.value.staff.role,
          value: typed.role,
          choices: roles.map((each) => [each, t.value.staff.roles[each]] as const),
          onChange: (role: string) => set({ role: role as (typeof roles)[number] }),
        }),
      ),
    ),
  )
}

function Stations({ shown }: { shown: (code: Code) => void }): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'stations',
    async (signal) =>
      (await get<Resource<Station>[]>('/api/config/v1/stations?page[size]=100', { signal })).data,
    ['station'],
  )
  const [typed, set, forget] = useDraft('station', { name: '', kind: 'desk' as Station['kind'] })
  const saving = useSaving()
  const path = '/api/config/v1/stations'
  const ask = (name: string, work: () => Promise<{ meta?: Record<string, unknown> }>) =>
    saving.run(async () => {
      const { meta } = await confirmed(work)
      shown({ of: name, code: String(meta?.code), endsAt: String(meta?.codeEndsAt), isStation: true })
      forget()
    }, readAgain)
  const add = () => ask(typed.name, () => send('POST', path, { body: typed }))
  return el.section(
    { class: 'stack', 'aria-label': t.value.staff.stations },
    el.h2(null, t.value.staff.stations),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    el.ul(
      { class: 'rows' },
      data?.map(({ id, attributes: { name, kind, enrolledAt } }) =>
        el.li(
          { key: id, class: 'row' },
          el.strong(null, name),
          t.value.staff.kinds[kind],
          enrolledAt ? chip('ok', t.value.staff.enrolled) : chip('info', t.value.staff.waits),
          may('config.write') &&
            button(t.value.staff.newCode, {
              onClick: () => ask(name, () => send('POST', `${path}/${id}/actions/enrolment-code`)),
              name: `${t.value.staff.newCode}: ${name}`,
            }),
        ),
      ),
    ),
    stepForm(
      { saving, save: add, fields: ['name'], label: t.value.staff.addStation },
      el.div(
        { class: 'columns' },
        h(Field, {
          label: t.value.name,
          value: typed.name,
          onInput: (name: string) => set({ name }),
          error: saving.refusal('name'),
          isRequired: true,
          maxLength: 60,
        }),
        h(Choice, {
          label: t.value.staff.kind,
          value: typed.kind,
          choices: kinds.map((each) => [each, t.value.staff.kinds[each]] as const),
          onChange: (kind: string) => set({ kind: kind as Station['kind'] }),
        }),
      ),
    ),
  )
}
