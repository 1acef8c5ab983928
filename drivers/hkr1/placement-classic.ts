import type { CardEncoder, FoundCard } from '../../src/devices/capability.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { blocksPerSector, transportConditions, transportKey } from '../../src/devices/mifare-classic.ts'
import type { Placement } from './placement.ts'
import { recordBytes } from './record.ts'
import { type SectorKeys, sameConditions, sealed, sectorKeys, trailer } from './sector-keys.ts'
import type { Hkr1Settings } from './settings.ts'

/**
 * The three data blocks of one sector of a MIFARE Classic, after a login for reading (key A) or writing (key B). A
 * sector that was never personalised accepts the transport key. Null when the sector belongs to another owner.
 */
export async function placeOnClassic(
  encoder: CardEncoder,
  card: FoundCard,
  { master, site, sector }: Hkr1Settings,
  purpose: 'read' | 'write',
): Promise<Placement | null> {
  const keys = sectorKeys(master, site, card.uid, sector)
  const trailerBlock = sector * blocksPerSector + blocksPerSector - 1
  const kind = purpose === 'read' ? 'A' : 'B'
  if (await login(encoder, card, sector, kind, purpose === 'read' ? keys.a : keys.b)) {
    const guard = sealed(await encoder.readBlock(trailerBlock)) ? 'sealed' : 'unsealed'
    return placement(encoder, sector, guard, keys)
  }
  if (!(await login(encoder, card, sector, 'A', transportKey))) return null
  const untouched = sameConditions(await encoder.readBlock(trailerBlock), transportConditions)
  return untouched ? placement(encoder, sector, 'unsealed', keys) : null
}

function placement(
  encoder: CardEncoder,
  sector: number,
  guard: 'sealed' | 'unsealed',
  keys: SectorKeys,
): Placement {
  const firstBlock = sector * blocksPerSector
  return {
    guard,
    cellBytes: 16,
    async read() {
      const bytes = new Uint8Array(recordBytes)
      for (const index of [0, 1, 2]) bytes.set(await encoder.readBlock(firstBlock + index), index * 16)
      return bytes
    },
    async prepare() {},
    writeCell: (index, data) => encoder.writeBlock(firstBlock + index, data),
    async seal() {
      if (guard === 'sealed') return
      await encoder.writeBlock(firstBlock + 3, trailer(keys))
      if (await encoder.authenticate(sector, 'B', keys.b)) return
      throw new DeviceFault('card-verify-failed', 'The card does not accept the keys that were just written')
    },
  }
}

/** A card that has refused a key is silent, so it is selected again; it must be the same card. */
async function login(
  encoder: CardEncoder,
  { uid }: FoundCard,
  sector: number,
  kind: 'A' | 'B',
  key: Uint8Array,
): Promise<boolean> {
  if (await encoder.authenticate(sector, kind, key)) return true
  const again = await encoder.find()
  if (again?.uid.toHex() === uid.toHex()) return false
  throw new DeviceFault('no-card', 'The card was taken away before anything was written')
}
