import { h } from 'preact'
import { el, type View } from '../../lib/controls/el.ts'
import { heads, type Rows } from '../../lib/controls/rows.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Stay } from '../../lib/server/resources.ts'
import { mayCheckIn, type useSelection } from './selection.ts'
import { type RowOptions, StayRow } from './stay-row.ts'
import { t } from './texts.ts'

interface TableOptions {
  stays: readonly Resource<Stay>[]
  rows: Rows
  /** Without marks, the list has no checkboxes. */
  selection: Pick<ReturnType<typeof useSelection>, 'marked' | 'toggle'>
  /** What all rows have in common. */
  row: Pick<RowOptions, 'included' | 'types' | 'conflicts' | 'changes' | 'isArrival' | 'date'>
}

/** A list of Today. Beside a sheet, it has only the columns that say who is where. */
export function stayTable({
  stays,
  rows: { chosen, choose },
  selection: { marked, toggle },
  row,
}: TableOptions): View {
  const {
    selection: mark,
    guest,
    number,
    room,
    type,
    arrives,
    leaves,
    stay,
    notes,
    toPay,
    state,
    action,
  } = t.value
  return el.table(
    { class: 'list' },
    heads([
      ...(marked ? [mark] : []),
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
          selection: marked && {
            isSelected: marked.has(each.id),
            toggle: mayCheckIn(each) ? () => toggle(each.id) : null,
          },
        }),
      ),
    ),
  )
}
