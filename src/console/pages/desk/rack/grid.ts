import { useEffect, useMemo, useState } from 'preact/hooks'
import { el, type View } from '../../lib/controls/el.ts'
import { openStay } from '../../lib/controls/route.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Unit } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { g } from '../stay/texts.ts'
import type { Cell } from './new-cell.ts'
import type { Bar, RackRow } from './rack-data.ts'
import {
  barId,
  dayClass,
  days,
  drawRow,
  head,
  occupancy,
  rowId,
  typeRow,
  type WaitingOptions,
  waitingRow,
} from './rows.ts'
import { t } from './texts.ts'

interface GridOptions extends WaitingOptions {
  /** All bars of the rack. */
  bars: readonly Bar[]
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
const rowPx = 28
const heightShare = 0.75

/**
 * Rooms, nights and stays. The rooms that have space in the window are drawn first, the others after the browser has
 * shown these.
 */
export function Grid(options: GridOptions): View {
  const { rack, bars, current, focused, dropped, cell, bookable, choose, book } = options
  const { isPressed, pointer } = usePointer(options)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => setWhole(true), [])
  // A row that is the same object as before costs nothing; only the rows of the former and the new current bar differ.
  const drawn = useMemo(
    () => new Map(rack.rows.slice(0, isWhole ? Infinity : rowsAtFirst()).map((row) => [row, drawRow(row)])),
    [rack, isWhole, g.value],
  )
  const barAt = (event: Event) => bars.find((each) => barId(each) === idAt(event, '.bar'))
  const roomAt = (event: Event) => rowAt(rack.rows, event)
  const newCell = cell &&
    bookable !== null && {
      cell,
      start: rack.start,
      first: bookable,
      units: rack.rows.map(({ unit }) => unit),
      isFocused: !isPressed,
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
      ...pointer,
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

/** Chooses the nights of a new booking with a pointer, from where it is pressed to where it is released. */
function usePointer({ rack, cell, bookable, choose, book }: GridOptions) {
  // The cell in which a pointer was pressed, until it is released.
  const [pressed, press] = useState<Cell | null>(null)
  /** The empty night of a room under the pointer; null elsewhere, and on nights that are over. */
  const nightAt = (event: PointerEvent, room: RackRow | undefined): number | null => {
    const days = [...document.querySelectorAll('.rack-head .rack-day')]
    const night = days.findIndex((each) => {
      const { left, right } = each.getBoundingClientRect()
      return event.clientX >= left && event.clientX < right
    })
    return room && bookable !== null && night >= bookable ? night : null
  }
  const pointer = {
    onPointerDown: (event: PointerEvent) => {
      const room = event.button === 0 && isEmpty(event) ? rowAt(rack.rows, event) : undefined
      const night = nightAt(event, room)
      if (!room || night === null) return
      // The row keeps no text selection, and no focus.
      event.preventDefault()
      const begun = { unit: room.unit, from: night, nights: 1 }
      press(begun)
      choose(begun)
    },
    onPointerMove: (event: PointerEvent) => {
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
  }
  return { isPressed: pressed !== null, pointer }
}

const idAt = ({ target }: Event, part: string) => (target as Element).closest(part)?.id
const rowAt = (rows: readonly RackRow[], event: Event) =>
  rows.find((each) => rowId(each) === idAt(event, '.rack-row'))

const rowsAtFirst = () => Math.ceil((heightShare * innerHeight) / rowPx)

/** Whether an event is on a row, and on nothing in it. */
const isEmpty = ({ target }: Event) => (target as Element).classList.contains('rack-row')
