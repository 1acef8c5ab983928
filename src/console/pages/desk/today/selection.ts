import { useState } from 'preact/hooks'
import { useShortcuts } from '../../lib/controls/keys.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Stay } from '../../lib/server/resources.ts'
import { may, today } from '../../lib/server/session.ts'
import { t } from './texts.ts'

/** Whether the guests of a stay can be checked in today. */
export function mayCheckIn({ attributes: { status, startDate } }: Resource<Stay>): boolean {
  return status === 'Confirmed' && startDate <= today.value
}

/** The arrivals that a clerk selects, to act on them together. `chosen` is the one that the arrow keys have chosen. */
export function useSelection(isArrivals: boolean, stays: Resource<Stay>[], chosen: Resource<Stay> | null) {
  // Null while none was selected, and the rows have no checkboxes.
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const isPossible = isArrivals && may('reservations.write') && stays.some(mayCheckIn)
  const toggle = (id: string) => {
    const next = new Set(selected ?? [])
    if (!next.delete(id)) next.add(id)
    setSelected(next)
  }
  const begin = () => setSelected(selected ?? new Set())
  const select = () => (chosen && mayCheckIn(chosen) ? toggle(chosen.id) : begin())
  useShortcuts(isPossible ? [{ key: 'x', name: t.value.selectGuest, run: select }] : [], [
    isPossible,
    chosen,
    selected,
  ])
  return {
    marked: isPossible ? selected : null,
    mayBegin: isPossible && selected === null,
    begin,
    toggle,
    clear: () => setSelected(null),
  }
}
