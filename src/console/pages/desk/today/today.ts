import { Fragment, h } from 'preact'
import { useState } from 'preact/hooks'
import { asOfText, button, loadingBar } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { later } from '../../lib/controls/later.ts'
import { goTo, place } from '../../lib/controls/route.ts'
import { useRows } from '../../lib/controls/rows.ts'
import { tabs } from '../../lib/controls/tabs.ts'
import { plusDays } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { type Reading, useRead } from '../../lib/server/read.ts'
import type { Stay, SyncConflict } from '../../lib/server/resources.ts'
import { may, today } from '../../lib/server/session.ts'
import { useConflicts } from '../stay/use-conflicts.ts'
import { t as desk } from '../texts.ts'
import { AssignAll } from './assign-all.ts'
import { DayChoice, dayTitle, filtersOn, useFreeRooms } from './day.ts'
import { Figures } from './figures.ts'
import {
  arrivalsOf,
  type FilterName,
  isLike,
  type ListName,
  mostShown,
  type StayList,
  useStays,
} from './lists.ts'
import { usePmsChanges } from './pms-changes.ts'
import { PrintArrivals } from './print-arrivals.ts'
import { mayCheckIn, useSelection } from './selection.ts'
import { stayTable } from './stay-table.ts'
import { t } from './texts.ts'

const names = ['arrivals', 'inHouse', 'departures', 'toGiveBack'] as const
const noTypes: ReadonlyMap<string, string> = new Map()
const filtersOf: Record<ListName, readonly FilterName[]> = {
  arrivals: ['noRoom', 'notReady', 'toPay', 'conflict'],
  inHouse: ['toPay', 'conflict'],
  departures: ['toPay', 'conflict'],
  toGiveBack: [],
}

// Few houses register their guests.
const DayFile = later<{ date: string }>(async () => (await import('../registrations/day-file.ts')).DayFile)
// Few arrivals come together.
const Selection = later(async () => (await import('../guest/stay-dialogs.ts')).Selection)

/** Arrivals, guests in house, departures, and stays with money to give back. Guests of earlier days who have not arrived stay among the arrivals. */
export function Today(): View {
  const [shown, setShown] = useState<ListName>('arrivals')
  const [filter, setFilter] = useState<FilterName | null>(null)
  const [day, setDay] = useState<string | null>(null)
  const date = day ?? today.value
  const lists = useLists(date, shown)
  const free = useFreeRooms(date)
  const conflicts = useConflicts(null).data ?? []
  const changes = usePmsChanges()
  const tomorrow = useTomorrow(date, lists.arrivals)
  const { data, isLoading, problem, readAgain, asOf } = lists[shown]
  const included = data?.included ?? []
  const { stays, active, counts } = filtered(shown, filter, data, conflicts)
  const isSheet = place.value.screen === 'stay'
  const opened = place.value.parts[0] ?? null
  const rows = useRows(
    stays.map(({ id }) => id),
    t.value,
    (id) => goTo('stay', [id]),
  )
  const show = (name: ListName) => {
    setShown(name)
    setFilter(null)
    selection.clear()
  }
  const chosen = stays.find(({ id }) => id === rows.chosen) ?? null
  useTodayKeys(chosen, show)
  const selection = useSelection(shown === 'arrivals', stays, chosen)
  const noStays = () => {
    if (active !== null) return el.p(null, t.value.noneOfThese)
    if (date !== today.value) return el.p(null, t.value.nobodyThen)
    return empty(shown, tomorrow, { show, dayAfter: () => setDay(plusDays(date, 1)) })
  }
  return el.section(
    { class: 'stack today', 'aria-label': t.value.title },
    el.div({ class: 'row' }, el.h1(null, dayTitle(date)), h(DayChoice, { date, choose: setDay })),
    h(Figures, { lists, shown, show, free, date }),
    el.div(
      { class: 'row tools' },
      filterButtons(counts, active, setFilter),
      tools(shown, lists[shown], date, selection),
    ),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    data && stays.length === 0 && noStays(),
    // While a sheet is open, the selected row is that of its guest, or none.
    stays.length > 0 &&
      stayTable({
        stays,
        rows: { ...rows, ...(isSheet && { chosen: opened }) },
        selection,
        row: {
          included,
          types: free?.types ?? noTypes,
          conflicts,
          changes,
          isArrival: shown === 'arrivals',
          date,
        },
      }),
    data && data.total > data.data.length && el.p({ class: 'quiet' }, t.value.andMore(mostShown)),
  )
}

type Lists = Record<ListName, Reading<StayList>>

/** The lists of a day. A chosen day becomes today at midnight. */
function useLists(date: string, shown: ListName): Lists {
  const other = date === today.value ? null : filtersOn(date)
  return {
    arrivals: useStays(
      'arrivals',
      other?.arrivals ?? `filter[status]=Confirmed&filter[startDate][lte]=${date}&sort=startDate`,
    ),
    inHouse: useStays('inHouse', other?.inHouse ?? 'filter[status]=InHouse&sort=endDate'),
    departures: useStays(
      'departures',
      other?.departures ?? `filter[status]=InHouse&filter[endDate][lte]=${date}&sort=endDate`,
    ),
    // Of all days, also canceled stays. It is read when it is looked at: no index has these stays.
    toGiveBack: useStays(
      'toGiveBack',
      shown === 'toGiveBack' ? 'filter[outstanding][lt]=0&sort=-endDate' : null,
    ),
  }
}

/** How many guests arrive tomorrow. It is read when none arrives today. */
function useTomorrow(date: string, { data }: Reading<StayList>): number | undefined {
  const isAsked = data?.total === 0 && date === today.value
  return useRead(isAsked ? `tomorrow ${date}` : null, (signal) => arrivalsOf(plusDays(date, 1), signal), [
    'stay.',
  ]).data
}

/** The stays of a list that match its filter, and how many match each filter. */
function filtered(
  shown: ListName,
  filter: FilterName | null,
  list: StayList | undefined,
  conflicts: readonly Resource<SyncConflict>[],
) {
  const all = list?.data ?? []
  const like = (each: FilterName) => all.filter((stay) => isLike(each, stay, list?.included ?? [], conflicts))
  const counts = filtersOf[shown].map((each) => [each, like(each).length] as const)
  const active = filter !== null && filtersOf[shown].includes(filter) ? filter : null
  return { counts, active, stays: active === null ? all : like(active) }
}

/** What can be done with a list. Beside a sheet, nothing is printed. */
function tools(
  shown: ListName,
  { data, asOf }: Reading<StayList>,
  date: string,
  { marked, mayBegin, begin, clear }: ReturnType<typeof useSelection>,
): View {
  const isArrivals = shown === 'arrivals'
  const isSheet = place.value.screen === 'stay'
  const all = data?.data ?? []
  return h(
    Fragment,
    null,
    isArrivals && may('reservations.write') && h(AssignAll, { stays: all }),
    mayBegin && button(t.value.selectSeveral, { onClick: begin, icon: 'check', letter: 'x' }),
    marked !== null &&
      h(Selection, {
        stays: all.filter((each) => marked.has(each.id) && mayCheckIn(each)),
        included: data?.included ?? [],
        clear,
      }),
    shown !== 'toGiveBack' && !isSheet && date <= today.value && h(DayFile, { date }),
    isArrivals && !isSheet && data && h(PrintArrivals, { list: data, asOf, date }),
  )
}

/** `1` to `4` show a list; the letter of the selected guest's next action starts it on the sheet. */
function useTodayKeys(stay: Resource<Stay> | null, show: (name: ListName) => void): void {
  const begin = (action: string) => stay && goTo('stay', [stay.id, action])
  const letters = [
    ['c', t.value.checkIn],
    ['o', t.value.checkOut],
    ['a', t.value.assign],
    ['n', t.value.noShow],
    ['d', t.value.decide],
  ] as const
  useShortcuts(
    [
      ...names.map((name, index) => ({ key: String(index + 1), name: t.value[name], run: () => show(name) })),
      ...letters.map(([key, name]) => ({ key, name, run: () => void begin(key) })),
    ],
    [stay?.id],
  )
}

/** A list without stays: what that means, and what can be done. */
function empty(
  shown: ListName,
  tomorrow: number | undefined,
  { show, dayAfter }: { show: (name: ListName) => void; dayAfter: () => void },
): View {
  const { nobodyInHouse, nobodyLeaves, nothingToGiveBack } = t.value
  const nobodyArrives = [t.value.nobodyArrives, tomorrow ? t.value.tomorrow(tomorrow) : ''].join(' ').trim()
  const texts = { arrivals: nobodyArrives, inHouse: nobodyInHouse, departures: nobodyLeaves }
  return el.div(
    { class: 'empty' },
    el.p(null, { ...texts, toGiveBack: nothingToGiveBack }[shown]),
    shown === 'arrivals'
      ? [
          may('reservations.write') &&
            button(desk.value.screens.walkIn, {
              onClick: () => goTo('walk-in'),
              icon: 'walkin',
              letter: 'w',
            }),
          button(t.value.dayAfter, { onClick: dayAfter, icon: 'right' }),
        ]
      : button(t.value[shown === 'departures' ? 'inHouse' : 'arrivals'], {
          onClick: () => show(shown === 'departures' ? 'inHouse' : 'arrivals'),
          icon: shown === 'departures' ? 'rooms' : 'in',
        }),
  )
}

function filterButtons(
  counts: readonly (readonly [FilterName, number])[],
  active: FilterName | null,
  set: (filter: FilterName | null) => void,
): View | null {
  const some = counts.filter(([name, count]) => count > 0 || name === active)
  if (some.length === 0) return null
  return el.div(
    { class: 'row' },
    el.span({ class: 'quiet' }, t.value.filter),
    tabs(
      t.value.filter,
      active ?? '',
      some.map(([name, count]) => [name, t.value.filters[name], String(count)] as const),
      (name) => set(name === active ? null : (name as FilterName)),
    ),
    active && button(t.value.showAll, { onClick: () => set(null) }),
  )
}
