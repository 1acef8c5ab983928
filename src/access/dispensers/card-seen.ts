import type { CardDispenser, CardPosition, DispenserStatus } from '../../devices/capability.ts'
import { ifFault } from '../../devices/fault.ts'
import type { DispenserHandle } from '../handles/device-handle.ts'
import type { Dispenser } from '../resources/dispenser.ts'

const lookEveryMs = 400

/** The pause between two status requests to a machine, in milliseconds: 400, or less where `patience` is below 1. */
export function pauseOf({ patience }: Dispenser['device']): number {
  return lookEveryMs * Math.min(1, patience ?? 1)
}

/** Where the card is; `unseen` while other jobs use the machine. Rejects with any other DeviceFault. */
export function cardSeen(handle: DispenserHandle): Promise<CardPosition | 'unseen'> {
  return handle.bay.use((machine) => lookInPath(handle, machine)).catch(ifFault('encoder-busy', 'unseen'))
}

/** Requests the status of a machine that the caller uses, and stores it. Resolves with the position of the card. */
export async function lookInPath(handle: DispenserHandle, machine: CardDispenser): Promise<CardPosition> {
  return remember(handle, await machine.status())
}

/** Stores the machine's status in the handle, and returns the position of the card. */
export function remember(handle: DispenserHandle, status: DispenserStatus): CardPosition {
  const { clock } = handle
  handle.seen = { status, at: clock.now(), looked: clock.monotonic() }
  return status.card
}
