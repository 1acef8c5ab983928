import { setTimeout as pause } from 'node:timers/promises'
import { DeviceFault } from '../devices/fault.ts'
import type { Actor, Door } from '../resource/change.ts'
import type { DispenserHandle } from './handles.ts'
import { endCard } from './key-changes.ts'
import type { Dispenser } from './resources/dispenser.ts'

const lookEveryMs = 400

/**
 * Looks until the guest has taken the card from the gate. A card that nobody takes in time is captured and its key
 * blocked, or held at the gate, as the dispenser is told. A machine that is away is waited for: its start settles the
 * card. Resolves when the card's way has ended; never rejects.
 */
export async function awaitTaken(
  door: Door,
  handle: DispenserHandle,
  { presentTimeoutSeconds, onTimeout, device }: Dispenser,
  card: { runId: string; keyId: string },
  options: { now: () => number; actor: Actor; failed: (error: unknown) => void },
): Promise<void> {
  const { actor, now, failed } = options
  const since = now()
  const deadline = since + (presentTimeoutSeconds ?? 30) * 1000
  handle.guest = { runId: card.runId, since, deadline }
  const lookEvery = lookEveryMs * Math.min(1, device.patience ?? 1)
  let left = false
  try {
    for (;;) {
      const { card: at } = await handle.bay.use((machine) => machine.status())
      if (at === 'none') {
        return void (await door.write(
          endCard,
          { runId: card.runId, ending: 'taken', status: null, reason: null, restore: false },
          { actor },
        ))
      }
      if (now() >= deadline && !left) {
        if (onTimeout !== 'hold') return await captureLeft(door, handle, card.runId, actor)
        left = true
      }
      await pause(lookEvery, undefined, { ref: false })
    }
  } catch (error) {
    // The machine went away with the card at its gate: its next start finds the open way and settles it.
    if (error instanceof DeviceFault) handle.bay.reset()
    else failed(error)
  } finally {
    handle.guest = null
    handle.activity = null
  }
}

async function captureLeft(door: Door, handle: DispenserHandle, runId: string, actor: Actor): Promise<void> {
  handle.activity = 'capturing'
  const ending = await handle.bay.use(async (machine) => {
    const { card } = await machine.status()
    if (card === 'none') return 'taken' as const
    const after = await machine.move('capture')
    return after.card === 'none' ? ('left' as const) : null
  })
  if (ending === null)
    throw new DeviceFault('dispenser-jam', 'The card could not be taken back from the gate.')
  const status = ending === 'left' ? ('blocked' as const) : null
  await door.write(
    endCard,
    {
      runId,
      ending,
      status,
      reason: ending === 'left' ? 'left at the gate' : null,
      restore: status !== null,
    },
    { actor },
  )
}
