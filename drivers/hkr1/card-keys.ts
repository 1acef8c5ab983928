import { createHmac } from 'node:crypto'
import type { Hkr1Settings } from './settings.ts'

/**
 * Derives `size` bytes from the master, the purpose, the site and the card. They cannot be computed without the master.
 */
export function derived(
  label: string,
  { master, site }: Pick<Hkr1Settings, 'master' | 'site'>,
  uid: Uint8Array,
  size: number,
  more: readonly number[] = [],
): Uint8Array {
  return new Uint8Array(
    createHmac('sha256', master)
      .update(label)
      .update(Uint8Array.of(site >> 8, site & 0xff, uid.length, ...uid, ...more))
      .digest()
      .subarray(0, size),
  )
}
