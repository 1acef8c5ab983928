import { useState } from 'preact/hooks'
import { get, type Resource, send } from '../../lib/api.ts'
import { asOfText, button, chip, failure, loadingBar, notice, tabs } from '../../lib/controls.ts'
import { classes, el, type View } from '../../lib/el.ts'
import { momentText } from '../../lib/format.ts'
import { useShortcuts } from '../../lib/keys.ts'
import { type Message, textOf } from '../../lib/message.ts'
import { useRead } from '../../lib/read.ts'
import { linkTo } from '../../lib/route.ts'
import { useRows } from '../../lib/rows.ts'
import { may } from '../../lib/session.ts'
import { type Task, useTask } from '../../lib/task.ts'
import { t } from './texts.ts'

type Side = 'Pms' | 'Local'

interface Conflict {
  reservationId: string
  stayId: string | null
  fieldGroup: string
  fields: string[]
  local: object | null
  upstream: object | null
  /** The side whose value counts until a person decides. */
  counts: Side
  sentence: string
  messages: Message[] | null
  state: 'open' | 'accepted' | 'reversed' | 'settled'
  detectedAt: string
  resolvedAt: string | null
}

const listed = '/api/config/v1/sync-conflicts?page[size]=50&sort=-detectedAt'

/** Where house and PMS disagree: what each side says, which one counts and why, and the choice. */
export function ConflictsScreen(): View {
  const [shown, setShown] = useState<'open' | 'done'>('open')
  const filter = shown === 'open' ? '&filter[state]=open' : '&filter[state][ne]=open'
  const { data, problem, isLoading, asOf, readAgain } = useRead(
    `conflicts ${shown}`,
    (signal) => get<Resource<Conflict>[]>(listed + filter, { signal }),
    ['pms.conflict'],
  )
  const task = useTask(readAgain)
  const conflicts = data?.data ?? []
  const { chosen, choose } = useRows(
    conflicts.map(({ id }) => id),
    t.value,
    () => {},
  )
  const current = conflicts.find(({ id }) => id === chosen)
  const mayChoose = may('sync-conflicts.choose') && shown === 'open'
  useShortcuts(
    current && mayChoose
      ? [
          { key: 'a', name: t.value.accept, run: () => task.run(current.id, () => accept(current)) },
          { key: 's', name: t.value.other, run: () => task.run(current.id, () => reverse(current)) },
        ]
      : [],
    [current?.id, mayChoose],
  )
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    tabs(
      t.value.title,
      shown,
      [
        ['open', t.value.open, shown === 'open' && data ? String(conflicts.length) : null],
        ['done', t.value.done, null],
      ],
      setShown,
    ),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    task.refusal && notice('error', task.refusal),
    data && conflicts.length === 0 && notice('ok', shown === 'open' ? t.value.none : t.value.noneDone),
    el.ul(
      { class: 'cases' },
      conflicts.map((each) =>
        conflictOf(each, each.id === chosen, () => choose(each.id), mayChoose ? task : null),
      ),
    ),
  )
}

const accept = ({ id }: Resource<Conflict>) =>
  send('POST', `/api/config/v1/sync-conflicts/${id}/actions/accept`, { body: {} })

function reverse({ id, attributes: { counts } }: Resource<Conflict>): Promise<unknown> {
  const other: Side = counts === 'Pms' ? 'Local' : 'Pms'
  return send('POST', `/api/config/v1/sync-conflicts/${id}/actions/choose`, { body: { counts: other } })
}

function conflictOf(
  conflict: Resource<Conflict>,
  isChosen: boolean,
  choose: () => void,
  task: Task | null,
): View {
  const { id, attributes } = conflict
  const { fieldGroup, counts, sentence, messages, state, detectedAt, stayId, local, upstream, fields } =
    attributes
  const isBusy = task?.busy === id
  return el.li(
    { key: id, id: `row-${id}`, class: classes('case', isChosen && 'chosen'), onClick: choose },
    el.div(
      { class: 'row' },
      el.h2(null, t.value.groups[fieldGroup as keyof typeof t.value.groups] ?? fieldGroup),
      chip(
        state === 'open' ? 'warning' : 'ok',
        t.value.states[state],
        state === 'open' ? 'conflict' : 'check',
      ),
      el.span({ class: 'quiet' }, momentText(detectedAt)),
      stayId && el.a({ href: linkTo('stay', stayId) }, t.value.guest),
    ),
    el.p(null, textOf(messages) || sentence),
    el.dl(
      { class: 'sides' },
      el.dt(null, t.value.house),
      el.dd(null, valueText(local, fields), counts === 'Local' && chip('info', t.value.counts, 'check')),
      el.dt(null, t.value.pms),
      el.dd(null, valueText(upstream, fields), counts === 'Pms' && chip('info', t.value.counts, 'check')),
    ),
    task &&
      el.div(
        { class: 'row' },
        button(t.value.keep(counts === 'Pms' ? t.value.pms : t.value.house), {
          onClick: () => task.run(id, () => accept(conflict)),
          kind: 'main',
          letter: 'a',
          isBusy,
        }),
        button(t.value.take(counts === 'Pms' ? t.value.house : t.value.pms), {
          onClick: () => task.run(id, () => reverse(conflict)),
          letter: 's',
          isBusy,
        }),
      ),
  )
}

/** The values in which the sides differ; ids say nothing to a person and are left out. */
function valueText(value: object | null, fields: readonly string[]): string {
  if (value === null) return '–'
  const shown = Object.entries(value).filter(([name]) => fields.length === 0 || fields.includes(name))
  return shown.map(([name, each]) => `${name}: ${plainText(each)}`).join(', ') || '–'
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.map(plainText).join(' + ') || '–'
  if (typeof value !== 'object') return String(value)
  const parts = Object.entries(value).filter(([name, each]) => each !== null && !/(^id|Id)$/.test(name))
  return parts.map(([, each]) => plainText(each)).join(' ')
}
