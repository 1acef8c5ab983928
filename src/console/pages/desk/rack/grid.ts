import { type ComponentProps, h } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Resource } from '../../lib/api.ts'
import { classes, el, type View } from '../../lib/el.ts'
import { dateText, moneyText, percentText, plusDays } from '../../lib/format.ts'
import { icon } from '../../lib/icons.ts'
import type { Unit } from '../../lib/resources.ts'
import { openStay } from '../../lib/route.ts'
import { may, today } from '../../lib/session.ts'
import { g } from '../guest/texts.ts'
import { mark, stayLooks, unitLooks } from '../states.ts'
import { type Cell, NewCell } from './new-cell.ts'
import { type Bar, codeOf, nightsShown, type Rack, type RackGroup, type RackRow } from './rack-data.ts'
import { t } from './texts.ts'

interface GridOptions {
  rack: Rack
  /** All bars of the rack. */
  bars: readonly Bar[]
  /** The bar that the Tab key reaches. */
  current: Bar | undefined
  focused: (key: string) => void
  /** Whether the stays without a room are listed. */
  isUnfolded: boolean
  unfold: (isUnfolded: boolean) => void
  dropped: (bar: Bar, onto: Resource<Unit>) => void
  /** The nights that are chosen for a new booking. */
  cell: Cell | null
  /** The first night that can be booked, counted from the first that is shown; null for a caller who books none. */
  bookable: number | null
  choose: (cell: Cell | null) => void
  book: (cell: Cell) => void
}

/** The least height of a row in pixels, and the height of the rack as a part of the window's, as in the style sheet. */
const rowPx = 28
const heightShare = 0.75

/** The element id of a bar. */
export const barId = ({ key }: Bar) => `bar-${key}`
const rowId = ({ unit }: RackRow) => `room-${unit.id}`

/**
 * Rooms, nights and stays. The rooms that have space in the window are drawn first, the others after the browser has
 * shown these.
 */
export function Grid(options: GridOptions): View {
  const { rack, bars, current, focused, dropped, cell, bookable, choose, book } = options
  // The cell in which a pointer was pressed, until it is released.
  const [pressed, press] = useState<Cell | null>(null)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => setWhole(true), [])
  // A row that is the same object as before costs nothing; only the rows of the former and the new current bar differ.
  const drawn = useMemo(
    () => new Map(rack.rows.slice(0, isWhole ? Infinity : rowsAtFirst()).map((row) => [row, drawRow(row)])),
    [rack, isWhole, g.value],
  )
  const idAt = ({ target }: Event, part: string) => (target as Element).closest(part)?.id
  const barAt = (event: Event) => bars.find((each) => barId(each) === idAt(event, '.bar'))
  const roomAt = (event: Event) => rack.rows.find((each) => rowId(each) === idAt(event, '.rack-row'))
  /** The empty night of a room under the pointer; null elsewhere, and on nights that are over. */
  const nightAt = (event: PointerEvent, room: RackRow | undefined): number | null => {
    const days = [...document.querySelectorAll('.rack-head .rack-day')]
    const night = days.findIndex((each) => {
      const { left, right } = each.getBoundingClientRect()
      return event.clientX >= left && event.clientX < right
    })
    return room && bookable !== null && night >= bookable ? night : null
  }
  const newCell = cell &&
    bookable !== null && {
      cell,
      start: rack.start,
      first: bookable,
      units: rack.rows.map(({ unit }) => unit),
      isFocused: pressed === null,
      change: choose,
      book,
    }
  return el.div(
    {
      class: 'rack',
      role: 'grid',
      'aria-label': t.value.title,
      onFocusIn: (event) => {
        const bar = barAt(event)
        if (bar) focused(bar.key)
      },
      onClick: (event) => openStay(barAt(event)?.stay.id),
      onPointerDown: (event) => {
        const room = event.button === 0 && isEmpty(event) ? roomAt(event) : undefined
        const night = nightAt(event, room)
        if (!room || night === null) return
        // The row keeps no text selection, and no focus.
        event.preventDefault()
        const begun = { unit: room.unit, from: night, nights: 1 }
        press(begun)
        choose(begun)
      },
      onPointerMove: (event) => {
        const night = pressed && nightAt(event, rack.rows[0])
        if (!pressed || night === null) return
        const nights = Math.abs(night - pressed.from) + 1
        if (nights !== cell?.nights) choose({ ...pressed, from: Math.min(night, pressed.from), nights })
      },
      onPointerUp: () => {
        press(null)
        if (pressed && cell) book(cell)
      },
      onPointerLeave: () => press(null),
      onDragStart: (event) => event.dataTransfer?.setData('text/plain', barAt(event)?.key ?? ''),
      onDragOver: (event) => {
        if (roomAt(event)) event.preventDefault()
      },
      onDrop: (event) => {
        const bar = bars.find(({ key }) => key === event.dataTransfer?.getData('text/plain'))
        const onto = roomAt(event)
        if (!bar || !onto || !may('reservations.write')) return
        event.preventDefault()
        dropped(bar, onto.unit)
      },
    },
    el.div(
      { class: 'rack-days', 'aria-hidden': true },
      days(rack, (date) => el.i({ key: date, class: dayClass('rack-column', date) })),
    ),
    el.div({ class: 'rack-head', role: 'rowgroup' }, head(rack), ...occupancy(rack)),
    waitingRow(options),
    rack.groups.map((group) =>
      el.div(
        { key: group.type.id, class: 'rack-group', role: 'rowgroup' },
        typeRow(group),
        group.rows.map((row) => {
          const own = newCell && newCell.cell.unit.id === row.unit.id ? newCell : null
          const isCurrent = current && row.bars.includes(current)
          return drawn.has(row) && (own || isCurrent) ? drawRow(row, current, own) : drawn.get(row)
        }),
      ),
    ),
  )
}

const rowsAtFirst = () => Math.ceil((heightShare * innerHeight) / rowPx)

const days = ({ start }: Rack, draw: (date: string) => View) =>
  Array.from({ length: nightsShown }, (_, night) => draw(plusDays(start, night)))

function dayClass(part: string, date: string): string {
  const isWeekend = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())
  return classes(part, isWeekend && 'weekend', date === today.value && 'today')
}

function head(rack: Rack): View {
  return el.div(
    { class: 'rack-row head', role: 'row' },
    el.div({ class: 'rack-room', role: 'columnheader' }, t.value.room),
    days(rack, (date) =>
      el.div(
        {
          key: date,
          class: dayClass('rack-day', date),
          role: 'columnheader',
          ...(date === today.value && { 'aria-current': 'date' as const }),
        },
        dateText(date, { weekday: 'short', day: 'numeric' }),
      ),
    ),
  )
}

/** A row with a text for each night. */
function nightsRow(
  kind: 'free' | 'type',
  name: View | string,
  counts: readonly (number | null)[],
  textOf: (count: number) => string,
): View {
  return el.div(
    { class: classes('rack-row', kind), role: 'row' },
    el.div({ class: 'rack-room', role: 'rowheader' }, name),
    counts.map((count, night) =>
      el.div(
        { key: night, role: 'gridcell', class: classes(count === 0 && 'none') },
        count === null ? '–' : textOf(count),
      ),
    ),
  )
}

/** How many rooms are free in each night, and which part of all rooms is not. */
function occupancy({ freeInAll, rows }: Rack): View[] {
  return [
    nightsRow('free', t.value.freeRooms, freeInAll, String),
    nightsRow('free', t.value.occupied, freeInAll, (free) =>
      percentText(rows.length === 0 ? 0 : (rows.length - free) / rows.length),
    ),
  ]
}

/** A type of rooms: its name, the number of its rooms, and how many of them are free in each night. */
function typeRow({ type, rows, free }: RackGroup): View {
  const { name } = type.attributes
  const title = el.span(
    null,
    el.strong(null, name),
    ` ${name === codeOf(type) ? '' : codeOf(type)} (${rows.length})`,
  )
  return nightsRow('type', title, free, t.value.free)
}

/** The stays without a room: folded, their number on each day of arrival. */
function waitingRow({ rack: { waiting, start }, current, isUnfolded, unfold }: GridOptions): View | null {
  if (waiting.length === 0) return null
  const arriving = Map.groupBy(waiting, ({ from }) => from)
  return el.div(
    { class: 'rack-row waiting', role: 'row' },
    el.div(
      { class: 'rack-room', role: 'rowheader' },
      el.button(
        { type: 'button', class: 'fold', 'aria-expanded': isUnfolded, onClick: () => unfold(!isUnfolded) },
        icon(isUnfolded ? 'unfolded' : 'right'),
        t.value.withoutRoom(waiting.length),
      ),
    ),
    isUnfolded
      ? waiting.map((bar) => drawBar(bar, current))
      : [...arriving].map(([from, { length }]) =>
          el.div(
            { key: from, role: 'gridcell', style: { gridColumn: `${from + 2}` } },
            el.button(
              {
                type: 'button',
                class: 'fold warning',
                'aria-label': `${dateText(plusDays(start, from))}: ${t.value.withoutRoom(length)}`,
                onClick: () => unfold(true),
              },
              icon('door'),
              String(length),
            ),
          ),
        ),
  )
}

function drawRow(row: RackRow, current?: Bar, newCell?: ComponentProps<typeof NewCell> | null): View {
  const { unit, bars, blocks } = row
  const { name, status } = unit.attributes
  return el.div(
    { key: unit.id, id: rowId(row), class: 'rack-row', role: 'row' },
    el.div(
      { class: 'rack-room', role: 'rowheader' },
      el.strong(null, name),
      ' ',
      mark(unitLooks[status], g.value.unitStatus[status]),
    ),
    blocks.map(({ from, to, reason }) =>
      el.div(
        {
          key: `block ${from}`,
          class: 'rack-block error',
          role: 'gridcell',
          style: { gridColumn: `${from + 2} / ${to + 2}` },
        },
        icon('ban'),
        reason === '' || reason === 'OutOfOrder' ? g.value.unitStatus.OutOfOrder : reason,
      ),
    ),
    bars.map((bar) => drawBar(bar, current, isFree(row, bar.to))),
    newCell && h(NewCell, newCell),
  )
}

/** Whether an event is on a row, and on nothing in it. */
const isEmpty = ({ target }: Event) => (target as Element).classList.contains('rack-row')

/** Whether a night of a room is shown and is neither taken nor blocked. */
const isFree = ({ bars, blocks }: RackRow, night: number) =>
  night < nightsShown && ![...bars, ...blocks].some(({ from, to }) => from <= night && night < to)

/** A stay. In one night there is space for the last name only, which goes on into a free night after it. */
function drawBar(bar: Bar, current: Bar | undefined, isNextFree = false): View {
  const { key, stay, guest, from, to, isCutBefore, isCutAfter, state } = bar
  const { startDate, endDate, units, outstanding, currency } = stay.attributes
  const rooms = units.map(({ unitName }) => unitName ?? t.value.noRoom).join(', ')
  const word = g.value.status[state]
  const due =
    outstanding && currency && outstanding > 0 ? g.value.toPay(moneyText(outstanding, currency)) : ''
  const text = [guest, rooms, `${dateText(startDate)} – ${dateText(endDate)}`, word, due]
    .filter(Boolean)
    .join(', ')
  const [tone, picture] = stayLooks[state]
  const nights = to - from
  const isDue = due !== '' && nights > 1
  return el.div(
    { key, role: 'gridcell', class: 'rack-cell', style: { gridColumn: `${from + 2} / ${to + 2}` } },
    el.button(
      {
        type: 'button',
        class: classes(
          'bar',
          tone,
          isCutBefore && 'cut-before',
          isCutAfter && 'cut-after',
          nights === 1 && isNextFree && 'spills',
          isDue && 'due',
        ),
        id: barId(bar),
        tabIndex: bar === current ? 0 : -1,
        draggable: true,
        'aria-label': text,
        title: text,
      },
      icon(picture),
      nights === 1 ? guest.split(',')[0] : guest,
      nights > 2 && el.span({ class: 'quiet' }, word),
      isDue && el.span({ class: 'state warning' }, icon('money')),
    ),
  )
}
