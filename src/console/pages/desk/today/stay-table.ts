import { h } from 'preact'
import type { Resource } from '../../lib/api.ts'
import { el, type View } from '../../lib/el.ts'
import type { Stay } from '../../lib/resources.ts'
import { heads, type Rows } from '../../lib/rows.ts'
import { type RowOptions, StayRow } from './stay-row.ts'
import { t } from './texts.ts'

/** The arrivals that a clerk selects. */
export interface Selecting {
  marked: ReadonlySet<string>
  toggle(id: string): void
  mayCheckIn(stay: Resource<Stay>): boolean
}

interface TableOptions {
  stays: readonly Resource<Stay>[]
  rows: Rows
  /** Null for a list without checkboxes. */
  selecting: Selecting | null
  /** What all rows have in common. */
  row: Pick<RowOptions, 'included' | 'types' | 'conflicts' | 'changes' | 'isArrival' | 'date'>
}

/** A list of Today. Beside a sheet, it has only the columns that say who is where. */
export function stayTable({ stays, rows: { chosen, choose }, selecting, row }: TableOptions): View {
  const { selection, guest, number, room, type, arrives, leaves, stay, notes, toPay, state, action } = t.value
  return el.table(
    { class: 'list' },
    heads([
      ...(selecting ? [selection] : []),
      guest,
      [number, 'wide number'],
      room,
      [type, 'wide'],
      [row.isArrival ? arrives : leaves, 'wide'],
      [stay, 'wide'],
      [notes, 'wide'],
      state,
      [toPay, 'wide sum'],
      [action, 'wide sum'],
    ]),
    el.tbody(
      null,
      stays.map((each) =>
        h(StayRow, {
          key: each.id,
          stay: each,
          ...row,
          isChosen: each.id === chosen,
          choose,
          selection: selecting && {
            isSelected: selecting.marked.has(each.id),
            toggle: selecting.mayCheckIn(each) ? () => selecting.toggle(each.id) : null,
          },
        }),
      ),
    ),
  )
}
