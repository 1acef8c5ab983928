import { messageMask } from '../../src/devices/driving/message-mask.ts'
import type { WireMask } from '../../src/devices/mask.ts'
import { fieldRow } from './protocol.ts'

const bar = 0x7c

/** Hides the values of all fields except those that the table marks as kept. A line may have a check byte or none. */
export function wireMask(): WireMask {
  const hides = (field: string) => field.length >= 2 && !fieldRow(field.slice(0, 2))?.isKept
  return messageMask({ separator: bar, hides, hasCheck: false })
}
