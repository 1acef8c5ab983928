import type { DesfireMode } from '../../src/devices/capability.ts'
import { parameters } from './desfire-wire.ts'
import type { Link } from './link.ts'
import { isNtag, prove, type Selected } from './selection.ts'

/** What was to be written, and where. `order`: something else was to be changed, which cannot be read. */
export type Written =
  | { what: 'block'; at: number; data: Uint8Array }
  | { what: 'page'; at: number; data: Uint8Array }
  | { what: 'file'; at: number; data: Uint8Array; offset: number; mode: DesfireMode }
  | { what: 'order'; at: number }

/**
 * What a card holds after the reader said "no" to a write. That "no" proves nothing: the card may have written and its
 * acknowledgement been lost in the air, and on the wire one bit alone is between "no" and "yes". The card must have
 * been selected anew; it is shown the same proof as before. `unclear` when it cannot be read back.
 */
export async function readBack(
  ask: Link['ask'],
  written: Written,
  { proof, chip }: Selected,
): Promise<'written' | 'unwritten' | 'unclear'> {
  // The card itself lets nobody write where he is not logged in.
  if (written.what === 'block' && !(proof?.to === 'sector' && proof.sector === sectorOf(written.at)))
    return 'unwritten'
  if (!isReadable(written) || (proof && !(await prove(ask, proof, chip)))) return 'unclear'
  const held = await read(ask, written, isNtag(chip))
  if (!held) return 'unclear'
  return held.subarray(0, written.data.length).equals(written.data) ? 'written' : 'unwritten'
}

/** Before it lie lock bits and one-time bits, which do not become what is written to them. */
const firstUserPage = 4

/** Keys cannot be read, and pages that are not only written to. */
function isReadable(written: Written): written is Exclude<Written, { what: 'order' }> {
  if (written.what === 'block') return !isTrailer(written.at)
  return written.what === 'page' ? written.at >= firstUserPage : written.what === 'file'
}

function read(ask: Link['ask'], written: Exclude<Written, { what: 'order' }>, fromNtag: boolean) {
  const { at } = written
  if (written.what === 'block') return ask('readBlock', at)
  if (written.what === 'page') return ask(fromNtag ? 'readNtag' : 'readPages', at)
  const { offset, data, mode } = written
  return ask('readFile', ...parameters.read(at, offset, data.length, mode))
}

/** A MIFARE Classic 4K has sectors of 4 blocks up to block 127, and of 16 from there on. */
function sectorOf(block: number): number {
  return block < 128 ? block >>> 2 : 32 + ((block - 128) >>> 4)
}

function isTrailer(block: number): boolean {
  return block < 128 ? block % 4 === 3 : block % 16 === 15
}
