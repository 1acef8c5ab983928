import { h } from 'preact'
import { useState } from 'preact/hooks'
import { asOfText, button, chip, loadingBar, notice } from '../../lib/controls/controls.ts'
import { classes, el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { tabs } from '../../lib/controls/tabs.ts'
import { dateText } from '../../lib/language/format.ts'
import { getAll, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { Stay, Unit, UnitStatus, UnitType } from '../../lib/server/resources.ts'
import { may, today } from '../../lib/server/session.ts'
import { unitChip, unitLooks, unitStateText } from '../stay/states.ts'
import { g } from '../stay/texts.ts'
import { BlockRooms, blocksOf } from './block.ts'
import { type Conflict, statuses, statusName, useMarking } from './marking.ts'
import { OutOfOrder } from './out-of-order.ts'
import { StaffCard, StaffCards } from './staff-card.ts'
import { t } from './texts.ts'

interface Rooms {
  units: Resource<Unit>[]
  types: Map<string, string>
  /** The rooms in which a guest comes or leaves today. */
  arriving: Set<string>
  leaving: Set<string>
}

async function readRooms(date: string, signal: AbortSignal): Promise<Rooms> {
  const [units, types, coming, going] = await Promise.all([
    getAll<Unit>('/api/v2/units?sort=name&page[size]=100', 1_000, signal),
    getAll<UnitType>('/api/v2/unit-types?page[size]=100', 200, signal),
    staysOf(`filter[status]=Confirmed&filter[startDate]=${date}`, signal),
    staysOf(`filter[status]=InHouse&filter[endDate][lte]=${date}`, signal),
  ])
  return {
    units: units.data,
    types: new Map(types.data.map(({ id, attributes }) => [id, attributes.code || attributes.name])),
    arriving: unitsOf(coming),
    leaving: unitsOf(going),
  }
}

/** A role without access to stays, such as housekeeping, gets an empty list. */
async function staysOf(filter: string, signal: AbortSignal): Promise<Resource<Stay>[]> {
  if (!may('reservations.read')) return []
  return (await getAll<Stay>(`/api/v2/stays?${filter}&page[size]=100`, 1_000, signal)).data
}

function unitsOf(stays: readonly Resource<Stay>[]): Set<string> {
  return new Set(stays.flatMap(({ attributes }) => attributes.units.flatMap(({ unitId }) => unitId ?? [])))
}

/** The rooms and their housekeeping status, for the desk and for housekeeping on a tablet. */
export function RoomsScreen(): View {
  const date = today.value
  const { data, problem, isLoading, asOf, readAgain } = useRead(
    `rooms ${date}`,
    (signal) => readRooms(date, signal),
    ['unit.', 'stay.'],
  )
  const [status, setStatus] = useState<UnitStatus | 'all'>('all')
  const [floor, setFloor] = useState('all')
  const [isAskedWhy, askWhy] = useState(false)
  const units = data?.units ?? []
  const these = (ids: ReadonlySet<string>) => units.filter(({ id }) => ids.has(id))
  const why = () => askWhy(true)
  const { marked, mark, change, undo, refusals, conflicts } = useMarking(units, readAgain, why)
  const shown = units.filter(
    ({ attributes }) =>
      (status === 'all' || attributes.status === status) && (floor === 'all' || attributes.floor === floor),
  )
  const choose = useFocusedRoom(shown, mark)
  const only = marked.size === 1 ? these(marked)[0] : undefined
  const [opened, open] = useState<Resource<Unit> | null>(null)
  const forStaff = only && may('keys.issue') ? () => open(only) : null
  const [blocking, setBlocking] = useState<ReadonlySet<string>>(new Set())
  const block = marked.size > 0 && may('units.block') ? () => setBlocking(marked) : null
  useShortcuts(
    [
      ...(forStaff ? [{ key: 'k', name: t.value.makeStaffCard, run: forStaff }] : []),
      ...(block ? [{ key: 'b', name: t.value.block, run: block }] : []),
    ],
    [only?.id, marked],
  )
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    data && filters(data, { status, setStatus, floor, setFloor }),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    refusals.map((each) => notice('error', each)),
    conflicts.map(conflict),
    undo && undoLine(undo.name, undo.run),
    may('units.status') && undo === null && el.p({ class: 'quiet' }, t.value.howTo),
    h(StaffCards, {}),
    marked.size > 0 && statusButtons(marked.size, change, { forStaff, block }),
    blocking.size > 0 &&
      h(BlockRooms, { units: these(blocking), changed: readAgain, onClose: () => setBlocking(new Set()) }),
    isAskedWhy &&
      h(OutOfOrder, {
        units: these(marked),
        save: (why) => {
          askWhy(false)
          change('OutOfOrder', why)
        },
        onClose: () => askWhy(false),
      }),
    opened && h(StaffCard, { unit: opened, onClose: () => open(null) }),
    data?.units.length === 0 && el.p(null, t.value.none),
    data && shown.length === 0 && data.units.length > 0 && el.p(null, t.value.noneOfThese),
    data &&
      el.ul(
        { class: 'room-grid' },
        shown.map((unit) => roomTile(unit, data, marked.has(unit.id), { mark, choose })),
      ),
  )
}

function undoLine(name: string, undo: () => void): View {
  return el.div(
    { class: 'row', role: 'status' },
    t.value.changed(name),
    button(t.value.undo, { onClick: undo, icon: 'undo', letter: 'u', isWriting: true }),
  )
}

/**
 * The arrow keys move the focus between the rooms, and `x` chooses the focused one, or the first one. Returns the
 * function to call when a room has got the focus.
 */
function useFocusedRoom(shown: readonly Resource<Unit>[], mark: (id: string) => void): (id: string) => void {
  const [focused, setFocused] = useState<string | null>(null)
  const at = Math.max(
    0,
    shown.findIndex(({ id }) => id === focused),
  )
  const current = shown[at]
  const move = (by: number) => document.getElementById(`row-${shown[at + by]?.id}`)?.focus()
  const next = { name: t.value.next, run: () => move(1) }
  const previous = { name: t.value.previous, run: () => move(-1) }
  useShortcuts(
    current
      ? [
          { ...next, key: 'ArrowRight' },
          { ...next, key: 'ArrowDown' },
          { ...previous, key: 'ArrowLeft' },
          { ...previous, key: 'ArrowUp' },
          { key: 'x', name: t.value.open, run: () => mark(current.id) },
        ]
      : [],
    [shown.map(({ id }) => id).join(), at],
  )
  return setFocused
}

/** A colleague was faster: the person chooses whose status the room has. */
function conflict({ change: { id, name, from, to }, keepTheirs, keepMine }: Conflict): View {
  return el.div(
    { key: id },
    notice(
      'warning',
      `${name}: ${g.value.changedTitle}`,
      el.p(null, `${g.value.theirs}: ${statusName(from)}. ${g.value.mine}: ${statusName(to)}.`),
      el.div(
        { class: 'row' },
        button(g.value.keepTheirs, { onClick: keepTheirs }),
        button(g.value.keepMine, { onClick: keepMine, isWriting: true }),
      ),
    ),
  )
}

interface Filters {
  status: UnitStatus | 'all'
  setStatus(status: UnitStatus | 'all'): void
  floor: string
  setFloor(floor: string): void
}

function filters({ units }: Rooms, { status, setStatus, floor, setFloor }: Filters): View {
  const floors = [...new Set(units.flatMap(({ attributes }) => attributes.floor ?? []))].sort()
  const count = (wanted: UnitStatus) => units.filter(({ attributes }) => attributes.status === wanted).length
  const named = statuses.filter((each) => count(each) > 0 || each === status)
  return el.div(
    { class: 'row' },
    tabs<UnitStatus | 'all'>(
      t.value.byStatus,
      status,
      [
        ['all', t.value.all, String(units.length)],
        ...named.map((each) => [each, statusName(each), String(count(each))] as const),
      ],
      setStatus,
    ),
    floors.length > 1 &&
      tabs(
        t.value.byFloor,
        floor,
        [
          ['all', t.value.allFloors, null],
          ...floors.map((each) => [each, t.value.floor(each), null] as const),
        ],
        setFloor,
      ),
  )
}

function roomTile(
  unit: Resource<Unit>,
  { types, arriving, leaving }: Rooms,
  isMarked: boolean,
  { mark, choose }: { mark: (id: string) => void; choose: (id: string) => void },
): View {
  const { id, attributes } = unit
  const { name, status, unitTypeId, occupied } = attributes
  const isNow = ({ startDate, endDate }: { startDate: string; endDate: string }) =>
    startDate <= today.value && today.value <= endDate
  const isUrgent = arriving.has(id) && status !== 'Clean' && status !== 'Inspected'
  return el.li(
    { key: id },
    el.button(
      {
        type: 'button',
        id: `row-${id}`,
        class: classes('room', unitLooks[status][0]),
        'aria-pressed': isMarked,
        onClick: () => mark(id),
        onFocus: () => choose(id),
      },
      el.strong(null, name),
      el.span({ class: 'quiet' }, types.get(unitTypeId) ?? ''),
      unitChip(status, statusName(status)),
      el.span(
        { class: 'marks' },
        blocksOf(unit)
          .filter(isNow)
          .map(({ startDate, endDate, reason }) =>
            chip(
              'error',
              [t.value.blockedFrom(dateText(startDate), dateText(endDate)), reason]
                .filter(Boolean)
                .join(': '),
              'ban',
            ),
          ),
        status === 'OutOfOrder' && isExplained(attributes) && el.span(null, unitStateText(attributes)),
        isUrgent && chip('error', t.value.arrivesToday, 'alarm'),
        arriving.has(id) && !isUrgent && t.value.arrivesToday,
        leaving.has(id) && t.value.leavesToday,
        occupied && !leaving.has(id) && t.value.occupied,
      ),
    ),
  )
}

function statusButtons(
  count: number,
  change: (status: UnitStatus) => void,
  { forStaff, block }: { forStaff: (() => void) | null; block: (() => void) | null },
): View {
  return el.div(
    { class: 'row actions', role: 'group', 'aria-label': t.value.setStatus },
    el.strong(null, t.value.chosen(count)),
    statuses
      .filter((each) => each !== 'Inspected' || may('units.inspect'))
      .map((each) =>
        button(statusName(each), {
          onClick: () => change(each),
          isWriting: true,
          icon: unitLooks[each][1],
          letter: String(statuses.indexOf(each) + 1),
        }),
      ),
    block && button(t.value.block, { onClick: block, icon: 'wrench', letter: 'b' }),
    forStaff && button(t.value.makeStaffCard, { onClick: forStaff, icon: 'card', letter: 'k' }),
  )
}

const isExplained = ({ outOfOrderUntil, outOfOrderReason }: Unit) => outOfOrderUntil || outOfOrderReason
