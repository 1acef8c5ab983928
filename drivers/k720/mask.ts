import { all, first } from '../../src/devices/driving/kept-bytes.ts'
import type { WireMask } from '../../src/devices/mask.ts'
import { controls, withPayloads } from './framing.ts'
import { commandNamed } from './protocol.ts'

const tripleLength = 3

/**
 * The mask of a machine's line. Commands of the table and their answers are kept whole. Other commands are those of its
 * card reader: only the first two bytes are kept, and of their answers too.
 */
export function mask(): WireMask {
  let keep = all

  return (direction, bytes) =>
    withPayloads(bytes, ({ at, payload }) => {
      const isFrame = at === 0 || controls.includes(bytes[at - tripleLength] ?? -1)
      if (direction === 'out' && isFrame) keep = commandNamed(payload) === null ? first(2) : all
      return keep(payload)
    })
}
