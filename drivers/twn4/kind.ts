import type { CardFormat, FoundCard, PageChip } from '../../src/devices/capability.ts'
import { whereSupported } from '../../src/devices/driving/demand.ts'
import type { Link } from './link.ts'

type Kind = Pick<FoundCard, 'format' | 'chip'>

/** By SAK, where that alone is enough. 20 is any card with an ISO 14443-4 chip, a phone too. */
const formats = new Map<number, CardFormat>([
  [0x08, 'Mifare1K'],
  [0x18, 'Mifare4K'],
  [0x20, 'Desfire'],
])

/** By the size in a version, of the product type NTAG. Others of that family have their pages elsewhere. */
const ntags = new Map<number, PageChip>([
  [0x0f, 'NTAG213'],
  [0x11, 'NTAG215'],
  [0x13, 'NTAG216'],
])
const product = { ultralight: 0x03, ntag: 0x04 }

/** The last page that an Ultralight C shows; a plain Ultralight ends at 15, an NTAG203 at 41. */
const lastOfUltralightC = 0x2a

/** The kind of the card just selected, by what it answers; null when it gave none. `isBack` selects it again. */
export async function kindOf(ask: Link['ask'], isBack: () => Promise<boolean>): Promise<Kind | null> {
  const sak = await ask('sak')
  if (!sak) return null
  if (sak[0] !== 0x00) return { format: formats.get(sak[0]!) ?? 'unknown' }
  // SAK 00 says no more than "not one of those".
  const atqa = await ask('atqa')
  if (!atqa) return null
  return atqa.readUInt16LE() === 0x0044 ? kindOfPages(ask, isBack) : { format: 'unknown' }
}

/** Every "no" ends the selection: that a chip has no version, or no page 2A, is a "no". */
async function kindOfPages(ask: Link['ask'], isBack: () => Promise<boolean>): Promise<Kind | null> {
  // Older firmware cannot ask: to it such a chip is an Ultralight like every other.
  const version = await whereSupported(() => ask('pageVersion'))
  if (version) return kindOfVersion(version)
  if (!(await isBack())) return null
  if (await ask('readPages', lastOfUltralightC)) return { format: 'UltralightC' }
  return (await isBack()) ? { format: 'MifareUltralight' } : null
}

function kindOfVersion(version: Uint8Array): Kind {
  const chip = version[2] === product.ntag ? ntags.get(version[6]!) : undefined
  if (chip) return { format: 'MifareUltralight', chip }
  if (version[2] === product.ultralight) return { format: 'MifareUltralight', chip: 'UltralightEV1' }
  return { format: 'MifareUltralight' }
}
