import type {
  CardContent,
  CardEncoder,
  CardFormat,
  CardLockSystem,
  FoundCard,
  Grant,
} from '../../src/devices/capability.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { grantOf, grantProblem, recordOf } from './grant.ts'
import { clearRecord, type Placement, writeRecord } from './placement.ts'
import { placeOnClassic } from './placement-classic.ts'
import { placeOnDesfire } from './placement-desfire.ts'
import { placeOnPages } from './placement-pages.ts'
import { decode, encode } from './record.ts'
import type { Hkr1Settings } from './settings.ts'

type Finding = Pick<CardContent, 'blank' | 'grant' | 'defect'>

/** The lock system whose cards carry an HKR1 record. */
export function lockSystem(settings: Hkr1Settings): CardLockSystem {
  const look = async (place: Placement, uid: Uint8Array) => {
    const bytes = await place.read()
    return { bytes, finding: judged(bytes, uid, place.guard, settings) }
  }

  return {
    authorizations: [...settings.commonDoors.keys()].sort(),
    grantProblem,

    async write(encoder, card, grant) {
      const record = signed(grant, card.uid, settings)
      const place = await enter(encoder, card, settings, 'write')
      const held = place && (await look(place, card.uid))
      if (!held || held.finding.defect === 'foreign') {
        throw new DeviceFault('card-incompatible', 'The card is in use by another system')
      }
      await writeRecord(place, record, held.bytes)
    },

    async read(encoder, card) {
      const place = await enter(encoder, card, settings, 'read')
      return {
        uid: card.uid,
        format: card.format,
        ...(place ? (await look(place, card.uid)).finding : foreign),
      }
    },

    async erase(encoder, card) {
      const place = await enter(encoder, card, settings, 'write')
      const held = place && (await look(place, card.uid))
      if (!held || held.finding.defect === 'foreign') {
        throw new DeviceFault('card-write-protected', 'The card belongs to another system')
      }
      if (!held.finding.blank) await clearRecord(place)
    },
  }
}

function signed(grant: Grant, uid: Uint8Array, settings: Hkr1Settings): Uint8Array {
  const key = settings.keys.get(settings.keyId)
  if (!key) {
    throw new DeviceFault(
      'lock-system-auth-failed',
      `There is no key ${settings.keyId} among the credentials`,
    )
  }
  return encode(recordOf(grant, settings), uid, key)
}

const enterBy: Partial<Record<CardFormat, typeof placeOnClassic>> = {
  Mifare1K: placeOnClassic,
  Mifare4K: placeOnClassic,
  MifareUltralight: placeOnPages,
  UltralightC: placeOnPages,
  Desfire: placeOnDesfire,
}

/** The kinds of card that can carry a key. */
export const cardFormats = Object.keys(enterBy) as CardFormat[]

async function enter(
  encoder: CardEncoder,
  card: FoundCard,
  settings: Hkr1Settings,
  purpose: 'read' | 'write',
): Promise<Placement | null> {
  const by = enterBy[card.format]
  if (!by) throw new DeviceFault('card-incompatible', `A card of the kind ${card.format} cannot hold a key`)
  return by(encoder, card, settings, purpose)
}

const blank: Finding = { blank: true, grant: null, defect: null }
const foreign: Finding = { blank: false, grant: null, defect: 'foreign' }
const damaged: Finding = { blank: false, grant: null, defect: 'damaged' }

/**
 * Classifies 48 bytes. In a place with the appliance's keys, only a record of another issuer of the site is foreign. In
 * any other place, a record with a zeroed magic is the remains of an interrupted write, and other unknown bytes belong
 * to another owner.
 */
function judged(
  bytes: Uint8Array,
  uid: Uint8Array,
  guard: Placement['guard'],
  settings: Hkr1Settings,
): Finding {
  if (isBlank(bytes)) return blank
  const decoded = decode(bytes, uid, (site, keyId) =>
    site === settings.site ? settings.keys.get(keyId) : undefined,
  )
  if ('record' in decoded) {
    if (guard === 'unsealed') return damaged
    const grant = grantOf(decoded.record, settings)
    return grant ? { blank: false, grant, defect: null } : foreign
  }
  if (decoded.refused === 'broken' || guard === 'sealed') return damaged
  return isZero(bytes.subarray(0, 4)) ? damaged : foreign
}

/** All zeros, or the content with which new cards are delivered. */
function isBlank(bytes: Uint8Array): boolean {
  return delivered.some(
    (start) =>
      Buffer.compare(start, bytes.subarray(0, start.length)) === 0 && isZero(bytes.subarray(start.length)),
  )
}

/** The possible first user pages of a new card: nothing; an Ultralight; an NTAG213; an NTAG215 or 216. */
const delivered = ['', 'FFFFFFFF', '0103A00C340300FE', '0300FE00'].map((text) => Uint8Array.fromHex(text))

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}
