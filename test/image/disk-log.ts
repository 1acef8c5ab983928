import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import type { Chance } from '../long/store/power-loss/disk.ts'

const sector = 512
const flags = { flush: 1, fua: 2, discard: 4 }
/** "hwolfsj": what a log begins with. */
const magic = 0x6a736677736872n

/** A write to a disk, or a flush of it. Numbers are bytes. */
interface Entry {
  /** Where it begins in the log. */
  at: number
  /** Where it was written on the disk, and how much. */
  to: number
  length: number
  flags: number
  /** Where its data are in the log. */
  data: number
}

/** Part of a disk, in bytes. */
export interface Extent {
  start: number
  size: number
}

/**
 * Reads what QEMU's blklogwrites has recorded of a part of a disk, in the format of dm-log-writes: all writes with their data, and all
 * flushes. Throws for another file.
 */
export function diskLog(path: string, { start, size }: Extent) {
  const log = openSync(path, 'r')
  const bytes = (at: number, length: number) => {
    const buffer = Buffer.alloc(length)
    readSync(log, buffer, 0, length, at)
    return buffer
  }
  if (bytes(0, 8).readBigUInt64LE() !== magic) throw new Error(`${path} is no log of writes.`)
  const end = statSync(path).size
  const entries: Entry[] = []
  for (let at = sector; at + 32 <= end; ) {
    const header = bytes(at, 24)
    const [to = 0, count = 0, kind = 0] = [0, 8, 16].map((from) => Number(header.readBigUInt64LE(from)))
    const entry = { at, to: to * sector - start, length: count * sector, flags: kind, data: at + sector }
    const isInside = entry.to >= 0 && entry.to + entry.length <= size
    if (to === 0 && count === 0 && kind === 0) break
    if (isInside || kind & flags.flush) entries.push(entry)
    at = entry.data + (kind & flags.discard ? 0 : entry.length)
  }

  /** Writes an entry, or its first bytes, to a file of the part. */
  function apply(file: number, { to, length, flags: kind, data }: Entry, most = length): void {
    if (to < 0) return
    const written = kind & flags.discard ? Buffer.alloc(most) : bytes(data, most)
    writeSync(file, written, 0, most, to)
  }

  return {
    entries,
    /** Writes the entries from one to another, as a disk has them that has flushed its cache. */
    applyAll(image: string, from: number, to: number): void {
      const file = openSync(image, 'r+')
      for (const entry of entries.slice(from, to)) apply(file, entry)
      closeSync(file)
    },
    /** Writes some of these entries, some of them in part: what is left of those since the last flush when the power fails. */
    applySome(image: string, from: number, to: number, chance: Chance): void {
      const file = openSync(image, 'r+')
      for (const entry of entries.slice(from, to)) {
        const isForced = entry.flags & flags.fua
        const fate = isForced ? 0 : chance()
        if (fate < 0.5) apply(file, entry)
        else if (fate < 0.6) apply(file, entry, Math.floor(chance() * (entry.length / sector + 1)) * sector)
      }
      closeSync(file)
    },
    /** The number of entries up to the last flush among the first `count`. */
    flushedOf: (count: number): number =>
      entries.findLastIndex(({ flags: kind }, index) => index < count && kind & flags.flush) + 1,
  }
}
