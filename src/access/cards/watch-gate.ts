import { DeviceFault, ifFault } from '../../devices/fault.ts'
import type { Actor } from '../../resource/command.ts'
import type { Machines, Property } from '../access.ts'
import { cardSeen, lookInPath, pauseOf } from '../dispensers/card-seen.ts'
import { failedAt } from '../dispensers/machine-health.ts'
import type { DispenserHandle } from '../handles/device-handle.ts'
import { keysOnCard } from '../keys/life/keys-on-card.ts'
import { cardRun } from '../resources/card-run.ts'
import { type Dispenser, presentSecondsOf } from '../resources/dispenser.ts'
import { key } from '../resources/key.ts'
import { antennaIn } from './antenna.ts'
import { captureCard } from './capture-card.ts'
import { endCard } from './card-commands.ts'

interface CardAtGate {
  /** The issuance that presented it; null for any other card, as one of the staff. */
  runId: string | null
  /** The serial number of a card without an issuance, where it was read. */
  uid?: string | null
  actor?: Actor
}

const gate: Actor = { by: 'gate', requestId: null }

/**
 * Watches a card at the gate until it is taken. When the timeout of the dispenser passes, or the card's keys are no
 * longer live, the card is captured or held inside as configured. When the machine fails, the watch ends, and the next
 * start of the machine recovers the card. `handle.guest` is set while the watch runs. Resolves when the watch ends;
 * never rejects.
 */
export async function watchGate(
  access: Machines,
  handle: DispenserHandle,
  row: Dispenser,
  card: CardAtGate,
): Promise<void> {
  const { clock, bay } = handle
  const guest = guestOf(handle, row, card.runId)
  handle.guest = guest
  try {
    const keyIds = keysOf(access, card)
    await bay.ready(60_000)
    for (;;) {
      const seen = await cardSeen(handle)
      // Another watch has taken over.
      if (handle.guest !== guest) return
      if (seen === 'none') return await taken(access, card)
      const isOver = clock.monotonic() >= guest.until || isEnded(access, keyIds)
      if (seen !== 'unseen' && isOver) return await recall(access, handle, row, card)
      await clock.sleep(pauseOf(row.device), { ref: false })
    }
  } catch (error) {
    if (!(error instanceof DeviceFault)) access.failed(error)
    if (handle.guest !== guest) return
    await failedAt(access, handle, error)
    // The issuance is open and not watched now: the next start of the machine recovers it.
    if (bay.state() === 'online') bay.reset()
  } finally {
    if (handle.guest === guest) handle.guest = null
  }
}

/** The guest for the card at the gate. A second watch of the same card keeps the first deadline. */
function guestOf({ clock, guest }: DispenserHandle, row: Dispenser, runId: string | null) {
  if (guest?.runId === runId) return { ...guest }
  const timeout = presentSecondsOf(row) * 1_000
  const since = clock.now()
  return { runId, since, deadline: since + timeout, until: clock.monotonic() + timeout }
}

/** The keys of the card: that of its issuance, or those that are live on it. */
function keysOf(access: Property, { runId, uid = null }: CardAtGate): string[] {
  if (runId !== null) return [access.reader.row(cardRun, runId)!.keyId]
  return uid === null ? [] : keysOnCard(access, uid, 'live').map(({ id }) => id)
}

/** Whether no key of the card is live. */
function isEnded({ reader }: Property, keyIds: string[]): boolean {
  return keyIds.length > 0 && keyIds.every((id) => reader.row(key, id)?.status !== 'live')
}

async function taken({ writer }: Property, { runId, actor = gate }: CardAtGate): Promise<void> {
  if (runId === null) return
  const input = { runId, ending: 'taken', event: null, reason: null, restore: false } as const
  await writer.execute(endCard, input, { actor })
}

/**
 * Captures the card. If the guest takes it first, stores that it was taken: the machine says that no card is there to
 * be moved, or another card is inside.
 */
async function recall(
  access: Machines,
  handle: DispenserHandle,
  { onTimeout }: Dispenser,
  card: CardAtGate,
): Promise<void> {
  const { runId, uid: seenUid = null, actor = gate } = card
  const isTaken = await handle.bay.use(async (machine) => {
    const found = await lookInPath(handle, machine)
    if (found === 'none') return true
    const uid = runId === null ? null : (access.reader.row(cardRun, runId)!.uid ?? null)
    const captured = captureCard(access.writer, {
      handle,
      machine,
      card: found,
      ...(runId !== null && { issued: { runId, uid, isTouched: true, wasVerified: true } }),
      antenna: antennaIn(access, handle.id),
      seenUid,
      to: onTimeout ?? 'capture',
      ending: 'left',
      reason: 'left at the gate',
      actor,
    })
    return captured.then(({ isOther }) => isOther, ifFault('no-card', true))
  })
  if (isTaken) await taken(access, card)
}
