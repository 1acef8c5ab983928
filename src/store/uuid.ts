import { randomFillSync } from 'node:crypto'

/**
 * Returns a function that makes UUIDs of version 7. Their order is the order of creation, unless the clock
 * goes back.
 */
export function uuids(): (nowMs: number) => string {
  let last = 0
  let counter = 0
  const bytes = Buffer.alloc(16)
  const fill = eightRandomBytes()
  return (nowMs) => {
    counter = nowMs === last ? counter + 1 : 0
    last = nowMs
    fill(bytes, 8)
    bytes.writeUIntBE(nowMs, 0, 6)
    bytes.writeUInt16BE(0x7000 | (counter & 0xfff), 6)
    bytes[8] = 0x80 | (bytes[8]! & 0x3f)
    return toText(bytes)
  }
}

/**
 * Fills eight bytes with random data from a pool. A system call for each id would cost more than the rest of
 * the id.
 */
function eightRandomBytes(): (into: Buffer, at: number) => void {
  const pool = Buffer.alloc(4096)
  let used = pool.length
  return (into, at) => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    pool.copy(into, at, used, used + 8)
    used += 8
  }
}

/** Returns the 16 bytes of a UUID from its text. */
export function toBlob(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', ''), 'hex')
}

/** Returns the text of an id of 16 bytes. */
export function toText(blob: Buffer): string {
  const hex = blob.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
