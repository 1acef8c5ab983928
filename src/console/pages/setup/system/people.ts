import { h } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError, getAll, type Resource, send } from '../../lib/api.ts'
import { button, Choice, Field, failure, loadingBar, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { momentText } from '../../lib/format.ts'
import { useRead } from '../../lib/read.ts'
import { linkTo } from '../../lib/route.ts'
import { confirmed, may, session } from '../../lib/session.ts'
import { type Task, useTask } from '../../lib/task.ts'
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

/** Accounts, stations, sessions, and tokens of programs. */
export function People(): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'people',
    async (signal) => {
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
    },
    ['account', 'station', 'session', 'token'],
  )
  const [issued, setIssued] = useState<{ name: string; code: string } | null>(null)
  const task = useTask(readAgain)
  const ask = (id: string, name: string, method: string, path: string, body?: object) => () =>
    task.run(id, async () => {
      const { meta } = await confirmed(() => send(method, `${base}/${path}`, body ? { body } : {}))
      const code = meta?.code ?? meta?.token
      if (code) setIssued({ name, code: String(code) })
    })
  const nameOf = (all: readonly Resource<{ name: string }>[] | undefined, id: string | null) =>
    all?.find((each) => each.id === id)?.attributes.name
  const { ask: askBefore, dialog } = useAskBefore()
  const end = (id: string, name: string, path: string, label: string, why?: string) =>
    button(label, {
      onClick: () => {
        const act = ask(id, name, 'DELETE', path)
        if (why === undefined) act()
        else askBefore({ title: `${label}: ${name}`, why, label, act })
      },
      kind: 'danger',
      ...task.of(id),
      name: `${label}: ${name}`,
    })
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
    list(
      t.value.accounts,
      data?.accounts.map(({ id, attributes: { name, role, disabled } }) => [
        id,
        el.strong(null, name),
        stepTexts.value.staff.roles[role as 'admin'] ?? role,
        ...(id === session.value?.accountId
          ? [el.span({ class: 'quiet' }, t.value.ownAccount)]
          : [
              button(t.value.reset, {
                onClick: () =>
                  askBefore({
                    title: `${t.value.reset}: ${name}`,
                    why: t.value.resetWhy(name),
                    label: t.value.reset,
                    act: ask(`reset ${id}`, name, 'POST', `accounts/${id}/actions/reset`),
                  }),
                ...task.of(`reset ${id}`),
                name: `${t.value.reset}: ${name}`,
              }),
              button(disabled ? t.value.enable : t.value.disable, {
                onClick: () => {
                  const act = ask(id, name, 'PATCH', `accounts/${id}`, { disabled: !disabled })
                  const made = disabled ? [] : madeBy(data, id)
                  if (made.length === 0) act()
                  else
                    askBefore({
                      title: `${t.value.disable}: ${name}`,
                      why: t.value.disableWhy(name, made.join(', ')),
                      label: t.value.disable,
                      act,
                    })
                },
                ...task.of(id),
                name: `${disabled ? t.value.enable : t.value.disable}: ${name}`,
              }),
            ]),
      ]),
    ),
    list(
      t.value.stations,
      data?.stations.map(({ id, attributes: { name, kind, idleMinutes } }) => [
        id,
        el.strong(null, name),
        stepTexts.value.staff.kinds[kind],
        // The session of a kiosk is not locked.
        kind === 'kiosk'
          ? ''
          : h(Choice, {
              label: t.value.locksAfter(name),
              value: String(idleMinutes),
              choices: minutesWith(idleMinutes).map((each) => [String(each), t.value.minutes(each)] as const),
              onChange: (minutes: string) =>
                ask(id, name, 'PATCH', `stations/${id}`, { idleMinutes: Number(minutes) })(),
            }),
        end(id, name, `stations/${id}`, t.value.remove, t.value.removeStationWhy(name)),
      ]),
    ),
    list(
      t.value.sessions,
      data?.sessions.map(({ id, attributes: { accountId, stationId, lastUsedAt, address } }) => [
        id,
        el.strong(null, nameOf(data.accounts, accountId) ?? '–'),
        [nameOf(data.stations, stationId), address, usedText(lastUsedAt)].filter(Boolean).join(', '),
        end(id, nameOf(data.accounts, accountId) ?? '', `sessions/${id}`, t.value.end),
      ]),
    ),
    list(
      t.value.tokens,
      data?.tokens.map(({ id, attributes: { name, role, lastUsedAt } }) => [
        id,
        el.strong(null, name),
        [stepTexts.value.staff.roles[role as 'admin'] ?? role, usedText(lastUsedAt)].join(', '),
        end(id, name, `tokens/${id}`, t.value.remove, t.value.removeTokenWhy(name)),
      ]),
    ),
    data?.tokens.length === 0 && may('tokens.write') && el.h2(null, t.value.tokens),
    may('tokens.write') &&
      h(NewToken, { task, ask: (name, role) => ask('token', name, 'POST', 'tokens', { name, role })() }),
  )
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
function madeBy(
  { stations, tokens }: { stations: Resource<Station>[]; tokens: Resource<Token>[] },
  id: string,
): string[] {
  const kiosks = stations.filter(({ attributes: { kind } }) => kind === 'kiosk')
  return [...kiosks, ...tokens]
    .filter(({ attributes: { makerId } }) => makerId === id)
    .map(({ attributes: { name } }) => name)
}

/** The usual choices, and the present value. */
const minutesWith = (present: number) =>
  [...new Set([1, 2, 5, 10, 15, present])].toSorted((one, other) => one - other)

const usedText = (at: string | null) => (at ? t.value.lastUsed(momentText(at)) : t.value.never)

function list(
  title: string,
  rows: readonly (readonly [id: string, ...cells: (View | string)[]])[] | undefined,
): View | null {
  if (!rows || rows.length === 0) return null
  return el.section(
    { class: 'stack', 'aria-label': title },
    el.h2(null, title),
    el.ul(
      { class: 'rows cells' },
      rows.map(([id, ...cells]) =>
        el.li(
          { key: id, class: 'row' },
          cells.map((each) => el.div(null, each)),
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
      onSubmit: (event) => {
        event.preventDefault()
        ask(name, role)
        setName('')
      },
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
