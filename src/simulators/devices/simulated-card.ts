import { createHash, randomBytes } from 'node:crypto'
import { classicSilicon } from './simulated-classic.ts'
import { desfireSilicon } from './simulated-desfire.ts'
import { ntagSilicon, ultralightSilicon } from './simulated-pages.ts'
import { type Behaviour, isEqual, type Silicon } from './simulated-silicon.ts'

/** The kinds of card that can be simulated. */
export const technologies = ['classic', 'ultralight', 'ntag', 'desfire'] as const
export type Technology = (typeof technologies)[number]

/**
 * A simulated contactless card: serial number, memory, keys and access rights. It knows no key format and no driver;
 * simulated readers act on it, and simulated doors read it. The reader, not the card, keeps the state of a login.
 */
export interface SimulatedCard extends Behaviour {
  readonly uid: Uint8Array
  readonly technology: Technology
  /** All bytes: 1,024 for a MIFARE Classic 1K, 64 for an Ultralight, 180 for an NTAG213. */
  readonly memory: Uint8Array
}

/** Where a simulated reader finds cards: the cards in its field at this moment. */
export interface SimulatedAntenna {
  cards(): readonly SimulatedCard[]
}

/** A card in a JSON file; `uid` and `memory` are upper-case hex. */
export interface CardImage {
  technology: Technology
  uid: string
  memory: string
}

const silicons: Record<Technology, Silicon> = {
  classic: classicSilicon,
  ultralight: ultralightSilicon,
  ntag: ntagSilicon,
  desfire: desfireSilicon,
}

/** A factory-new MIFARE Classic 1K with a serial number of 4 or 7 bytes. Throws a RangeError for another length. */
export function classicCard(uid: Uint8Array): SimulatedCard {
  return cardOf('classic', uid, classicSilicon.fresh(uid))
}

/** A factory-new MIFARE Ultralight with a serial number of 7 bytes. Throws a RangeError for another length. */
export function ultralightCard(uid: Uint8Array): SimulatedCard {
  return cardOf('ultralight', uid, ultralightSilicon.fresh(uid))
}

/** A factory-new NTAG with a serial number of 7 bytes. Throws a RangeError for another length. */
export function ntagCard(uid: Uint8Array, chip: keyof typeof ntagBytes = 'NTAG213'): SimulatedCard {
  return cardOf('ntag', uid, ntagSilicon.fresh(uid, ntagBytes[chip]))
}

const ntagBytes = { NTAG213: 180, NTAG215: 540, NTAG216: 924 }

/** A factory-new DESFire EV1 with a serial number of 7 bytes. Throws a RangeError for another length. */
export function desfireCard(uid: Uint8Array): SimulatedCard {
  return cardOf('desfire', uid, desfireSilicon.fresh(uid))
}

function cardOf(technology: Technology, uid: Uint8Array, memory: Uint8Array): SimulatedCard {
  return { uid: uid.slice(), technology, memory, ...silicons[technology].behaviour(memory) }
}

/** The whole card, for a JSON file. */
export function cardImage({ technology, uid, memory }: SimulatedCard): CardImage {
  return { technology, uid: uid.toHex().toUpperCase(), memory: memory.toHex().toUpperCase() }
}

/** Restores the card of an image. Throws a RangeError or SyntaxError when the image is not one of a supported card. */
export function cardFromImage(image: CardImage): SimulatedCard {
  if (!Object.hasOwn(silicons, image.technology))
    throw new RangeError(`no such card technology: ${image.technology}`)
  const { sizes, serial: serialOf } = silicons[image.technology]
  const uid = Uint8Array.fromHex(image.uid)
  const memory = Uint8Array.fromHex(image.memory)
  if (!sizes.includes(memory.length))
    throw new RangeError(`the memory of the card has ${sizes.join(' or ')} bytes`)
  const serial = serialOf(uid)
  if (!isEqual(serial, memory.subarray(0, serial.length))) {
    throw new RangeError('the memory of the card holds another serial number')
  }
  return cardOf(image.technology, uid, memory)
}

/**
 * A stack of factory-new cards with distinct serial numbers. The same seed text gives the same serial numbers each
 * time, and a longer stack begins with the cards of a shorter one; null gives random numbers. NTAG are NTAG213.
 */
export function blankCards(count: number, seedText: string | null, technology: Technology): SimulatedCard[] {
  const cards = new Map<string, SimulatedCard>()
  const { fresh } = silicons[technology]
  const seed = seedText === null ? null : `${technology} ${seedText}`
  for (let turn = 0; cards.size < count; turn++) {
    const noise = noiseFor(seed, turn)
    const uid =
      technology === 'classic'
        ? nonUnique(Uint8Array.from(noise.subarray(0, 4)))
        : Uint8Array.of(0x04, ...noise.subarray(0, 6))
    cards.set(uid.toHex(), cardOf(technology, uid, fresh(uid)))
  }
  return [...cards.values()]
}

/** 8 bytes for a serial number: the same for the same text and turn each time, and random ones for null. */
export function noiseFor(seedText: string | null, turn: number): Buffer {
  if (seedText === null) return randomBytes(8)
  return createHash('sha256').update(`${seedText} ${turn}`).digest().subarray(0, 8)
}

/** A 4-byte serial number in the range of such cards: its first byte ends in F, so it is never a cascade tag. */
function nonUnique(uid: Uint8Array): Uint8Array {
  return uid.map((byte, index) => (index === 0 ? byte | 0x0f : byte))
}
