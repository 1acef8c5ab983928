import { h } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Resource } from '../../lib/api.ts'
import { asOfText, button, failure, loadingBar } from '../../lib/controls.ts'
import { classes, el, type View } from '../../lib/el.ts'
import { dateText, plusDays } from '../../lib/format.ts'
import { useShortcuts } from '../../lib/keys.ts'
import { useRead } from '../../lib/read.ts'
import type { Unit } from '../../lib/resources.ts'
import { goTo } from '../../lib/route.ts'
import { may, today } from '../../lib/session.ts'
import { Move } from './move.ts'
import { type Bar, nightsShown, type Rack, type RackRow, readRack } from './rack-data.ts'
import { t } from './texts.ts'

/** What was dropped or chosen to be moved. */
interface Moving {
  bar: Bar
  onto: Resource<Unit> | null
}

/** Rooms and nights: who is where, what is free, and where a stay can go. */
export function RackScreen(): View {
  const [first, setFirst] = useState<string | null>(null)
  const start = first ?? today.value
  const { data, problem, isLoading, asOf, readAgain } = useRead(
    `rack ${start}`,
    (signal) => readRack(start, signal),
    ['stay.', 'unit.', 'availability.'],
  )
  const [moving, setMoving] = useState<Moving | null>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const week = (weeks: number) => setFirst(weeks === 0 ? null : plusDays(start, 7 * weeks))
  const bars = data ? [...data.waiting, ...data.rows.flatMap((row) => row.bars)] : []
  const current = bars.find(({ key }) => key === focused) ?? bars[0]
  useRackKeys({ data, bars, current, grid, week, move: (bar) => setMoving({ bar, onto: null }) })
  const rackGrid = data && drawRack(data, current, setFocused, (bar, onto) => setMoving({ bar, onto }))
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    el.div(
      { class: 'row' },
      button(t.value.weekBefore, { onClick: () => week(-1), icon: 'left', letter: '[' }),
      button(t.value.today, { onClick: () => week(0), icon: 'today', letter: '.' }),
      button(t.value.weekAfter, { onClick: () => week(1), icon: 'right', letter: ']' }),
      current &&
        may('reservations.write') &&
        button(t.value.moveChosen, { onClick: () => setMoving({ bar: current, onto: null }), letter: 'm' }),
    ),
    loadingBar(isLoading),
    problem && failure(problem, readAgain),
    problem && asOfText(asOf),
    data?.rows.length === 0 && el.p(null, t.value.noRooms, ' ', el.a({ href: '/setup' }, t.value.toSetup)),
    data?.isCut && el.p({ class: 'quiet' }, t.value.andMore),
    rackGrid && el.div({ class: 'rack-scroll', ref: grid }, rackGrid),
    moving && h(Move, { ...moving, close: () => setMoving(null), moved: readAgain }),
  )
}

interface Keys {
  data: Rack | undefined
  bars: readonly Bar[]
  current: Bar | undefined
  grid: { current: HTMLDivElement | null }
  week: (weeks: number) => void
  move: (bar: Bar) => void
}

/** Arrows go from stay to stay: left and right in a room, up and down to the nearest stay of another room. */
function useRackKeys({ data, bars, current, grid, week, move }: Keys): void {
  const focus = (bar: Bar | undefined) => {
    if (bar) grid.current?.querySelector<HTMLElement>(`#bar-${bar.key}`)?.focus()
  }
  const rows = data ? [data.waiting, ...data.rows.map((row) => row.bars)] : []
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

function drawRack(
  { start, rows, waiting, free }: Rack,
  current: Bar | undefined,
  focused: (key: string) => void,
  drop: (bar: Bar, onto: Resource<Unit>) => void,
): View {
  const all = [...waiting, ...rows.flatMap((row) => row.bars)]
  const days = Array.from({ length: nightsShown }, (_, night) => plusDays(start, night))
  const draw = (bar: Bar) => drawBar(bar, bar === current, focused)
  const dropped = (event: DragEvent, onto: Resource<Unit>) => {
    const bar = all.find(({ key }) => key === event.dataTransfer?.getData('text/plain'))
    if (!bar || !may('reservations.write')) return
    event.preventDefault()
    drop(bar, onto)
  }
  return el.div(
    { class: 'rack', role: 'grid', 'aria-label': t.value.title },
    el.div(
      { class: 'rack-row head', role: 'row' },
      el.div({ class: 'rack-room', role: 'columnheader' }, t.value.room),
      days.map((date, night) =>
        el.div(
          {
            key: date,
            class: classes('rack-day', isWeekend(date) && 'weekend'),
            role: 'columnheader',
            style: { gridColumn: night + 2 },
          },
          dateText(date, { weekday: 'short', day: 'numeric' }),
        ),
      ),
    ),
    free.map(({ id, type, counts }) =>
      el.div(
        { key: id, class: 'rack-row free', role: 'row' },
        el.div({ class: 'rack-room', role: 'rowheader' }, t.value.freeOf(type)),
        counts.map((count, night) =>
          el.div(
            {
              key: days[night],
              role: 'gridcell',
              class: classes(count === 0 && 'none'),
              style: { gridColumn: night + 2 },
            },
            count ?? '–',
          ),
        ),
      ),
    ),
    waiting.length > 0 &&
      el.div(
        { class: 'rack-row waiting', role: 'row' },
        el.div({ class: 'rack-room', role: 'rowheader' }, t.value.withoutRoom(waiting.length)),
        waiting.map(draw),
      ),
    rows.map((row) => drawRow(row, draw, dropped)),
  )
}

function isWeekend(date: string): boolean {
  return [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())
}

function drawRow(
  { unit, type, bars, blocks }: RackRow,
  draw: (bar: Bar) => View,
  dropped: (event: DragEvent, onto: Resource<Unit>) => void,
): View {
  return el.div(
    {
      key: unit.id,
      class: 'rack-row',
      role: 'row',
      onDragOver: (event) => event.preventDefault(),
      onDrop: (event) => dropped(event, unit),
    },
    el.div(
      { class: 'rack-room', role: 'rowheader' },
      el.strong(null, unit.attributes.name),
      ' ',
      el.span({ class: 'quiet' }, type, ' ', t.value.status[unit.attributes.status]),
    ),
    blocks.map(({ from, to, reason }) =>
      el.div(
        {
          key: `block ${from}`,
          class: 'rack-block',
          role: 'gridcell',
          style: { gridColumn: `${from + 2} / ${to + 2}` },
        },
        reason || t.value.blocked,
      ),
    ),
    bars.map(draw),
  )
}

function drawBar(
  { key, stay, guest, from, to, isCutBefore, isCutAfter }: Bar,
  isCurrent: boolean,
  focused: (key: string) => void,
): View {
  const { status, startDate, endDate, units } = stay.attributes
  return el.div(
    { key, role: 'gridcell', class: 'rack-cell', style: { gridColumn: `${from + 2} / ${to + 2}` } },
    el.button(
      {
        type: 'button',
        class: classes(
          'bar',
          status === 'InHouse' && 'in-house',
          isCutBefore && 'cut-before',
          isCutAfter && 'cut-after',
        ),
        id: `bar-${key}`,
        tabIndex: isCurrent ? 0 : -1,
        draggable: true,
        onFocus: () => focused(key),
        onDragStart: (event) => event.dataTransfer?.setData('text/plain', key),
        onClick: () => goTo('stay', [stay.id]),
        'aria-label': `${guest}, ${units.map(({ unitName }) => unitName ?? t.value.noRoom).join(', ')}, ${dateText(startDate)} – ${dateText(endDate)}, ${t.value.states[status === 'InHouse' ? 'InHouse' : 'Confirmed']}`,
      },
      guest,
      status === 'InHouse' && el.span({ class: 'in' }, t.value.in),
    ),
  )
}
