import { exclusiveOr } from '../../devices/driving/exclusive-or.ts'
import { isEqual, type Silicon, sealedAgainstAll } from './simulated-silicon.ts'

const ultralightPages = 16

/** The silicon of a plain MIFARE Ultralight: 16 pages, no password, no version command. */
export const ultralightSilicon: Silicon = {
  sizes: [ultralightPages * 4],
  serial: pageSerial,
  fresh: (uid) => freshPages(uid, ultralightPages * 4),
  behaviour: (memory) => pages(memory, null),
}

/** The offsets of the configuration of an NTAG chip, by its bytes of memory. */
interface NtagChip {
  /** The page of CFG0; CFG1, PWD and PACK follow it, and the dynamic lock bits stand before it. */
  config: number
  /** The byte of GetVersion that encodes the size. */
  size: number
  /** The capability container's size, and what the first user pages hold when the chip is new. */
  container: number
  delivered: readonly number[]
}

const ntagChips: Record<number, NtagChip> = {
  180: { config: 0x29, size: 0x0f, container: 0x12, delivered: [1, 3, 0xa0, 0x0c, 0x34, 3, 0, 0xfe] },
  540: { config: 0x83, size: 0x11, container: 0x3e, delivered: [3, 0, 0xfe, 0] },
  924: { config: 0xe3, size: 0x13, container: 0x6d, delivered: [3, 0, 0xfe, 0] },
}

/**
 * The silicon of NTAG213, 215 and 216, distinguished by their memory size. After as many wrong passwords in a row as
 * AUTHLIM permits, it accepts none any more; the image of a card does not keep their number.
 */
export const ntagSilicon: Silicon = {
  sizes: Object.keys(ntagChips).map(Number),
  serial: pageSerial,
  fresh(uid, bytes = 180) {
    const { config, container, delivered } = ntagChips[bytes]!
    const memory = freshPages(uid, bytes)
    memory.set([0xe1, 0x10, container, 0, ...delivered], 3 * 4)
    memory.set([4, 0, 0, 0xff, 0, 5, 0, 0, 0xff, 0xff, 0xff, 0xff], config * 4)
    return memory
  },
  behaviour: (memory) => pages(memory, ntagChips[memory.length]!),
}

/** The beginning of such a card: pages 0 and 1 and the first byte of page 2, with two check bytes. */
function pageSerial(uid: Uint8Array): Uint8Array {
  if (uid.length !== 7) throw new RangeError('the serial number of an Ultralight or NTAG has 7 bytes')
  const [first, second] = [uid.subarray(0, 3), uid.subarray(3)]
  return Uint8Array.of(...first, 0x88 ^ exclusiveOr(first), ...second, exclusiveOr(second))
}

function freshPages(uid: Uint8Array, bytes: number): Uint8Array {
  const memory = new Uint8Array(bytes)
  memory.set(pageSerial(uid))
  memory[9] = 0x48
  return memory
}

function pages(memory: Uint8Array, chip: NtagChip | null): ReturnType<Silicon['behaviour']> {
  const count = memory.length / 4
  const exists = (page: number) => Number.isInteger(page) && page >= 0 && page < count
  /** Bit n locks page n; the lowest three bits freeze other lock bits instead. */
  const locks = () => memory[10]! | (memory[11]! << 8)
  const guarded = chip ? guard(memory, chip.config) : unguarded

  return {
    ...sealedAgainstAll,
    readPages(page, unlocked = false) {
      const end = unlocked ? count : guarded.readableEnd(count)
      if (!exists(page) || page >= end) return null
      const shown = guarded.asSeen(memory)
      return Uint8Array.from({ length: 16 }, (_, index) => shown[(page * 4 + index) % (end * 4)]!)
    },
    writePage(page, data, unlocked = false) {
      if (!exists(page) || page < 2 || data.length !== 4) return false
      if (!unlocked && page >= guarded.writableEnd(count)) return false
      if (page === 2) {
        const now = locks() | ((data[2]! | (data[3]! << 8)) & ~frozenLocks(locks()))
        memory.set([now & 0xff, now >> 8], 10)
        return true
      }
      if (page < 16 && (locks() >> page) & 1) return false
      if (guarded.isFrozen(page)) return false
      memory.set(
        guarded.isOneTime(page) ? data.map((byte, at) => byte | memory[page * 4 + at]!) : data,
        page * 4,
      )
      return true
    },
    version: () => chip && Uint8Array.of(0, 4, 4, 2, 1, 0, chip.size, 3),
    unlock: (password) => guarded.acknowledge(password),
  }
}

/** The lock bits that can no longer be set: that of page 3, those of pages 4 to 9, those of pages 10 to 15. */
function frozenLocks(locks: number): number {
  return (locks & 1 ? 0x0008 : 0) | (locks & 2 ? 0x03f0 : 0) | (locks & 4 ? 0xfc00 : 0)
}

/** The protection by CFG0, CFG1, PWD and PACK against a reader that has not sent the password. */
function guard(memory: Uint8Array, config: number) {
  const first = () => memory[config * 4 + 3]!
  const access = () => memory[config * 4 + 4]!
  const password = () => memory.subarray(config * 4 + 8, config * 4 + 12)
  const limit = () => access() & 0x07
  let wrong = 0
  return {
    /** The first page that cannot be written, or read, without the password. */
    writableEnd: (count: number): number => Math.min(count, first()),
    readableEnd: (count: number): number => (access() & 0x80 ? Math.min(count, first()) : count),
    isFrozen: (page: number): boolean => page >= config && page < config + 2 && (access() & 0x40) !== 0,
    /** Whether the bits of the page only change from 0 to 1. */
    isOneTime: (page: number): boolean => page === 3 || page === config - 1,
    asSeen: (bytes: Uint8Array): Uint8Array => bytes.slice().fill(0, config * 4 + 8, config * 4 + 14),
    acknowledge(candidate: Uint8Array): Uint8Array | null {
      if (limit() > 0 && wrong >= limit()) return null
      const isRight = isEqual(candidate, password())
      wrong = isRight ? 0 : wrong + 1
      return isRight ? memory.slice(config * 4 + 12, config * 4 + 14) : null
    },
  }
}

/** The guard of a chip without a password. */
const unguarded: ReturnType<typeof guard> = {
  writableEnd: (count) => count,
  readableEnd: (count) => count,
  isFrozen: () => false,
  isOneTime: (page) => page === 3,
  asSeen: (memory) => memory,
  acknowledge: () => null,
}
