import type { CardEncoder } from '../../src/devices/capability.ts'
import type { Placement } from './placement.ts'
import { recordBytes } from './record.ts'

const firstPage = 4

/** Pages 4 to 15 of an Ultralight: all a plain one has for its user, and free to be written by anyone. */
export function placeOnUltralight(encoder: CardEncoder): Placement {
  return {
    guard: 'none',
    cellBytes: 4,
    async read() {
      const bytes = new Uint8Array(recordBytes)
      for (const page of [4, 8, 12]) bytes.set(await encoder.readPages(page), (page - firstPage) * 4)
      return bytes
    },
    writeCell: (index, data) => encoder.writePage(firstPage + index, data),
    async seal() {},
  }
}
