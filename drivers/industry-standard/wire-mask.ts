import { type FieldPlace, messageMask } from '../../src/devices/driving/message-mask.ts'
import type { WireMask } from '../../src/devices/mask.ts'
import { separator, uncheckedLrc } from './framing.ts'

/** The field of an answer with the serial number of the card, by the letters of the command; see protocol.ts. */
const uidAt: Readonly<Record<string, number>> = { CN: 2, CC: 2, CA: 2, LT: 12 }

/**
 * Hides the text after a colon in any field, because the password of an operator stands there, and the serial number of
 * a card in an answer.
 */
export function wireMask(): WireMask {
  const hides = (field: string, { name, index, direction }: FieldPlace) =>
    field.includes(':') || (direction === 'in' && uidAt[name.slice(0, 2)] === index)
  return messageMask({ separator, hides, hasCheck: true, unchecked: uncheckedLrc })
}
