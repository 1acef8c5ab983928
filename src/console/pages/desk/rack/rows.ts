import { type ComponentProps, h } from 'preact'
import { classes, el, type View } from '../../lib/controls/el.ts'
import { icon } from '../../lib/controls/icons.ts'
import { dateText, moneyText, percentText, plusDays } from '../../lib/language/format.ts'
import { today } from '../../lib/server/session.ts'
import { mark, stayLooks, unitLooks, unitStateText } from '../stay/states.ts'
import { g } from '../stay/texts.ts'
import { NewCell } from './new-cell.ts'
import { type Bar, codeOf, nightsShown, type Rack, type RackGroup, type RackRow } from './rack-data.ts'
import { t } from './texts.ts'

/** The element id of a bar. */
export const barId = ({ key }: Bar) => `bar-${key}`
/** The element id of a room's row. */
export const rowId = ({ unit }: RackRow) => `room-${unit.id}`

/** What the row of the stays without a room shows. */
export interface WaitingOptions {
  rack: Rack
  /** The bar that the Tab key reaches. */
  current: Bar | undefined
  /** Whether the stays without a room are listed. */
  isUnfolded: boolean
  unfold: (isUnfolded: boolean) => void
}

/** Draws something for each night that is shown. */
export const days = ({ start }: Rack, draw: (date: string) => View) =>
  Array.from({ length: nightsShown }, (_, night) => draw(plusDays(start, night)))

/** The class of a day, which says whether it is today or on a weekend. */
export function dayClass(part: string, date: string): string {
  const isWeekend = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())
  return classes(part, isWeekend && 'weekend', date === today.value && 'today')
}

/** The row with the days. */
export function head(rack: Rack): View {
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
  textOf: (count: number, night: number) => string,
): View {
  return el.div(
    { class: classes('rack-row', kind), role: 'row' },
    el.div({ class: 'rack-room', role: 'rowheader' }, name),
    counts.map((count, night) =>
      el.div(
        { key: night, role: 'gridcell', class: classes(count === 0 && 'none') },
        count === null ? '–' : textOf(count, night),
      ),
    ),
  )
}

/** How many rooms are free in each night, and which part of the rooms that can be given is not. */
export function occupancy({ freeInAll, rows }: Rack): View[] {
  return [
    nightsRow('free', t.value.freeRooms, freeInAll, (free) => String(free)),
    nightsRow('free', t.value.occupied, freeInAll, (free, night) => {
      // The box does not count a room that is blocked as a free one: it is not an occupied one either.
      const inOrder = rows.filter(({ blocks }) => !blocks.some((each) => isOn(each, night))).length
      return percentText(inOrder === 0 ? 0 : Math.max(0, inOrder - free) / inOrder)
    }),
  ]
}

/** A type of rooms: its name, the number of its rooms, and how many of them are free in each night. */
export function typeRow({ type, rows, free }: RackGroup): View {
  const { name } = type.attributes
  const title = el.span(
    null,
    el.strong(null, name),
    ` ${name === codeOf(type) ? '' : codeOf(type)} (${rows.length})`,
  )
  return nightsRow('type', title, free, t.value.free)
}

/** The stays without a room: folded, their number on each day of arrival. */
export function waitingRow({
  rack: { waiting, start },
  current,
  isUnfolded,
  unfold,
}: WaitingOptions): View | null {
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

/** The row of a room: its name and state, what blocks it, its stays, and the booking that is begun in it. */
export function drawRow(row: RackRow, current?: Bar, newCell?: ComponentProps<typeof NewCell> | null): View {
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
    blocks.map(({ from, to, reason, isStatus }) =>
      el.div(
        {
          key: `block ${from} ${isStatus}`,
          class: 'rack-block error',
          role: 'gridcell',
          style: { gridColumn: `${from + 2} / ${to + 2}` },
        },
        icon('ban'),
        isStatus ? unitStateText(unit.attributes) : reason || g.value.unitStatus.OutOfOrder,
      ),
    ),
    bars.map((bar) => drawBar(bar, current, isFree(row, bar.to))),
    newCell && h(NewCell, newCell),
  )
}

/** Whether a night of a room is shown and is neither taken nor blocked. */
const isFree = ({ bars, blocks }: RackRow, night: number) =>
  night < nightsShown && ![...bars, ...blocks].some((each) => isOn(each, night))

const isOn = ({ from, to }: { from: number; to: number }, night: number) => from <= night && night < to

/** A stay. In one night there is space for the last name only, which goes on into a free night after it. */
function drawBar(bar: Bar, current: Bar | undefined, isNextFree = false): View {
  const { key, stay, guest, from, to, isCutBefore, isCutAfter, state } = bar
  const { startDate, endDate, units, outstanding, currency } = stay.attributes
  const rooms = units.map(({ unitName }) => unitName ?? t.value.noRoom).join(', ')
  const word = g.value.status[state]
  const due =
    outstanding && currency && outstanding > 0 ? g.value.toPay(moneyText(outstanding, currency)) : ''
  // It begins with what is seen, so that a person can speak it to the computer.
  const text = [guest, word, rooms, `${dateText(startDate)} – ${dateText(endDate)}`, due]
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
      // Without the space, the words are one to a program that compares them with the name.
      nights > 2 && [' ', el.span({ key: 'word', class: 'quiet' }, word)],
      isDue && el.span({ class: 'state warning' }, icon('money')),
    ),
  )
}
