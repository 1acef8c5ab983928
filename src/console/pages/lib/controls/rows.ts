import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { classes, el, type View } from './el.ts'
import { useShortcuts } from './keys.ts'

export interface Rows {
  /** The id of the chosen row; null for an empty list. */
  chosen: string | null
  choose(id: string): void
}

/** The names of the shortcuts of a list. */
interface RowTexts {
  next: string
  previous: string
  open: string
}

/**
 * A list with one selected row: `j`, `k` and the arrow keys move the selection and the focus, Enter opens. The selection
 * follows its row when the list changes. If the row disappears, the row at its position is selected.
 */
export function useRows(ids: readonly string[], names: RowTexts, open: (id: string) => void): Rows {
  const [wanted, setWanted] = useState<string | null>(null)
  const lastIndex = useRef(0)
  const found = wanted === null ? -1 : ids.indexOf(wanted)
  const index = found >= 0 ? found : Math.min(lastIndex.current, ids.length - 1)
  const chosen = ids[index] ?? null
  useEffect(() => {
    lastIndex.current = Math.max(0, index)
  })
  const move = (by: number) => {
    const next = ids[Math.max(0, Math.min(ids.length - 1, index + by))]
    if (next === undefined) return
    setWanted(next)
    focusRow(next)
  }
  const down = { name: names.next, run: () => move(1) }
  const up = { name: names.previous, run: () => move(-1) }
  useShortcuts(
    [
      { ...down, key: 'j' },
      { ...down, key: 'ArrowDown' },
      { ...up, key: 'k' },
      { ...up, key: 'ArrowUp' },
      { key: 'Enter', name: names.open, run: () => chosen !== null && open(chosen) },
    ],
    [ids.join(), index],
  )
  return { chosen, choose: setWanted }
}

/** A row that is a case: the selection follows a click and the focus. */
export function caseRow(id: string, { chosen, choose }: Rows, ...children: ComponentChildren[]): View {
  return el.li(
    {
      key: id,
      id: `row-${id}`,
      tabIndex: -1,
      class: classes('case', id === chosen && 'chosen'),
      onClick: () => choose(id),
      onFocusIn: () => choose(id),
    },
    ...children,
  )
}

/** Moves the focus to the link of a row, so that Enter opens this row even if another control had the focus. */
function focusRow(id: string): void {
  const row = document.getElementById(`row-${id}`)
  const to = row?.querySelector<HTMLElement>('a[href]') ?? row
  to?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

/** The head of a list: a cell for each column, which may have the class of its cells. */
export function heads(columns: readonly (string | readonly [name: string, cells: string])[]): View {
  const cells = columns.map((each) => {
    const [name, kind] = typeof each === 'string' ? [each, ''] : each
    return el.th({ key: name, scope: 'col', class: kind }, name)
  })
  return el.thead(null, el.tr(null, cells))
}
