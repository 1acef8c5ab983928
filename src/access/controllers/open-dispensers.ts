import type { Dispenser } from '../resources/dispenser.ts'
import type { DispenserHandle } from './device-handle.ts'

/**
 * Returns the open dispensers. One whose address has changed is opened again. `open` opens one; it connects after the
 * promise of `left` has resolved, because the line of a dropped handle is in use until the handle is closed.
 */
export function openDispensers(
  open: (row: Dispenser, left: () => Promise<void> | undefined) => DispenserHandle,
) {
  const known = new Map<string, { device: string; handle: DispenserHandle }>()
  /** Dropped dispensers that are not closed yet. */
  const leaving = new Map<string, Promise<void>>()

  function leave({ id, bay }: DispenserHandle): void {
    const left = bay.close()
    leaving.set(id, left)
    void left.then(() => leaving.get(id) === left && leaving.delete(id))
  }

  return {
    open(row: Dispenser): DispenserHandle {
      const device = JSON.stringify(row.device)
      const before = known.get(row.id)
      if (before?.device === device) return before.handle
      if (before) leave(before.handle)
      const handle = open(row, () => leaving.get(row.id))
      known.set(row.id, { device, handle })
      return handle
    },
    /** The handle of an open dispenser; null where it is not open. */
    at: (id: string): DispenserHandle | null => known.get(id)?.handle ?? null,
    all: (): DispenserHandle[] => [...known.values()].map(({ handle }) => handle),
    /** Drops the handle of a dispenser and returns it; null when there was none. The next use connects again. */
    drop(id: string): DispenserHandle | null {
      const before = known.get(id)
      known.delete(id)
      if (before) leave(before.handle)
      return before?.handle ?? null
    },
    close: (): Promise<unknown> => Promise.all([...known.values()].map(({ handle }) => handle.bay.close())),
  }
}
