import type { CardPosition } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Actor, Door } from '../../resource/change.ts'
import { leftCard } from '../dispensers/dispenser-changes.ts'
import type { DispenserHandle } from '../equipment/handles.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { endCard, stepCard } from './card-changes.ts'

export interface GateOptions {
  actor: Actor
  failed(error: unknown): void
  /** The serial number of a card that is on no card's way, where it could be read. */
  uid?: string | null
}

const lookEveryMs = 400

/**
 * Looks until the card at the gate was taken. One that nobody takes in time is captured, or held inside, as the dispenser
 * is told, and its key blocked. `runId` is null for a card that staff sent there, or that was found there. When the
 * machine goes away it ends: the next start settles the card, and watches on. `handle.guest` is set until then. Resolves
 * when there is nothing left to see; never rejects.
 */
export async function awaitTaken(
  door: Door,
  handle: DispenserHandle,
  { presentTimeoutSeconds, onTimeout, device }: Dispenser,
  runId: string | null,
  options: GateOptions,
): Promise<void> {
  const { clock } = handle
  const timeout = (presentTimeoutSeconds ?? 30) * 1000
  const since = clock.now()
  const guest = { runId, since, deadline: since + timeout, until: clock.monotonic() + timeout }
  handle.guest = guest
  try {
    await handle.bay.ready(60_000)
    for (;;) {
      const card = await cardSeen(handle)
      if (card === 'none') return await taken(door, runId, options)
      if (card !== 'unseen' && clock.monotonic() >= guest.until)
        return await takeBack(door, handle, onTimeout ?? 'capture', runId, options)
      await clock.sleep(pauseOf(device), { ref: false })
    }
  } catch (error) {
    if (!(error instanceof DeviceFault)) options.failed(error)
    // The way is open and nobody looks any more: the next start settles it.
    if (handle.bay.state() === 'online') handle.bay.reset()
  } finally {
    if (handle.guest === guest) handle.guest = null
  }
}

/** How long to wait between two looks at a machine. */
export function pauseOf({ patience }: Dispenser['device']): number {
  return lookEveryMs * Math.min(1, patience ?? 1)
}

/** Where the card is; `unseen` while others keep the machine busy. */
export async function cardSeen(handle: DispenserHandle): Promise<CardPosition | 'unseen'> {
  const { bay, clock } = handle
  try {
    const status = await bay.use((machine) => machine.status())
    handle.seen = { status, at: clock.now(), looked: clock.monotonic() }
    return status.card
  } catch (error) {
    if (error instanceof DeviceFault && error.code === 'encoder-busy') return 'unseen'
    throw error
  }
}

async function taken(door: Door, runId: string | null, { actor }: GateOptions): Promise<void> {
  if (runId === null) return
  const input = { runId, ending: 'taken', status: null, reason: null, restore: false } as const
  await door.write(endCard, input, { actor })
}

/** The guest may be quicker even now: then the card was taken after all. */
async function takeBack(
  door: Door,
  handle: DispenserHandle,
  to: 'capture' | 'hold',
  runId: string | null,
  options: GateOptions,
): Promise<void> {
  const { actor, uid = null } = options
  const isLeft = await handle.bay.use(async (machine) => {
    const { card } = await machine.status()
    if (card === 'none') return false
    handle.activity = 'capturing'
    try {
      if (runId !== null) await door.write(stepCard, { runId, step: 'recalled' }, { actor })
      await machine.move(to)
      return true
    } finally {
      handle.activity = null
    }
  })
  if (!isLeft) return taken(door, runId, options)
  if (runId === null) await door.write(leftCard, { dispenserId: handle.id, uid, to }, { actor })
  else
    await door.write(
      endCard,
      { runId, ending: 'left', status: 'blocked', reason: 'left at the gate', restore: true },
      { actor },
    )
}
