import type { Caller } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access } from '../access.ts'
import { faultBehind } from '../controllers/device-problem.ts'
import { controllerIn } from '../lookups.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { atEncoder } from './at-encoder.ts'
import { uidText } from './card-in-field.ts'
import { keysOnCard } from './keys-on-card.ts'

/**
 * Reads the card in the path and expects a live key on it; only such a card may be presented. Resolves with its serial
 * number, null where it cannot be read. Throws key-not-live, unless the caller may service the machine.
 */
export async function expectLive(access: Access, row: Dispenser, caller: Caller): Promise<string | null> {
  const services = caller.may('dispensers.service')
  const uid = await uidInPath(access, row).catch((error) => {
    if (services && faultBehind(error)) return null
    throw error
  })
  if (services || (uid !== null && keysOnCard(access, uid, 'live').length > 0)) return uid
  throw new Problem('key-not-live', 'The card in the path holds no live key.', {
    meta: { scope: 'dispensers.service' },
  })
}

/** The serial number of the card at the encoder; null without one, or without an encoder. */
async function uidInPath(access: Access, { id }: Dispenser): Promise<string | null> {
  const controller = controllerIn(access, id)
  if (!controller) return null
  const found = await atEncoder(access, controller, async ({ encoder }) => {
    const card = await encoder.find()
    await encoder.off()
    return card
  })
  return found && uidText(found)
}
