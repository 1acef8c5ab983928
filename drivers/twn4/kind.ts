import type { CardFormat, FoundCard, PageChip } from '../../src/devices/capability.ts'
import { whereSupported } from '../../src/devices/driving/demand.ts'
import type { Twn4Link } from './link.ts'

type Kind = Pick<FoundCard, 'format' | 'chip'>

/** By SAK, where it suffices. 20 is any card with an ISO 14443-4 chip, and also a phone. */
const formats = new Map<number, CardFormat>([
  [0x08, 'Mifare1K'],
  [0x18, 'Mifare4K'],
  [0x20, 'Desfire'],
])

/** By the size in the version of an NTAG. Other chips of that family have a different page layout. */
const ntags = new Map<number, PageChip>([
  [0x0f, 'NTAG213'],
  [0x11, 'NTAG215'],
  [0x13, 'NTAG216'],
])
const product = { ultralight: 0x03, ntag: 0x04 }

/** The last page that an Ultralight C lets be read. A plain Ultralight ends at page 15, an NTAG203 at page 41. */
const lastOfUltralightC = 0x2a

/** The kind of the selected card; null when it gives no answer. `isBack` selects the card again. */
export async function kindOf(ask: Twn4Link['ask'], isBack: () => Promise<boolean>): Promise<Kind | null> {
  const sak = await ask('sak')
  if (!sak) return null
  if (sak[0] !== 0x00) return { format: formats.get(sak[0]!) ?? 'unknown' }
  // SAK 00 means only that the card is none of these.
  const atqa = await ask('atqa')
  if (!atqa) return null
  return atqa.readUInt16LE() === 0x0044 ? kindOfPages(ask, isBack) : { format: 'unknown' }
}

/** A chip without a version, or without page 2A, refuses the question. A refusal ends the selection. */
async function kindOfPages(ask: Twn4Link['ask'], isBack: () => Promise<boolean>): Promise<Kind | null> {
  // Older firmware cannot ask for the version. It treats such a chip as a plain Ultralight.
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
