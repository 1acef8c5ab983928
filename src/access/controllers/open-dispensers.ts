import type { Dispenser } from '../resources/dispenser.ts'
import type { DispenserHandle } from './device-handle.ts'

/** The dispensers that are open, each under the address it was opened with; a changed one is opened anew. */
interface OpenDispensers {
  open(row: Dispenser): DispenserHandle
  /** One that is open, without opening it. */
  at(id: string): DispenserHandle | null
  all(): DispenserHandle[]
  /** Drops the handle of a dispenser, and gives it; the next use connects anew. Null when there was none. */
  drop(id: string): DispenserHandle | null
  close(): Promise<unknown>
}

/** `open` opens one; it connects once `left` has resolved, for the line of a dropped handle is free only when it is closed. */
export function openDispensers(
  open: (row: Dispenser, left: () => Promise<void> | undefined) => DispenserHandle,
): OpenDispensers {
  const known = new Map<string, { device: string; handle: DispenserHandle }>()
  /** Those that were dropped and are not closed yet. */
  const leaving = new Map<string, Promise<void>>()

  function leave({ id, bay }: DispenserHandle): void {
    const left = bay.close()
    leaving.set(id, left)
    void left.then(() => leaving.get(id) === left && leaving.delete(id))
  }

  return {
    open(row) {
      const device = JSON.stringify(row.device)
      const before = known.get(row.id)
      if (before?.device === device) return before.handle
      if (before) leave(before.handle)
      const handle = open(row, () => leaving.get(row.id))
      known.set(row.id, { device, handle })
      return handle
    },
    at: (id) => known.get(id)?.handle ?? null,
    all: () => [...known.values()].map(({ handle }) => handle),
    drop(id) {
      const before = known.get(id)
      known.delete(id)
      if (before) leave(before.handle)
      return before?.handle ?? null
    },
    close: () => Promise.all([...known.values()].map(({ handle }) => handle.bay.close())),
  }
}
