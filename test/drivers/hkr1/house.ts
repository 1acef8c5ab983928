import { createHmac } from 'node:crypto'
import { lockSystem } from '../../../drivers/hkr1/lock-system.ts'
import type { Hkr1Settings } from '../../../drivers/hkr1/settings.ts'
import { type DoorOptions, door } from '../../../drivers/hkr1/simulator/door.ts'
import type { Grant } from '../../../src/devices/capability.ts'
import {
  classicCard,
  desfireCard,
  ntagCard,
  type SimulatedCard,
  ultralightCard,
} from '../../../src/simulators/devices/simulated-card.ts'
import { found, memoryEncoder } from './memory-encoder.ts'

export const hex = (text: string) => Uint8Array.fromHex(text.replaceAll(' ', ''))
export const shown = (bytes: Uint8Array) => bytes.toHex().toUpperCase()

/** The key of the published example, for signing and for sector keys alike: 00 01 ... 1F. */
export const exampleKey = Uint8Array.from({ length: 32 }, (_, index) => index)

export const settings: Hkr1Settings = {
  site: 1,
  keyId: 1,
  keys: new Map([[1, exampleKey]]),
  master: exampleKey,
  sector: 1,
  application: 0x484b31,
  ownCardKey: false,
  pagePassword: false,
  commonDoors: new Map([
    ['Pool', 0],
    ['Garage', 2],
    ['Spa', 31],
  ]),
}
/** Another house, with keys of its own. */
export const elsewhere: Hkr1Settings = {
  ...settings,
  site: 2,
  keys: new Map([[1, exampleKey.toReversed()]]),
  master: exampleKey.toReversed(),
}

export const arrival = Date.parse('2026-07-31T15:00:00Z')
export const departure = Date.parse('2026-08-04T09:00:00Z')
export const night = Date.parse('2026-08-02T01:00:00Z')

/** The grant of the published example. */
export const grant: Grant = {
  lock: '101',
  sequence: 42,
  copy: false,
  usage: 'Guest',
  authorizations: ['Garage', 'Pool'],
  validFrom: arrival,
  validUntil: departure,
  credential: 0x00010007,
}

export const makers = {
  classic: (uid = '66CF4DC2') => classicCard(hex(uid)),
  ultralight: (uid = '04E141124C2880') => ultralightCard(hex(uid)),
  ntag: (uid = '04E141124C2880') => ntagCard(hex(uid)),
  desfire: (uid = '04E141124C2880') => desfireCard(hex(uid)),
}
export const technologies = ['classic', 'ultralight', 'ntag', 'desfire'] as const
const otherDouble = '04E141124C2881'
export const otherUid = {
  classic: '66CF4DC3',
  ultralight: otherDouble,
  ntag: otherDouble,
  desfire: otherDouble,
}

/** Where the record lies in the memory of a card that was written. */
export const recordAt = { classic: 64, ultralight: 16, ntag: 16, desfire: 16 + 256 + 128 }

export async function write(card: SimulatedCard, wanted: Grant = grant, by: Hkr1Settings = settings) {
  const encoder = memoryEncoder(card)
  await encoder.find()
  await lockSystem(by).write(encoder, found(card), wanted)
  return encoder.written
}

export async function read(card: SimulatedCard, by: Hkr1Settings = settings) {
  const encoder = memoryEncoder(card)
  await encoder.find()
  const { blank, grant, defect } = await lockSystem(by).read(encoder, found(card))
  return { blank, grant, defect }
}

export async function erase(card: SimulatedCard, by: Hkr1Settings = settings) {
  const encoder = memoryEncoder(card)
  await encoder.find()
  await lockSystem(by).erase(encoder, found(card))
  return encoder.written
}

/** The door of room 101, or whatever the options make of it. */
export function doorOf(options: Partial<DoorOptions> = {}) {
  const { site, keys, master, sector } = settings
  return door({ lock: 101, site, keys, master, sector, ...options })
}

export const blankCard = { blank: true, grant: null, defect: null }
export const damagedCard = { blank: false, grant: null, defect: 'damaged' }
export const foreignCard = { blank: false, grant: null, defect: 'foreign' }
export const holding = (wanted: Grant) => ({ blank: false, grant: wanted, defect: null })

/** What the description of the format says that a key of a card is the beginning of, site 1. */
export function hmac(label: string, uid: Uint8Array): Uint8Array {
  return new Uint8Array(
    createHmac('sha256', exampleKey)
      .update(label)
      .update(Uint8Array.of(0, 1, uid.length, ...uid))
      .digest(),
  )
}
