import type { CardDispenser, CardPosition, DispenserStatus } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import type { Dispenser } from '../resources/dispenser.ts'

const lookEveryMs = 400

/** How long to wait between two looks at a machine. */
export function pauseOf({ patience }: Dispenser['device']): number {
  return lookEveryMs * Math.min(1, patience ?? 1)
}

/** Where the card is; `unseen` while others keep the machine busy. */
export async function cardSeen(handle: DispenserHandle): Promise<CardPosition | 'unseen'> {
  try {
    return await handle.bay.use((machine) => lookInPath(handle, machine))
  } catch (error) {
    if (error instanceof DeviceFault && error.code === 'encoder-busy') return 'unseen'
    throw error
  }
}

/** Asks a machine in use where the card is, and remembers what it said. */
export async function lookInPath(handle: DispenserHandle, machine: CardDispenser): Promise<CardPosition> {
  return remember(handle, await machine.status())
}

/** What the machine has just said of itself. Gives where the card is. */
export function remember(handle: DispenserHandle, status: DispenserStatus): CardPosition {
  const { clock } = handle
  handle.seen = { status, at: clock.now(), looked: clock.monotonic() }
  return status.card
}
