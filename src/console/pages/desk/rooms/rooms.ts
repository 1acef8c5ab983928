import { useEffect, useState } from 'preact/hooks'
import { ApiError, get, getAll, type Resource, send } from '../../lib/api.ts'
import { asOfText, button, chip, failure, loadingBar, notice, tabs } from '../../lib/controls.ts'
import { classes, el, type View } from '../../lib/el.ts'
import type { IconName } from '../../lib/icons.ts'
import { useShortcuts } from '../../lib/keys.ts'
import { useRead } from '../../lib/read.ts'
import type { Stay, Unit, UnitStatus, UnitType } from '../../lib/resources.ts'
import { may, today } from '../../lib/session.ts'
import { t } from './texts.ts'

/** In the order of the keys 1 to 6. */
const statuses: readonly UnitStatus[] = [
  'Dirty',
  'Cleaning',
  'Clean',
  'Inspected',
  'OutOfService',
  'OutOfOrder',
]

const looks: Record<UnitStatus, readonly ['ok' | 'warning' | 'error' | 'info', IconName]> = {
  Dirty: ['warning', 'broom'],
  Cleaning: ['info', 'broom'],
  Clean: ['ok', 'check'],
  Inspected: ['ok', 'search'],
  OutOfService: ['error', 'wrench'],
  OutOfOrder: ['error', 'wrench'],
}

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

/** Housekeeping sees the rooms but no stays: it gets none. */
async function staysOf(filter: string, signal: AbortSignal): Promise<Resource<Stay>[]> {
  if (!may('reservations.read')) return []
  return (await getAll<Stay>(`/api/v2/stays?${filter}&page[size]=100`, 1_000, signal)).data
}

function unitsOf(stays: readonly Resource<Stay>[]): Set<string> {
  return new Set(stays.flatMap(({ attributes }) => attributes.units.flatMap(({ unitId }) => unitId ?? [])))
}

/** A change that one tap takes back. */
interface Undo {
  name: string
  units: { id: string; status: UnitStatus }[]
}

const undoForMs = 5_000

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
  const { marked, mark, change, undo, refusal } = useMarking(data?.units ?? [], readAgain)
  const shown = (data?.units ?? []).filter(
    ({ attributes }) =>
      (status === 'all' || attributes.status === status) && (floor === 'all' || attributes.floor === floor),
  )
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    data && filters(data, { status, setStatus, floor, setFloor }),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    refusal && notice('error', refusal),
    undo &&
      el.div(
        { class: 'row', role: 'status' },
        t.value.changed(undo.name),
        button(t.value.undo, { onClick: undo.run, icon: 'undo', letter: 'u' }),
      ),
    may('units.status') && marked.size === 0 && undo === null && el.p({ class: 'quiet' }, t.value.howTo),
    marked.size > 0 && statusButtons(marked.size, change),
    data?.units.length === 0 && el.p(null, t.value.none),
    data && shown.length === 0 && data.units.length > 0 && el.p(null, t.value.noneOfThese),
    data &&
      el.ul(
        { class: 'room-grid' },
        shown.map((unit) => roomTile(unit, data, marked.has(unit.id), mark)),
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
        ...named.map((each) => [each, t.value.status[each], String(count(each))] as const),
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
  { id, attributes: { name, status, unitTypeId, occupied } }: Resource<Unit>,
  { types, arriving, leaving }: Rooms,
  isMarked: boolean,
  mark: (id: string) => void,
): View {
  const [kind, picture] = looks[status]
  const isUrgent = arriving.has(id) && status !== 'Clean' && status !== 'Inspected'
  return el.li(
    { key: id },
    el.button(
      { type: 'button', class: classes('room', kind), 'aria-pressed': isMarked, onClick: () => mark(id) },
      el.strong(null, name),
      el.span({ class: 'quiet' }, types.get(unitTypeId) ?? ''),
      chip(kind, t.value.status[status], picture),
      el.span(
        { class: 'marks' },
        isUrgent && chip('error', t.value.arrivesToday, 'alarm'),
        arriving.has(id) && !isUrgent && t.value.arrivesToday,
        leaving.has(id) && t.value.leavesToday,
        occupied && !leaving.has(id) && t.value.occupied,
      ),
    ),
  )
}

function statusButtons(count: number, change: (status: UnitStatus) => void): View {
  return el.div(
    { class: 'row actions', role: 'group', 'aria-label': t.value.setStatus },
    el.strong(null, t.value.chosen(count)),
    statuses
      .filter((each) => each !== 'Inspected' || may('units.inspect'))
      .map((each) =>
        button(t.value.status[each], {
          onClick: () => change(each),
          icon: looks[each][1],
          letter: String(statuses.indexOf(each) + 1),
        }),
      ),
  )
}

/** Marks rooms, changes their status, and takes the last change back for five seconds. */
function useMarking(units: readonly Resource<Unit>[], readAgain: () => void) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [undo, setUndo] = useState<Undo | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setUndo(null), undoForMs)
    return () => clearTimeout(timer)
  }, [undo])

  function mark(id: string): void {
    setMarked((before) => (before.has(id) ? before.difference(new Set([id])) : before.union(new Set([id]))))
  }

  async function set(changes: Undo['units']): Promise<void> {
    setRefusal(null)
    const refused = await Promise.all(changes.map(({ id, status }) => setStatusOf(id, status)))
    setRefusal(refused.find((each) => each !== null) ?? null)
    readAgain()
  }

  function change(status: UnitStatus): void {
    const before = units.filter(({ id }) => marked.has(id))
    setMarked(new Set())
    void set(before.map(({ id }) => ({ id, status })))
    setUndo({
      name: before.map(({ attributes }) => attributes.name).join(', '),
      units: before.map(({ id, attributes }) => ({ id, status: attributes.status })),
    })
  }

  const takeBack = () => {
    if (undo) void set(undo.units)
    setUndo(null)
  }
  const keys = statuses.map((status, index) => ({
    key: String(index + 1),
    name: t.value.status[status],
    run: () => change(status),
  }))
  useShortcuts(
    [
      ...(marked.size > 0 ? keys : []),
      ...(undo ? [{ key: 'u', name: t.value.undo, run: takeBack }] : []),
      ...(marked.size > 0
        ? [{ key: 'Escape', name: t.value.chooseNone, run: () => setMarked(new Set()) }]
        : []),
    ],
    [[...marked].join(), undo],
  )
  return { marked, mark, change, undo: undo && { ...undo, run: takeBack }, refusal }
}

/** Changes the status of one room as it is now. Returns why the box refused; null when it did not. */
async function setStatusOf(id: string, status: UnitStatus): Promise<string | null> {
  const path = `/api/v2/units/${id}`
  try {
    const { etag } = await get<Resource<Unit>>(path)
    await send('PATCH', path, { ifMatch: etag, body: { data: { type: 'unit', id, attributes: { status } } } })
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}
