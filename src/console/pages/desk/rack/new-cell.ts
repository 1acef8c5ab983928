import { useEffect } from 'preact/hooks'
import { el, type View } from '../../lib/controls/el.ts'
import { useShortcuts } from '../../lib/controls/keys.ts'
import { dateText, plusDays } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Unit } from '../../lib/server/resources.ts'
import { nightsShown } from './rack-data.ts'
import { t } from './texts.ts'

/** Nights of a room that a person chooses on the rack, to book them. */
export interface Cell {
  unit: Resource<Unit>
  /** The first night, counted from the first that is shown. */
  from: number
  nights: number
}

interface NewCellOptions {
  cell: Cell
  /** The first night that the rack shows. */
  start: string
  /** The first night that can be booked, counted from `start`. */
  first: number
  units: readonly Resource<Unit>[]
  /** Whether the cell takes the focus: it does unless a pointer draws it. */
  isFocused: boolean
  change: (cell: Cell | null) => void
  book: (cell: Cell) => void
}

/** The chosen nights in the row of their room: arrow keys move them, + and - change their number, Enter books them. */
export function NewCell({ cell, start, first, units, isFocused, change, book }: NewCellOptions): View {
  const { unit, from, nights } = cell
  const id = 'rack-new'
  useEffect(() => {
    if (isFocused) document.getElementById(id)?.focus()
  }, [unit.id, from, isFocused])
  const move = (by: number) => {
    const to = from + by
    if (to >= first && to + nights <= nightsShown) change({ ...cell, from: to })
  }
  const moveRoom = (by: number) => {
    const other = units[units.findIndex((each) => each.id === unit.id) + by]
    if (other) change({ ...cell, unit: other })
  }
  const lengthen = (by: number) => {
    const to = nights + by
    if (to >= 1 && from + to <= nightsShown) change({ ...cell, nights: to })
  }
  useShortcuts(
    [
      { key: 'ArrowLeft', name: t.value.earlier, run: () => move(-1) },
      { key: 'ArrowRight', name: t.value.later, run: () => move(1) },
      { key: 'ArrowUp', name: t.value.roomAbove, run: () => moveRoom(-1) },
      { key: 'ArrowDown', name: t.value.roomBelow, run: () => moveRoom(1) },
      { key: '+', name: t.value.nightMore, run: () => lengthen(1) },
      { key: '-', name: t.value.nightLess, run: () => lengthen(-1) },
      { key: 'Escape', name: t.value.close, run: () => change(null) },
    ],
    [cell, units],
  )
  const day = dateText(plusDays(start, from), { weekday: 'short', day: 'numeric', month: 'short' })
  return el.div(
    {
      role: 'gridcell',
      class: 'rack-cell',
      style: { gridColumn: `${from + 2} / ${from + nights + 2}` },
    },
    el.button(
      { type: 'button', id, class: 'bar new', onClick: () => book(cell) },
      t.value.cell(unit.attributes.name, day, nights),
    ),
  )
}
