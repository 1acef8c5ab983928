import { messageMask } from '../../src/devices/driving/message-mask.ts'
import type { WireMask } from '../../src/devices/mask.ts'
import { separator, uncheckedLrc } from './framing.ts'

/** Hides the text after a colon in any field, because the password of an operator stands there. */
export function wireMask(): WireMask {
  const hides = (field: string) => field.includes(':')
  return messageMask({ separator, hides, hasCheck: true, unchecked: uncheckedLrc })
}
