import { join } from 'node:path'
import { systemClock } from '../../host/clock.ts'
import { dataFiles } from '../../host/files/data-files.ts'
import type { Controller } from '../check-in/guest-card.ts'
import type { Client } from '../client.ts'
import { presentCard } from '../door/door.ts'
import { CommandFailed } from '../exit-codes.ts'
import { answerTo, asksForHand, isAttended } from '../hands.ts'
import { lookAt } from './commission-devices.ts'
import { atController, type Steps } from './commission-steps.ts'

const takenWithinMs = 60_000
const lookEveryMs = 300

/**
 * Makes a real key and tries it at its door. The result comes from a simulated door, from `doorOpened`, or from the
 * person at the terminal.
 */
export async function tryDoor(
  ask: Client,
  { run, skip }: Steps,
  controller: Controller,
  unit: string,
  { data, doorOpened }: { data?: string; doorOpened?: 'yes' | 'no' },
): Promise<void> {
  if (data === undefined && doorOpened === undefined && !isAttended())
    return skip('door', 'no terminal to ask: give --door-opened, or --data with simulated devices')
  const { dispenserId } = controller
  const card = await run('key for the door', async () => {
    const before = dispenserId ? (await lookAt(ask, dispenserId)).counters.captured : 0
    if (!dispenserId) await asksForHand('Lay a blank card on the encoder')
    const key = await atController<{ uid: string; validUntil: string }>(ask, controller.id, 'door-card', unit)
    return { found: { ...key, before }, says: `${key.uid}, opens until ${key.validUntil}` }
  })
  if (!card) return skip('door', 'there is no key')
  const isTaken = dispenserId ? await run('gate', () => takenFrom(ask, dispenserId, card.before)) : true
  if (!isTaken) return skip('door', 'the card was not taken')
  await run('door', async () => {
    const opens =
      data === undefined
        ? (doorOpened ?? (await answerTo(`Does the door of ${unit} open with the card? (yes/no) `))) === 'yes'
        : presentCard(unit, { data, card: join(data, dataFiles.pocket, `${card.uid}.json`) })
    if (!opens) throw new CommandFailed('refused', `The door of ${unit} stays shut.`)
    return { found: true, says: `the door of ${unit} opens` }
  })
}

/** Waits until the guest takes the card. Throws CommandFailed `later` when the dispenser captures it, or after 60 s. */
async function takenFrom(ask: Client, dispenserId: string, capturedBefore: number) {
  const until = systemClock.monotonic() + takenWithinMs
  for (;;) {
    const { guestWaiting, counters } = await lookAt(ask, dispenserId)
    if (counters.captured > capturedBefore || systemClock.monotonic() > until)
      throw new CommandFailed('later', 'The card was not taken.')
    if (!guestWaiting) return { found: true, says: 'the card was taken' }
    await systemClock.sleep(lookEveryMs)
  }
}
