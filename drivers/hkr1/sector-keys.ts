import { accessConditions, type Conditions, sectorTrailer } from '../../src/devices/mifare-classic.ts'
import { derived } from './card-keys.ts'

/** Key A reads the record, key B writes it and may change the trailer. */
const sectorConditions: Conditions = [0b100, 0b100, 0b100, 0b011]

export interface SectorKeys {
  a: Uint8Array
  b: Uint8Array
}

/** The two 6-byte keys of this sector of this card. */
export function sectorKeys(master: Uint8Array, site: number, uid: Uint8Array, sector: number): SectorKeys {
  const derive = (label: string) => derived(label, { master, site }, uid, 6, [sector])
  return { a: derive('HKR1-KEYA'), b: derive('HKR1-KEYB') }
}

/**
 * The trailer that protects the sector with these keys. `sealed` checks it, so that it never locks the sector
 * permanently.
 */
export function trailer(keys: SectorKeys): Uint8Array {
  const bytes = sectorTrailer(keys.a, sectorConditions, keys.b)
  if (!sealed(bytes)) throw new RangeError('this trailer would make the sector useless')
  return bytes
}

/** Whether a trailer that was read or is to be written has valid access bits equal to ours. */
export function sealed(bytes: Uint8Array): boolean {
  return sameConditions(bytes, sectorConditions)
}

/** Whether a trailer's access bits are valid and equal to these conditions. */
export function sameConditions(bytes: Uint8Array, wanted: Conditions): boolean {
  const conditions = accessConditions(bytes)
  return conditions?.every((condition, index) => condition === wanted[index]) ?? false
}
