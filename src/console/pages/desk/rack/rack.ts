import { h } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { asOfText, button, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { common } from '../../lib/language/common-texts.ts'
import { dateText, nightsBetween, plusDays } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { Unit } from '../../lib/server/resources.ts'
import { may, today } from '../../lib/server/session.ts'
import { mark, stayLooks } from '../stay/states.ts'
import { g } from '../stay/texts.ts'
import { Grid } from './grid.ts'
import { Move } from './move.ts'
import { NewBooking } from './new-booking.ts'
import type { Cell } from './new-cell.ts'
import { type Bar, nightsShown, type Rack, readRack } from './rack-data.ts'
import { barId } from './rows.ts'
import { t } from './texts.ts'

/** The stay that was dropped or chosen, to be moved. */
interface Moving {
  bar: Bar
  onto: Resource<Unit> | null
}

/** The rack: rooms and nights with their stays, and the free rooms. */
export function RackScreen(): View {
  const [first, setFirst] = useState<string | null>(null)
  const start = first ?? today.value
  const { data, problem, isLoading, asOf, readAgain } = useRead(
    `rack ${start} ${today.value}`,
    (signal) => readRack(start, today.value, signal),
    ['stay.', 'profile.', 'unit.', 'availability.'],
  )
  const [moving, setMoving] = useState<Moving | null>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [isUnfolded, unfold] = useState(false)
  const bars = useMemo(
    () => (data ? [...(isUnfolded ? data.waiting : []), ...data.rows.flatMap((row) => row.bars)] : []),
    [data, isUnfolded],
  )
  const current = bars.find(({ key }) => key === focused) ?? bars[0]
  const newBooking = useNewBooking(start, data, current)
  const { cell, setCell, bookable, beginCell, isBooking } = newBooking
  const week = (weeks: number) => {
    setCell(null)
    setFirst(weeks === 0 ? null : plusDays(start, 7 * weeks))
  }
  useRackKeys({ data, isUnfolded, bars, current, week, move: (bar) => setMoving({ bar, onto: null }) })
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.div(
      { class: 'row' },
      el.h1(null, t.value.title),
      weekButtons(week),
      el.strong(null, `${dateText(start)} – ${dateText(plusDays(start, nightsShown - 1))}`),
      current &&
        may('reservations.write') &&
        button(t.value.moveChosen, { onClick: () => setMoving({ bar: current, onto: null }), letter: 'm' }),
      bookable !== null && button(t.value.newBooking, { onClick: beginCell, icon: 'walkin', letter: 'b' }),
    ),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    data?.rows.length === 0 && el.p(null, t.value.noRooms, ' ', el.a({ href: '/setup' }, t.value.toSetup)),
    data?.areCountsKnown === false && failureOfCounts(readAgain),
    data?.isCut && el.p({ class: 'quiet' }, t.value.andMore),
    data &&
      el.div(
        { class: 'rack-scroll' },
        h(Grid, {
          rack: data,
          bars,
          current,
          focused: setFocused,
          isUnfolded,
          unfold,
          dropped: (bar, onto) => setMoving({ bar, onto }),
          cell,
          bookable,
          choose: setCell,
          book: newBooking.begin,
        }),
      ),
    legend(bookable !== null),
    isBooking && cell && h(NewBooking, { cell, rackStart: start, onClose: newBooking.end }),
    moving &&
      data &&
      h(Move, { ...moving, types: data.types, close: () => setMoving(null), moved: readAgain }),
  )
}

/** The nights that are chosen for a new booking, and whether its form is open. */
function useNewBooking(start: string, data: Rack | undefined, current: Bar | undefined) {
  const [cell, setCell] = useState<Cell | null>(null)
  const [isBooking, setBooking] = useState(false)
  /** The first night that can be booked; null for a person who books none. */
  const bookable = may('reservations.write') ? Math.max(0, nightsBetween(start, today.value)) : null
  /** Chooses the first night after the current stay in its room. */
  const beginCell = () => {
    const row = data?.rows.find((each) => current && each.bars.includes(current)) ?? data?.rows[0]
    if (!row || bookable === null) return
    const from = Math.max(bookable, current && row.bars.includes(current) ? current.to : 0)
    if (from < nightsShown) setCell({ unit: row.unit, from, nights: 1 })
  }
  useShortcuts(
    bookable !== null && !isBooking ? [{ key: 'b', name: t.value.newBooking, run: beginCell }] : [],
    [bookable, data, current, isBooking],
  )
  const end = () => {
    setBooking(false)
    setCell(null)
  }
  return { cell, setCell, bookable, beginCell, isBooking, begin: () => setBooking(true), end }
}

const weekButtons = (week: (weeks: number) => void) => [
  button('', { onClick: () => week(-1), icon: 'left', letter: '[', name: t.value.weekBefore }),
  button(t.value.today, { onClick: () => week(0), letter: '.' }),
  button('', { onClick: () => week(1), icon: 'right', letter: ']', name: t.value.weekAfter }),
]

const legend = (isBookable: boolean) =>
  el.div(
    { class: 'row legend' },
    (['Confirmed', 'InHouse', 'LeavesToday', 'Overdue'] as const).map((state) =>
      mark(stayLooks[state], g.value.status[state]),
    ),
    isBookable && el.span({ class: 'quiet' }, t.value.bookHint),
  )

/** The rooms and their stays are complete; only the numbers of free rooms are missing. */
const failureOfCounts = (readAgain: () => void) =>
  notice(
    'warning',
    t.value.notCounted,
    el.div(null, button(common.value.tryAgain, { onClick: readAgain, icon: 'undo' })),
  )

interface Keys {
  data: Rack | undefined
  isUnfolded: boolean
  bars: readonly Bar[]
  current: Bar | undefined
  week: (weeks: number) => void
  move: (bar: Bar) => void
}

/** Arrow keys move between stays: left and right in a room, up and down to the nearest stay of another room. */
function useRackKeys({ data, isUnfolded, bars, current, week, move }: Keys): void {
  const focus = (bar: Bar | undefined) => {
    if (bar) document.getElementById(barId(bar))?.focus()
  }
  const rows = data ? [isUnfolded ? data.waiting : [], ...data.rows.map((row) => row.bars)] : []
  const rowOf = (bar: Bar) => rows.findIndex((row) => row.includes(bar))
  const beside = (by: number) => {
    if (!current) return
    const row = (rows[rowOf(current)] ?? []).toSorted((a, b) => a.from - b.from)
    focus(row[row.indexOf(current) + by])
  }
  const across = (by: number) => {
    if (!current) return
    for (let at = rowOf(current) + by; at >= 0 && at < rows.length; at += by) {
      const nearest = rows[at]?.toSorted(
        (a, b) => Math.abs(a.from - current.from) - Math.abs(b.from - current.from),
      )[0]
      if (nearest) return focus(nearest)
    }
  }
  useShortcuts(
    [
      { key: '[', name: t.value.weekBefore, run: () => week(-1) },
      { key: ']', name: t.value.weekAfter, run: () => week(1) },
      { key: '.', name: t.value.today, run: () => week(0) },
      { key: 'ArrowLeft', name: t.value.earlier, run: () => beside(-1) },
      { key: 'ArrowRight', name: t.value.later, run: () => beside(1) },
      { key: 'ArrowUp', name: t.value.roomAbove, run: () => across(-1) },
      { key: 'ArrowDown', name: t.value.roomBelow, run: () => across(1) },
      ...(current && may('reservations.write')
        ? [{ key: 'm', name: t.value.moveChosen, run: () => move(current) }]
        : []),
    ],
    [bars, current],
  )
}
