import { setTimeout as pause } from 'node:timers/promises'
import { DeviceFault } from '../devices/fault.ts'
import type { Actor, Door } from '../resource/change.ts'
import type { DispenserHandle } from './handles.ts'
import { endCard, stepCard } from './key-changes.ts'
import type { Dispenser } from './resources/dispenser.ts'

const lookEveryMs = 400

/**
 * Looks until the guest has taken the card from the gate. A card that nobody takes in time is captured, or held inside,
 * as the dispenser is told, and its key blocked. When the machine goes away it ends: the next start settles the card,
 * and watches on. `handle.guest` is set until then. Resolves when there is nothing left to see; never rejects.
 */
export async function awaitTaken(
  door: Door,
  handle: DispenserHandle,
  { presentTimeoutSeconds, onTimeout, device }: Dispenser,
  runId: string,
  options: { now: () => number; actor: Actor; failed: (error: unknown) => void },
): Promise<void> {
  const { actor, now, failed } = options
  const since = now()
  const guest = { runId, since, deadline: since + (presentTimeoutSeconds ?? 30) * 1000 }
  handle.guest = guest
  const lookEvery = lookEveryMs * Math.min(1, device.patience ?? 1)
  try {
    await handle.bay.ready(60_000)
    for (;;) {
      const card = await cardSeen(handle)
      if (card === 'none') {
        const taken = { runId, ending: 'taken', status: null, reason: null, restore: false } as const
        return void (await door.write(endCard, taken, { actor }))
      }
      if (card !== 'unseen' && now() >= guest.deadline)
        return await takeBack(door, handle, onTimeout ?? 'capture', runId, actor)
      await pause(lookEvery, undefined, { ref: false })
    }
  } catch (error) {
    if (!(error instanceof DeviceFault)) failed(error)
    // The way is open and nobody looks any more: the next start settles it.
    if (handle.bay.state() === 'online') handle.bay.reset()
  } finally {
    if (handle.guest === guest) handle.guest = null
  }
}

/** Where the card is; `unseen` while others keep the machine busy. */
async function cardSeen(handle: DispenserHandle) {
  try {
    return (await handle.bay.use((machine) => machine.status())).card
  } catch (error) {
    if (error instanceof DeviceFault && error.code === 'encoder-busy') return 'unseen' as const
    throw error
  }
}

/** The guest may be quicker even now: then the card was taken after all. */
async function takeBack(
  door: Door,
  handle: DispenserHandle,
  to: 'capture' | 'hold',
  runId: string,
  actor: Actor,
): Promise<void> {
  const ending = await handle.bay.use(async (machine) => {
    const { card } = await machine.status()
    if (card === 'none') return 'taken' as const
    handle.activity = 'capturing'
    try {
      await door.write(stepCard, { runId, step: 'recalled' }, { actor })
      await machine.move(to)
      return 'left' as const
    } finally {
      handle.activity = null
    }
  })
  const left = ending === 'left'
  const input = {
    runId,
    ending,
    status: left ? ('blocked' as const) : null,
    reason: left ? 'left at the gate' : null,
    restore: left,
  }
  await door.write(endCard, input, { actor })
}
