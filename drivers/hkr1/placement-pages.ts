import type { CardEncoder, FoundCard, PageChip } from '../../src/devices/capability.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { derived } from './card-keys.ts'
import type { Placement } from './placement.ts'
import { recordBytes } from './record.ts'
import type { Hkr1Settings } from './settings.ts'

const firstPage = 4
const lastPage = firstPage + recordBytes / 4 - 1

/** The page of CFG0 on NTAG chips; CFG1, PWD and PACK are the pages after it. */
const configPages: Partial<Record<PageChip, number>> = { NTAG213: 0x29, NTAG215: 0x83, NTAG216: 0xe3 }

/** AUTHLIM in CFG1: after this many wrong passwords the card accepts none any more. 0 is no limit. */
const attemptLimit = 0x07
/** PROT in CFG1: reading needs the password too. */
const readProtected = 0x80

/**
 * Pages 4 to 15: all user pages of a plain Ultralight, which anyone may write. Doors read them without a password. An
 * NTAG may have a password against overwriting; null when that password belongs to another owner.
 */
export async function placeOnPages(
  encoder: CardEncoder,
  { uid, chip }: FoundCard,
  settings: Hkr1Settings,
  purpose: 'read' | 'write',
): Promise<Placement | null> {
  const config = chip && configPages[chip]
  const { unlockPages } = encoder
  if (purpose === 'read' || config === undefined || !unlockPages) return placement(encoder, async () => {})

  const secret = derived('HKR1-PWD', settings, uid, 6)
  const [password, acknowledgement] = [secret.subarray(0, 4), secret.subarray(4)]
  const unlock = () => unlockPages(password, acknowledgement)
  const held = await encoder.readPages(config)
  const isProtected = held[3]! <= lastPage
  // A card that counts wrong passwords is not ours, and each attempt would bring its owner nearer to losing it.
  if (isProtected && (held[4]! & attemptLimit) !== 0) return null
  if (isProtected) return (await unlock()) ? placement(encoder, async () => {}) : null
  if (!settings.pagePassword) return placement(encoder, async () => {})
  return placement(encoder, async () => {
    await protect(encoder, config, held, password, acknowledgement)
    if (await unlock()) return
    throw new DeviceFault('card-verify-failed', 'The card does not accept the password that was just written')
  })
}

/**
 * Protects the record with a password against writing. AUTH0, the first protected page, is written last: until then the
 * card is open. Wrong passwords never lock the card (AUTHLIM 0), and reading stays free (PROT 0).
 */
async function protect(
  encoder: CardEncoder,
  config: number,
  held: Uint8Array,
  password: Uint8Array,
  acknowledgement: Uint8Array,
): Promise<void> {
  const [cfg0, cfg1] = [held.slice(0, 4), held.slice(4, 8)]
  await encoder.writePage(config + 2, password)
  await encoder.writePage(config + 3, Uint8Array.of(...acknowledgement, 0, 0))
  const open = cfg1.with(0, cfg1[0]! & ~(readProtected | attemptLimit))
  if (open[0] !== cfg1[0]) await encoder.writePage(config + 1, open)
  await encoder.writePage(config, cfg0.with(3, firstPage))
}

function placement(encoder: CardEncoder, seal: () => Promise<void>): Placement {
  return {
    guard: 'none',
    cellBytes: 4,
    async read() {
      const bytes = new Uint8Array(recordBytes)
      for (const page of [4, 8, 12]) bytes.set(await encoder.readPages(page), (page - firstPage) * 4)
      return bytes
    },
    async prepare() {},
    writeCell: (index, data) => encoder.writePage(firstPage + index, data),
    seal,
  }
}
