import { useEffect, useRef, useState } from 'preact/hooks'
import { useShortcuts } from './keys.ts'

interface Rows {
  /** The id of the chosen row; null for an empty list. */
  chosen: string | null
  choose(id: string): void
}

/**
 * A list in which one row is chosen: `j`, `k` and the arrows move, Enter opens. The chosen row keeps its place when the list
 * changes, and the one at its place follows when it is gone. The keys work while `isActive`.
 */
export function useRows(
  ids: readonly string[],
  names: { next: string; previous: string; open: string },
  open: (id: string) => void,
  isActive = true,
): Rows {
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
    document.getElementById(`row-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const down = { name: names.next, run: () => move(1) }
  const up = { name: names.previous, run: () => move(-1) }
  useShortcuts(
    isActive
      ? [
          { ...down, key: 'j' },
          { ...down, key: 'ArrowDown' },
          { ...up, key: 'k' },
          { ...up, key: 'ArrowUp' },
          { key: 'Enter', name: names.open, run: () => chosen !== null && open(chosen) },
        ]
      : [],
    [ids.join(), index, isActive],
  )
  return { chosen, choose: setWanted }
}
