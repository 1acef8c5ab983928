import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Choice, Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { linkTo } from '../../lib/controls/route.ts'
import { type Task, useTask } from '../../lib/controls/task.ts'
import { momentText } from '../../lib/language/format.ts'
import { ApiError, getAll, type Resource, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed, may, session } from '../../lib/server/session.ts'
import { useAskBefore } from '../ask-before.ts'
import { CopyButton } from '../copy-button.ts'
import type { Account } from '../house.ts'
import type { Station } from '../steps/staff-step.ts'
import { t as stepTexts } from '../steps/texts.ts'
import { t } from './texts.ts'

interface OpenSession {
  accountId: string | null
  stationId: string | null
  lastUsedAt: string | null
  address: string | null
}

interface Token {
  name: string
  role: string
  lastUsedAt: string | null
  makerId: string | null
}

interface Right {
  kind: 'token' | 'account' | 'station'
  name: string
  reason: 'restored' | 'maker'
  since: string
}

const base = '/api/config/v1'
const roles = [
  'kiosk',
  'frontdesk',
  'housekeeping',
  'integrator',
  'installer',
  'auditor',
  'monitor',
  'admin',
] as const

async function readPeople(signal: AbortSignal) {
  const all = <A>(path: string, scope: string) =>
    may(scope) ? getAll<A>(`${base}/${path}?page[size]=100`, 300, signal).then((each) => each.data) : []
  const [rights, accounts, stations, sessions, tokens] = await Promise.all([
    all<Right>('rights-to-confirm', 'accounts.read'),
    all<Account>('accounts', 'accounts.read'),
    all<Station>('stations', 'config.read'),
    all<OpenSession>('sessions', 'accounts.read'),
    all<Token>('tokens', 'tokens.read'),
  ])
  return { rights, accounts, stations, sessions, tokens }
}

type Known = Awaited<ReturnType<typeof readPeople>>

/** What the rows can do. */
interface Acts {
  task: Task
  /** Returns what sends a request, and shows the code of its answer. */
  ask(id: string, name: string, method: string, path: string, body?: object): () => void
  askBefore: ReturnType<typeof useAskBefore>['ask']
  /** The button that ends something, at once or after asking. */
  end(id: string, name: string, path: string, label: string, why?: string): View
}

/** Accounts, stations, sessions, and tokens of programs. */
export function People(): View {
  const topics = ['account', 'station', 'session', 'token']
  const { data, problem, isLoading, readAgain } = useRead('people', readPeople, topics)
  const [issued, setIssued] = useState<{ name: string; code: string } | null>(null)
  const task = useTask(readAgain)
  const ask: Acts['ask'] = (id, name, method, path, body) => () =>
    task.run(id, async () => {
      const { meta } = await confirmed(() => send(method, `${base}/${path}`, body ? { body } : {}))
      const code = meta?.code ?? meta?.token
      if (code) setIssued({ name, code: String(code) })
    })
  const { ask: askBefore, dialog } = useAskBefore()
  const end: Acts['end'] = (id, name, path, label, why) => {
    const act = ask(id, name, 'DELETE', path)
    const title = `${label}: ${name}`
    const onClick = () => (why === undefined ? act() : askBefore({ title, why, label, act }))
    return button(label, { onClick, kind: 'danger', ...task.of(id), name: title })
  }
  const acts: Acts = { task, ask, askBefore, end }
  return el.div(
    { class: 'stack' },
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    task.refusal && notice('error', task.refusal),
    issued !== null &&
      notice(
        'ok',
        t.value.code(issued.name, issued.code),
        h(CopyButton, { key: issued.code, text: issued.code, name: issued.name }),
      ),
    dialog,
    el.p(null, el.a({ href: linkTo('staff') }, t.value.toStaff)),
    data &&
      data.rights.length > 0 &&
      may('accounts.write') &&
      h(RightsToConfirm, { rights: data.rights, task }),
    data && [
      list(t.value.accounts, data.accounts, (each) => accountRow(each, data, acts)),
      list(t.value.stations, data.stations, (each) => stationRow(each, acts)),
      list(t.value.sessions, data.sessions, (each) => sessionRow(each, data, acts)),
      list(t.value.tokens, data.tokens, (each) => tokenRow(each, acts)),
    ],
    data?.tokens.length === 0 && may('tokens.write') && el.h2(null, t.value.tokens),
    may('tokens.write') &&
      h(NewToken, { task, ask: (name, role) => ask('token', name, 'POST', 'tokens', { name, role })() }),
  )
}

type Cells = (View | string)[]

function accountRow({ id, attributes }: Resource<Account>, all: Known, acts: Acts): Cells {
  const { task, ask, askBefore } = acts
  const { name, role, disabled } = attributes
  const { reset, resetWhy, enable, disable, disableWhy, ownAccount } = t.value
  const known = [el.strong(null, name), stepTexts.value.staff.roles[role as 'admin'] ?? role]
  if (id === session.value?.accountId) return [...known, el.span({ class: 'quiet' }, ownAccount)]
  const resetNow = ask(`reset ${id}`, name, 'POST', `accounts/${id}/actions/reset`)
  const change = ask(id, name, 'PATCH', `accounts/${id}`, { disabled: !disabled })
  const made = disabled ? [] : madeBy(all, id)
  const why = disableWhy(name, made.join(', '))
  return [
    ...known,
    button(reset, {
      onClick: () =>
        askBefore({ title: `${reset}: ${name}`, why: resetWhy(name), label: reset, act: resetNow }),
      ...task.of(`reset ${id}`),
      name: `${reset}: ${name}`,
    }),
    button(disabled ? enable : disable, {
      onClick: () => {
        if (made.length === 0) change()
        else askBefore({ title: `${disable}: ${name}`, why, label: disable, act: change })
      },
      ...task.of(id),
      name: `${disabled ? enable : disable}: ${name}`,
    }),
  ]
}

function stationRow({ id, attributes }: Resource<Station>, { ask, end }: Acts): Cells {
  const { name, kind, idleMinutes } = attributes
  const choices = minutesWith(idleMinutes).map((each) => [String(each), t.value.minutes(each)] as const)
  const locks = (minutes: string) =>
    ask(id, name, 'PATCH', `stations/${id}`, { idleMinutes: Number(minutes) })()
  const label = t.value.locksAfter(name)
  return [
    el.strong(null, name),
    stepTexts.value.staff.kinds[kind],
    // The session of a kiosk is not locked.
    kind === 'kiosk' ? '' : h(Choice, { label, value: String(idleMinutes), choices, onChange: locks }),
    end(id, name, `stations/${id}`, t.value.remove, t.value.removeStationWhy(name)),
  ]
}

function sessionRow({ id, attributes }: Resource<OpenSession>, all: Known, { end }: Acts): Cells {
  const { accountId, stationId, lastUsedAt, address } = attributes
  const nameOf = (among: readonly Resource<{ name: string }>[], wanted: string | null) =>
    among.find((each) => each.id === wanted)?.attributes.name
  const name = nameOf(all.accounts, accountId)
  return [
    el.strong(null, name ?? '–'),
    [nameOf(all.stations, stationId), address, usedText(lastUsedAt)].filter(Boolean).join(', '),
    end(id, name ?? '', `sessions/${id}`, t.value.end),
  ]
}

function tokenRow({ id, attributes: { name, role, lastUsedAt } }: Resource<Token>, { end }: Acts): Cells {
  return [
    el.strong(null, name),
    [stepTexts.value.staff.roles[role as 'admin'] ?? role, usedText(lastUsedAt)].join(', '),
    end(id, name, `tokens/${id}`, t.value.remove, t.value.removeTokenWhy(name)),
  ]
}

/** What may be one right too many. An administrator confirms it here, or ends it in the lists below. */
function RightsToConfirm({ rights, task }: { rights: Resource<Right>[]; task: Task }): View {
  const confirm = (ids: readonly string[]) =>
    confirmed(async () => {
      for (const id of ids)
        await send('DELETE', `${base}/rights-to-confirm/${id}`).catch((error) => {
          // Confirmed before the secret was asked again, or at another place.
          if (!(error instanceof ApiError) || error.status !== 404) throw error
        })
    })
  return el.section(
    { class: 'stack', 'aria-label': t.value.toConfirm },
    el.h2(null, t.value.toConfirm),
    el.p(null, t.value.toConfirmWhy),
    el.ul(
      { class: 'rows cells' },
      rights.map(({ id, attributes: { kind, name, reason, since } }) =>
        el.li(
          { key: id, class: 'row' },
          el.div(null, el.strong(null, name)),
          el.div(null, t.value.kindsOfRights[kind]),
          el.div(null, t.value.whyConfirm[reason](momentText(since))),
          el.div(
            null,
            button(t.value.isRight, {
              onClick: () => task.run(id, () => confirm([id])),
              ...task.of(id),
              name: `${t.value.isRight}: ${name}`,
            }),
          ),
        ),
      ),
    ),
    button(t.value.allAreRight, {
      onClick: () => task.run('all rights', () => confirm(rights.map(({ id }) => id))),
      ...task.of('all rights'),
    }),
  )
}

/** The names of the kiosks and tokens that stop when this account is disabled. */
function madeBy({ stations, tokens }: Known, id: string): string[] {
  const kiosks = stations.filter(({ attributes: { kind } }) => kind === 'kiosk')
  return [...kiosks, ...tokens]
    .filter(({ attributes: { makerId } }) => makerId === id)
    .map(({ attributes: { name } }) => name)
}

/** The usual choices, and the present value. */
const minutesWith = (present: number) =>
  [...new Set([1, 2, 5, 10, 15, present])].toSorted((one, other) => one - other)

const usedText = (at: string | null) => (at ? t.value.lastUsed(momentText(at)) : t.value.never)

function list<A>(
  title: string,
  all: readonly Resource<A>[],
  cellsOf: (each: Resource<A>) => Cells,
): View | null {
  if (all.length === 0) return null
  return el.section(
    { class: 'stack', 'aria-label': title },
    el.h2(null, title),
    el.ul(
      { class: 'rows cells' },
      all.map((each) =>
        el.li(
          { key: each.id, class: 'row' },
          cellsOf(each).map((cell) => el.div(null, cell)),
        ),
      ),
    ),
  )
}

function NewToken({ task, ask }: { task: Task; ask: (name: string, role: string) => void }): View {
  const [name, setName] = useState('')
  const [role, setRole] = useState<string>('integrator')
  return el.form(
    {
      class: 'stack',
      onSubmit: prevented(() => {
        ask(name, role)
        setName('')
      }),
    },
    el.div(
      { class: 'columns' },
      h(Field, { label: t.value.tokenName, value: name, onInput: setName, isRequired: true, maxLength: 60 }),
      h(Choice, {
        label: t.value.role,
        value: role,
        choices: roles.map((each) => [each, stepTexts.value.staff.roles[each]] as const),
        onChange: setRole,
      }),
    ),
    button(t.value.add, { onClick: () => {}, type: 'submit', ...task.of('token') }),
  )
}
