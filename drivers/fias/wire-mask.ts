import { messageMask } from '../../src/devices/driving/message-mask.ts'
import type { WireMask } from '../../src/devices/mask.ts'

/**
 * Fields whose values may be kept: numbers, dates, states, and the serial number that other readers of the card see as
 * well. Whatever else a field holds may be a name, or what is written to a card.
 */
const shown = new Set([
  ...['KC', 'KT', 'RN', 'RO', 'WS', 'G#', 'GA', 'GD', 'DT', 'SI', 'KO', 'K#', '$2', 'AS', 'CT'],
  ...['DA', 'TI', 'V#', 'IF', 'RT', 'RI', 'FL', 'A0'],
])
const bar = 0x7c

/** Hides the values of all fields that are not in the list. A line may have a check byte, or none. */
export function wireMask(): WireMask {
  const hides = (field: string) => field.length >= 2 && !shown.has(field.slice(0, 2))
  return messageMask({ separator: bar, hides, hasCheck: false })
}
