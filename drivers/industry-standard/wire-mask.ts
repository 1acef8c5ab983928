import { messageMask } from '../../src/devices/driving/message-mask.ts'
import type { WireMask } from '../../src/devices/mask.ts'
import { separator, uncheckedLrc } from './framing.ts'

/** Hides what stands behind a colon in any field, which is where the password of an operator is. */
export function wireMask(): WireMask {
  const hides = (field: string) => field.includes(':')
  return messageMask({ separator, hides, hasCheck: true, unchecked: uncheckedLrc })
}
