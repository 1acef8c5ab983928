import type { Link } from './link.ts'

/** The login to a MIFARE Classic that was granted last. */
export interface Granted {
  sector: number
  kind: 'A' | 'B'
  key: Uint8Array
}

/**
 * What a card holds after the reader said "no" to a write. That "no" proves nothing: the card may have written and its
 * acknowledgement been lost in the air, and on the wire one bit alone is between "no" and "yes". The card must have
 * been selected anew. `unclear` when it cannot be read back.
 */
export async function readBack(
  ask: Link['ask'],
  name: 'writeBlock' | 'writePage',
  address: number,
  data: Uint8Array,
  granted: Granted | undefined,
): Promise<'written' | 'unwritten' | 'unclear'> {
  if (name === 'writeBlock') {
    // The card itself lets nobody write where he is not logged in.
    if (granted?.sector !== sectorOf(address)) return 'unwritten'
    // Keys cannot be read.
    if (isTrailer(address) || !(await logIn(ask, granted))) return 'unclear'
  } else if (address < firstUserPage) return 'unclear'

  const held = await ask(name === 'writeBlock' ? 'readBlock' : 'readPages', address)
  if (!held) return 'unclear'
  return held.subarray(0, data.length).equals(data) ? 'written' : 'unwritten'
}

/** False when the card refuses the key, or is gone. */
export async function logIn(ask: Link['ask'], { sector, kind, key }: Granted): Promise<boolean> {
  return (await ask('login', ...key, kind === 'A' ? 0 : 1, sector)) !== false
}

/** Before it lie lock bits and one-time bits, which do not become what is written to them. */
const firstUserPage = 4

/** A MIFARE Classic 4K has sectors of 4 blocks up to block 127, and of 16 from there on. */
function sectorOf(block: number): number {
  return block < 128 ? block >>> 2 : 32 + ((block - 128) >>> 4)
}

function isTrailer(block: number): boolean {
  return block < 128 ? block % 4 === 3 : block % 16 === 15
}
