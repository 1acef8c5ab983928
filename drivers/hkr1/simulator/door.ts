import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'

/** The memory of a lock, which survives a change of its battery; plain JSON. `until` is in Unix milliseconds. */
export interface DoorMemory {
  sequence: number
  usedOnce: { credential: number; until: number }[]
}

export interface DoorOptions {
  /** The lock's own number; ignored for a common door. */
  lock: number
  site: number
  keys: ReadonlyMap<number, Uint8Array>
  master: Uint8Array
  /** The sector of MIFARE Classic cards. Default: 1. */
  sector?: number
  /** The number of the application on DESFire cards. Default: 484B31. */
  application?: number
  /** The bit, 0 to 31, that opens a common door; null for a room. */
  commonDoor?: number | null
  /** Whether the bolt is thrown from inside at this moment. Default: never. */
  bolted?: () => boolean
  /** Updated in place. Default: the memory of a new lock. */
  memory?: DoorMemory
}

/** All answers of a door, in words for people. */
export const answers = {
  opened: 'the key fits',
  'opened-newer': 'the key fits, and older keys of this door no longer do',
  unreadable: 'the card does not let this door read it',
  'no-key': 'there is no key on the card',
  malformed: 'the key has a form that this door does not know',
  'other-site': 'a key of another house',
  'unknown-signer': 'signed with a key that this door does not have',
  'not-authentic': 'the key is damaged, forged or copied from another card',
  'too-early': 'the window has not begun',
  'too-late': 'the window is over',
  'other-door': 'a key of another door',
  superseded: 'an older key: a newer one was used here',
  'used-up': 'a key for one time, and it was used here before',
  bolted: 'the bolt is thrown from inside',
} as const

export type DoorAnswer = keyof typeof answers

export type Door = ReturnType<typeof door>

const toleranceMs = 5 * 60_000

/**
 * A door lock built from the description of HKR1. It shares no code with the writer of the keys, so a key that opens it
 * is right by two independent implementations.
 */
export function door(options: DoorOptions) {
  const memory = options.memory ?? { sequence: 0, usedOnce: [] }
  return {
    memory,
    /** Presents a card to the door at an instant in Unix milliseconds. A refused card changes nothing. */
    present(card: SimulatedCard, nowMs: number): { opens: boolean; code: DoorAnswer; reason: string } {
      const record = readers[card.technology](card, options)
      const code = record ? decide(record, card.uid, nowMs, options, memory) : 'unreadable'
      return { opens: code === 'opened' || code === 'opened-newer', code, reason: answers[code] }
    },
  }
}

/** How a door reads each kind of card, with only the key knowledge that a door needs. */
const readers: Record<
  SimulatedCard['technology'],
  (card: SimulatedCard, door: DoorOptions) => Buffer | null
> = {
  classic: readSector,
  ultralight: readPages,
  ntag: readPages,
  desfire: readFile,
}

function readPages(card: SimulatedCard): Buffer | null {
  return joined([4, 8, 12].map((page) => card.readPages(page)))
}

function readSector(card: SimulatedCard, door: DoorOptions): Buffer | null {
  const { sector = 1 } = door
  const key = keyFor('HKR1-KEYA', card.uid, door, sector).subarray(0, 6)
  if (!card.login(sector, 'A', key)) return null
  return joined([0, 1, 2].map((block) => card.readBlock(sector * 4 + block, { sector, kind: 'A' })))
}

function readFile({ uid, desfire }: SimulatedCard, door: DoorOptions): Buffer | null {
  const { application = 0x484b31 } = door
  const key = keyFor('HKR1-DF1', uid, door).subarray(0, 16)
  if (!desfire?.authenticate(application, 1, { type: 'AES', bytes: key })) return null
  return joined([desfire.read({ application, key: 1 }, 1, 0, 48, 'enciphered')])
}

function keyFor(label: string, uid: Uint8Array, { master, site }: DoorOptions, ...more: number[]): Buffer {
  return createHmac('sha256', master)
    .update(Buffer.from(label))
    .update(Buffer.from([site >>> 8, site & 255]))
    .update(Buffer.from([uid.length]))
    .update(uid)
    .update(Buffer.from(more))
    .digest()
}

function joined(parts: (Uint8Array | null)[]): Buffer | null {
  const read = parts.filter((part) => part !== null)
  return read.length === parts.length ? Buffer.concat(read) : null
}

/** The rule of the lock. Only a key that opens is stored in the memory. */
function decide(
  record: Buffer,
  uid: Uint8Array,
  nowMs: number,
  options: DoorOptions,
  memory: DoorMemory,
): DoorAnswer {
  const refusal = refusalOfRecord(record, uid, options) ?? refusalOfTime(record, nowMs)
  if (refusal) return refusal

  const common = options.commonDoor ?? null
  const sequence = record.readUInt32BE(8)
  if (common === null) {
    if (record.readUInt32BE(20) !== options.lock) return 'other-door'
    if (sequence < memory.sequence) return 'superseded'
    const overridesBolt = (record.readUInt8(3) & 0b0100) !== 0
    if (options.bolted?.() && !overridesBolt) return 'bolted'
  } else if (((record.readUInt32BE(24) >>> common) & 1) === 0) return 'other-door'

  if ((record.readUInt8(3) & 0b0010) !== 0 && !useOnce(record, nowMs, memory)) return 'used-up'
  if (common !== null || sequence === memory.sequence) return 'opened'
  memory.sequence = sequence
  return 'opened-newer'
}

/** The defect of the record itself: its form, its site, or its MAC for this card. */
function refusalOfRecord(record: Buffer, uid: Uint8Array, { site, keys }: DoorOptions): DoorAnswer | null {
  if (record.toString('latin1', 0, 2) !== 'HK') return 'no-key'
  if (record.readUInt8(2) !== 1 || record.readUInt8(3) > 0b1111 || record.readUInt8(7) !== 0)
    return 'malformed'
  if (record.readUInt16BE(4) !== site) return 'other-site'
  const key = keys.get(record.readUInt8(6))
  if (!key) return 'unknown-signer'
  const signed = Buffer.concat([Buffer.from('HKR1'), Buffer.from([uid.length]), uid, record.subarray(0, 32)])
  const signature = createHmac('sha256', key).update(signed).digest().subarray(0, 16)
  return timingSafeEqual(signature, record.subarray(32, 48)) ? null : 'not-authentic'
}

/** Both ends belong to the window, and the lock's clock may be wrong by five minutes. */
function refusalOfTime(record: Buffer, nowMs: number): DoorAnswer | null {
  if (nowMs < record.readUInt32BE(12) * 1000 - toleranceMs) return 'too-early'
  return nowMs > record.readUInt32BE(16) * 1000 + toleranceMs ? 'too-late' : null
}

/** False when this key was used here before. The memory keeps a key until the rule of the window would refuse it. */
function useOnce(record: Buffer, nowMs: number, memory: DoorMemory): boolean {
  memory.usedOnce = memory.usedOnce.filter(({ until }) => until >= nowMs)
  const credential = record.readUInt32BE(28)
  if (memory.usedOnce.some((used) => used.credential === credential)) return false
  memory.usedOnce.push({ credential, until: record.readUInt32BE(16) * 1000 + toleranceMs })
  return true
}
