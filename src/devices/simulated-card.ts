import { createHash, randomBytes } from 'node:crypto'
import {
  accessConditions,
  accessOffset,
  blocksPerSector,
  type Conditions,
  dataRights,
  keyBLogsIn,
  sectorTrailer,
  trailerRights,
  transportConditions,
  transportKey,
} from './mifare-classic.ts'

/**
 * A contactless card as it behaves on an antenna: serial number, memory, keys and access bits. It knows no key format
 * and no driver; simulators of readers act on it, and simulated doors look at it.
 */
export interface SimulatedCard {
  readonly uid: Uint8Array
  readonly technology: 'classic' | 'ultralight'
  /** All bytes: 1,024 for a MIFARE Classic 1K, 64 for an Ultralight. */
  readonly memory: Uint8Array
  /** True when the sector's trailer holds this key and its access bits let it log in. */
  login(sector: number, kind: 'A' | 'B', key: Uint8Array): boolean
  /** 16 bytes as the logged-in key may see them; null where the access bits forbid it. */
  readBlock(block: number, login: Login | null): Uint8Array | null
  /** False where the access bits forbid it. */
  writeBlock(block: number, data: Uint8Array, login: Login | null): boolean
  /** 16 bytes, four pages, wrapping at the end. Null on a Classic card. */
  readPages(page: number): Uint8Array | null
  /** OTP and lock bits only ever go from 0 to 1. */
  writePage(page: number, data: Uint8Array): boolean
}

export interface Login {
  sector: number
  kind: 'A' | 'B'
}

/** Where a simulated reader finds cards: what lies in its field at this moment. */
export interface Antenna {
  cards(): readonly SimulatedCard[]
}

/** A card as it is kept in a JSON file; `uid` and `memory` are upper-case hex. */
export interface CardImage {
  technology: SimulatedCard['technology']
  uid: string
  memory: string
}

const classicBytes = 1024
const ultralightPages = 16

/** A factory-new MIFARE Classic 1K with a serial number of 4 or 7 bytes. Throws a RangeError for another length. */
export function classicCard(uid: Uint8Array): SimulatedCard {
  const memory = new Uint8Array(classicBytes)
  const trailer = sectorTrailer(transportKey, transportConditions, transportKey)
  for (let end = 64; end <= classicBytes; end += 64) memory.set(trailer, end - 16)
  memory.set(classicSerial(uid))
  return classic(uid.slice(), memory)
}

/** A factory-new MIFARE Ultralight with a serial number of 7 bytes. Throws a RangeError for another length. */
export function ultralightCard(uid: Uint8Array): SimulatedCard {
  const memory = new Uint8Array(ultralightPages * 4)
  memory.set(ultralightSerial(uid))
  memory[9] = 0x48
  return ultralight(uid.slice(), memory)
}

/** All there is to a card, for a JSON file. */
export function cardImage({ technology, uid, memory }: SimulatedCard): CardImage {
  return { technology, uid: uid.toHex().toUpperCase(), memory: memory.toHex().toUpperCase() }
}

/** The card of an image. Throws a RangeError or SyntaxError when the image is not one of a card we can imitate. */
export function cardFromImage(image: CardImage): SimulatedCard {
  const kind = kinds[image.technology]
  if (!kind) throw new RangeError(`no such card technology: ${image.technology}`)
  const uid = Uint8Array.fromHex(image.uid)
  const memory = Uint8Array.fromHex(image.memory)
  if (memory.length !== kind.bytes) throw new RangeError(`the memory of the card has ${kind.bytes} bytes`)
  const serial = kind.serial(uid)
  if (!equal(serial, memory.subarray(0, serial.length))) {
    throw new RangeError('the memory of the card holds another serial number')
  }
  return kind.card(uid, memory)
}

/**
 * A stack of factory-new cards, no two alike. The same seed text gives the same serial numbers each time, a longer
 * stack beginning like a shorter one; null gives random ones.
 */
export function blankCards(
  count: number,
  seedText: string | null,
  technology: SimulatedCard['technology'],
): SimulatedCard[] {
  const cards = new Map<string, SimulatedCard>()
  for (let turn = 0; cards.size < count; turn++) {
    const noise =
      seedText === null
        ? randomBytes(8)
        : createHash('sha256').update(`${technology} ${seedText} ${turn}`).digest()
    const card =
      technology === 'classic'
        ? classicCard(nonUnique(noise.subarray(0, 4)))
        : ultralightCard(Uint8Array.of(0x04, ...noise.subarray(0, 6)))
    cards.set(card.uid.toHex(), card)
  }
  return [...cards.values()]
}

/** A 4-byte serial number as such cards carry it: its first byte ends in F, so it is never a cascade tag. */
function nonUnique(uid: Uint8Array): Uint8Array {
  return uid.map((byte, index) => (index === 0 ? byte | 0x0f : byte))
}

const kinds: Record<
  string,
  {
    bytes: number
    serial: (uid: Uint8Array) => Uint8Array
    card: (uid: Uint8Array, memory: Uint8Array) => SimulatedCard
  }
> = {
  classic: { bytes: classicBytes, serial: classicSerial, card: classic },
  ultralight: { bytes: ultralightPages * 4, serial: ultralightSerial, card: ultralight },
}

/** How block 0 begins: the serial number, its check byte when it has 4 bytes, then SAK and ATQA. */
function classicSerial(uid: Uint8Array): Uint8Array {
  if (uid.length === 4) return Uint8Array.of(...uid, exclusiveOr(uid), 0x08, 0x04, 0x00)
  if (uid.length === 7) return Uint8Array.of(...uid, 0x08, 0x44, 0x00)
  throw new RangeError('the serial number of a MIFARE Classic has 4 or 7 bytes')
}

/** How an Ultralight begins: pages 0 and 1 and the first byte of page 2, with two check bytes. */
function ultralightSerial(uid: Uint8Array): Uint8Array {
  if (uid.length !== 7) throw new RangeError('the serial number of an Ultralight has 7 bytes')
  const [first, second] = [uid.subarray(0, 3), uid.subarray(3)]
  return Uint8Array.of(...first, 0x88 ^ exclusiveOr(first), ...second, exclusiveOr(second))
}

function classic(uid: Uint8Array, memory: Uint8Array): SimulatedCard {
  const block = (number: number) => memory.subarray(number * 16, number * 16 + 16)
  const trailerOf = (sector: number) => block(sector * blocksPerSector + blocksPerSector - 1)
  const conditionsOf = (sector: number) =>
    Number.isInteger(sector) && sector >= 0 && sector < 16 ? accessConditions(trailerOf(sector)) : null

  /** The sector's conditions when this login reaches this block at all. */
  const reached = (number: number, login: Login | null): Conditions | null => {
    if (!login || login.sector !== Math.floor(number / blocksPerSector)) return null
    const conditions = conditionsOf(login.sector)
    return conditions && (login.kind === 'A' || keyBLogsIn(conditions)) ? conditions : null
  }

  return {
    uid,
    technology: 'classic',
    memory,
    login(sector, kind, key) {
      const conditions = conditionsOf(sector)
      if (!conditions || (kind === 'B' && !keyBLogsIn(conditions))) return false
      const trailer = trailerOf(sector)
      return equal(key, kind === 'A' ? trailer.subarray(0, 6) : trailer.subarray(10))
    },
    readBlock(number, login) {
      const conditions = reached(number, login)
      if (!conditions || !login) return null
      const index = number % blocksPerSector
      if (index === 3) return trailerAsSeen(block(number), conditions, login.kind)
      return dataRights[conditions[index]!]!.read.includes(login.kind) ? block(number).slice() : null
    },
    writeBlock(number, data, login) {
      const conditions = reached(number, login)
      if (!conditions || !login || data.length !== 16 || number === 0) return false
      const index = number % blocksPerSector
      if (index === 3) return writeTrailer(block(number), data, conditions, login.kind)
      if (!dataRights[conditions[index]!]!.write.includes(login.kind)) return false
      block(number).set(data)
      return true
    },
    readPages: () => null,
    writePage: () => false,
  }
}

function trailerAsSeen(trailer: Uint8Array, conditions: Conditions, kind: 'A' | 'B'): Uint8Array {
  const seen = trailer.slice().fill(0, 0, accessOffset)
  return trailerRights[conditions[3]]!.readB.includes(kind) ? seen : seen.fill(0, 10)
}

/** Changes the parts that the key may change; false when it may change none. */
function writeTrailer(
  trailer: Uint8Array,
  data: Uint8Array,
  conditions: Conditions,
  kind: 'A' | 'B',
): boolean {
  const { writeA, writeAccess, writeB } = trailerRights[conditions[3]]!
  if (writeA.includes(kind)) trailer.set(data.subarray(0, accessOffset))
  if (writeAccess.includes(kind)) trailer.set(data.subarray(accessOffset, 10), accessOffset)
  if (writeB.includes(kind)) trailer.set(data.subarray(10), 10)
  return [writeA, writeAccess, writeB].some((keys) => keys.includes(kind))
}

function ultralight(uid: Uint8Array, memory: Uint8Array): SimulatedCard {
  const exists = (page: number) => Number.isInteger(page) && page >= 0 && page < ultralightPages
  /** Bit n locks page n; the lowest three bits freeze other lock bits instead. */
  const locks = () => memory[10]! | (memory[11]! << 8)

  return {
    uid,
    technology: 'ultralight',
    memory,
    login: () => false,
    readBlock: () => null,
    writeBlock: () => false,
    readPages(page) {
      if (!exists(page)) return null
      return Uint8Array.from({ length: 16 }, (_, index) => memory[(page * 4 + index) % memory.length]!)
    },
    writePage(page, data) {
      if (!exists(page) || page < 2 || data.length !== 4) return false
      if (page === 2) {
        const now = locks() | ((data[2]! | (data[3]! << 8)) & ~frozenLocks(locks()))
        memory.set([now & 0xff, now >> 8], 10)
        return true
      }
      if ((locks() >> page) & 1) return false
      memory.set(page === 3 ? data.map((byte, index) => byte | memory[12 + index]!) : data, page * 4)
      return true
    },
  }
}

/** The lock bits that can no longer be set: that of page 3, those of pages 4 to 9, those of pages 10 to 15. */
function frozenLocks(locks: number): number {
  return (locks & 1 ? 0x0008 : 0) | (locks & 2 ? 0x03f0 : 0) | (locks & 4 ? 0xfc00 : 0)
}

function exclusiveOr(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0)
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}
