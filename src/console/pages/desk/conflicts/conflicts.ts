import { useState } from 'preact/hooks'
import { asOfText, chip, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { linked } from '../../lib/controls/linked.ts'
import { linkTo, openStay } from '../../lib/controls/route.ts'
import { caseRow, type Rows, useRows } from '../../lib/controls/rows.ts'
import { tabs } from '../../lib/controls/tabs.ts'
import { type Task, useTask } from '../../lib/controls/task.ts'
import { dateText, momentText } from '../../lib/language/format.ts'
import { language } from '../../lib/language/language.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import { textOf } from '../../lib/server/message.ts'
import { useRead } from '../../lib/server/read.ts'
import { guestOf, nameInList, type Stay, type SyncConflict } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { pmsLines, usePms } from '../pms-line.ts'
import { roomsOf } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'
import { decidedBy } from './decided-by.ts'
import { guestInWhole } from './said.ts'
import { decideOtherwise, decisionsOf, groupOf, keepCounting, sidesOf } from './sides.ts'
import { t } from './texts.ts'

/** So many subjects an event query takes. */
const mostShown = 40
const listed = `/api/config/v1/sync-conflicts?page[size]=${mostShown}&sort=-detectedAt&withTotal=true&include=shownStay.profiles`

interface Shown {
  conflicts: Resource<SyncConflict>[]
  /** The stays of the conflicts with their guests. */
  included: readonly Resource[]
  total: number
  isAtLeast: boolean
  /** Who decided, by conflict. */
  names: ReadonlyMap<string, string>
}

async function readConflicts(shown: 'open' | 'done', signal: AbortSignal): Promise<Shown> {
  const filter = shown === 'open' ? '&filter[state]=open' : '&filter[state][ne]=open'
  const { data, included = [], meta } = await getList<SyncConflict>(listed + filter, { signal })
  const ids = data.map(({ id }) => id)
  return {
    conflicts: data,
    included,
    total: Number(meta?.total ?? data.length),
    isAtLeast: meta?.totalIsAtLeast === true,
    names: shown === 'open' ? new Map() : await decidedBy(ids, signal),
  }
}

const totalOf = ({ total, isAtLeast }: Shown) => (isAtLeast ? `${total}+` : String(total))

/** The conflicts between hotel and PMS: the guest, both values, the winner with the reason, and the choice. */
export function ConflictsScreen(): View {
  const [shown, setShown] = useState<'open' | 'done'>('open')
  const { data, problem, isLoading, asOf, readAgain } = useRead(
    `conflicts ${shown} ${language.value}`,
    (signal) => readConflicts(shown, signal),
    ['pms.conflict'],
  )
  const pms = usePms()
  const task = useTask(readAgain)
  const conflicts = data?.conflicts ?? []
  const rows = useRows(
    conflicts.map(({ id }) => id),
    t.value,
    (id) => openStay(conflicts.find((each) => each.id === id)?.attributes.shownStayId),
  )
  const current = conflicts.find(({ id }) => id === rows.chosen)
  const mayChoose = may('sync-conflicts.choose') && shown === 'open'
  const shortcut = (key: string, name: string, decide: typeof keepCounting) =>
    current && mayChoose
      ? [{ key, name, run: () => task.run(current.id, () => decide(current)), isWriting: true }]
      : []
  useShortcuts(
    [...shortcut('a', t.value.accept, keepCounting), ...shortcut('s', t.value.other, decideOtherwise)],
    [current?.id, mayChoose],
  )
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    tabs(
      t.value.title,
      shown,
      [
        ['open', t.value.open, shown === 'open' && data ? totalOf(data) : null],
        ['done', t.value.done, null],
      ],
      setShown,
    ),
    pmsLines(pms),
    mayChoose && conflicts.length > 0 && el.p({ class: 'quiet' }, t.value.meaning),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    task.refusal && notice('error', task.refusal),
    data && conflicts.length === 0 && notice('ok', shown === 'open' ? t.value.none : t.value.noneDone),
    el.ul(
      { class: 'cases' },
      conflicts.map((each) =>
        conflictOf(each, {
          included: data?.included ?? [],
          rows,
          task: mayChoose ? task : null,
          by: data?.names.get(each.id) ?? null,
        }),
      ),
    ),
    data &&
      data.total > conflicts.length &&
      el.p({ class: 'quiet' }, t.value.cut(conflicts.length, totalOf(data))),
  )
}

interface CaseOptions {
  included: readonly Resource[]
  rows: Rows
  /** Null where the person cannot decide. */
  task: Task | null
  /** Who decided; null when no person has. */
  by: string | null
}

function conflictOf(conflict: Resource<SyncConflict>, { included, rows, task, by }: CaseOptions): View {
  const { id, attributes } = conflict
  const { sentence, messages, state, detectedAt, resolvedAt } = attributes
  return caseRow(
    id,
    rows,
    el.div(
      { class: 'row' },
      whose(attributes, included),
      chip(
        state === 'open' ? 'warning' : 'ok',
        t.value.states[state],
        state === 'open' ? 'conflict' : 'check',
      ),
      el.span({ class: 'quiet' }, momentText(detectedAt)),
      by && resolvedAt && el.span(null, t.value.decided(momentText(resolvedAt), by)),
    ),
    el.p(null, el.strong(null, `${groupOf(conflict)}: `), linked(textOf(messages) || sentence)),
    sidesOf(conflict),
    task && decisionsOf(conflict, task, ['a', 's']),
  )
}

/** The guest with room and dates. */
function whose(conflict: SyncConflict, included: readonly Resource[]): View[] {
  const isShown = (each: Resource): each is Resource<Stay> => each.id === conflict.shownStayId
  const stay = included.find(isShown)
  if (!stay) {
    return [el.h2({ key: 'name' }, guestInWhole(conflict) ?? '–'), el.span({ key: 'gone' }, t.value.gone)]
  }
  const { startDate, endDate } = stay.attributes
  const rooms = roomsOf(stay)
  return [
    el.h2({ key: 'name' }, el.a({ href: linkTo('stay', stay.id) }, nameInList(guestOf(stay, included)))),
    el.strong({ key: 'rooms' }, rooms === '' ? g.value.noRoom : `${g.value.room} ${rooms}`),
    el.span({ key: 'dates' }, `${dateText(startDate)} – ${dateText(endDate)}`),
  ]
}
