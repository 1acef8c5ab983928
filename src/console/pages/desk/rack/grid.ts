import { type ComponentProps, h } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Resource } from '../../lib/api.ts'
import { classes, el, type View } from '../../lib/el.ts'
import { dateText, percentText, plusDays } from '../../lib/format.ts'
import { icon } from '../../lib/icons.ts'
import type { Unit } from '../../lib/resources.ts'
import { openStay } from '../../lib/route.ts'
import { may } from '../../lib/session.ts'
import { type Cell, NewCell } from './new-cell.ts'
import { type Bar, nightsShown, type Rack, type RackRow } from './rack-data.ts'
import { t } from './texts.ts'

interface GridOptions {
  rack: Rack
  /** All bars of the rack. */
  bars: readonly Bar[]
  /** The bar that the Tab key reaches. */
  current: Bar | undefined
  focused: (key: string) => void
  dropped: (bar: Bar, onto: Resource<Unit>) => void
  /** The nights that are chosen for a new booking. */
  cell: Cell | null
  /** The first night that can be booked, counted from the first that is shown; null for a caller who books none. */
  bookable: number | null
  choose: (cell: Cell | null) => void
  book: (cell: Cell) => void
}

/** The least height of a row in pixels, and the height of the rack as a part of the window's, as in the style sheet. */
const rowPx = 40
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
  const shown = isWhole ? rack.rows : rack.rows.slice(0, Math.ceil((heightShare * innerHeight) / rowPx))
  // A row that is the same object as before costs nothing; only the rows of the former and the new current bar differ.
  const drawn = useMemo(() => shown.map((row) => drawRow(row)), [rack, isWhole, t.value])
  const { waiting } = rack
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
    el.div({ class: 'rack-head', role: 'rowgroup' }, head(rack), ...occupancy(rack)),
    freeRooms(rack),
    waiting.length > 0 &&
      el.div(
        { class: 'rack-row waiting', role: 'row' },
        el.div({ class: 'rack-room', role: 'rowheader' }, t.value.withoutRoom(waiting.length)),
        waiting.map((bar) => drawBar(bar, current)),
      ),
    shown.map((row, at) => {
      const own = newCell && newCell.cell.unit.id === row.unit.id ? newCell : null
      return own || (current && row.bars.includes(current)) ? drawRow(row, current, own) : drawn[at]
    }),
  )
}

function head({ start }: Rack): View {
  const days = Array.from({ length: nightsShown }, (_, night) => plusDays(start, night))
  return el.div(
    { class: 'rack-row head', role: 'row' },
    el.div({ class: 'rack-room', role: 'columnheader' }, t.value.room),
    days.map((date) =>
      el.div(
        { key: date, class: classes('rack-day', isWeekend(date) && 'weekend'), role: 'columnheader' },
        dateText(date, { weekday: 'short', day: 'numeric' }),
      ),
    ),
  )
}

/** How many rooms are free in each night, and which part of all rooms is not. */
function occupancy({ freeInAll, rows }: Rack): View[] {
  const row = (name: string, textOf: (free: number) => string) =>
    el.div(
      { class: 'rack-row free', role: 'row' },
      el.div({ class: 'rack-room', role: 'rowheader' }, name),
      freeInAll.map((free, night) =>
        el.div(
          { key: night, role: 'gridcell', class: classes(free === 0 && 'none') },
          free === null ? '–' : textOf(free),
        ),
      ),
    )
  return [
    row(t.value.freeRooms, String),
    row(t.value.occupied, (free) => percentText(rows.length === 0 ? 0 : (rows.length - free) / rows.length)),
  ]
}

function isWeekend(date: string): boolean {
  return [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())
}

function freeRooms({ free }: Rack): View[] {
  return free.map(({ id, type, counts }) =>
    el.div(
      { key: id, class: 'rack-row free', role: 'row' },
      el.div({ class: 'rack-room', role: 'rowheader' }, t.value.freeOf(type)),
      counts.map((count, night) =>
        el.div({ key: night, role: 'gridcell', class: classes(count === 0 && 'none') }, count ?? '–'),
      ),
    ),
  )
}

function drawRow(row: RackRow, current?: Bar, newCell?: ComponentProps<typeof NewCell> | null): View {
  const { unit, type, bars, blocks } = row
  return el.div(
    { key: unit.id, id: rowId(row), class: 'rack-row', role: 'row' },
    el.div(
      { class: 'rack-room', role: 'rowheader' },
      el.strong(null, unit.attributes.name),
      ' ',
      el.span({ class: 'quiet' }, `${type} ${t.value.status[unit.attributes.status]}`),
    ),
    blocks.map(({ from, to, reason }) =>
      el.div(
        {
          key: `block ${from}`,
          class: 'rack-block',
          role: 'gridcell',
          style: { gridColumn: `${from + 2} / ${to + 2}` },
        },
        reason === '' || reason === 'OutOfOrder' ? t.value.blocked : reason,
      ),
    ),
    bars.map((bar) => drawBar(bar, current)),
    newCell && h(NewCell, newCell),
  )
}

/** Whether an event is on a row, and on nothing in it. */
const isEmpty = ({ target }: Event) => (target as Element).classList.contains('rack-row')

function drawBar(bar: Bar, current: Bar | undefined): View {
  const { key, stay, guest, from, to, isCutBefore, isCutAfter, leaving } = bar
  const { status, startDate, endDate, units } = stay.attributes
  const rooms = units.map(({ unitName }) => unitName ?? t.value.noRoom).join(', ')
  const isIn = status === 'InHouse'
  const state = leaving ? t.value.leaving[leaving] : t.value.states[isIn ? 'InHouse' : 'Confirmed']
  const text = `${guest}, ${rooms}, ${dateText(startDate)} – ${dateText(endDate)}, ${state}`
  return el.div(
    { key, role: 'gridcell', class: 'rack-cell', style: { gridColumn: `${from + 2} / ${to + 2}` } },
    el.button(
      {
        type: 'button',
        class: classes(
          'bar',
          isIn && 'in-house',
          leaving === 'overdue' && 'overdue',
          isCutBefore && 'cut-before',
          isCutAfter && 'cut-after',
        ),
        id: barId(bar),
        tabIndex: bar === current ? 0 : -1,
        draggable: true,
        'aria-label': text,
        title: text,
      },
      leaving === 'overdue' && icon('clock'),
      guest,
      isIn && el.span({ class: 'in' }, leaving ? t.value.leaving[leaving] : t.value.in),
    ),
  )
}
