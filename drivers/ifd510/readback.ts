import type { Held, OnCard } from './card.ts'
import { isTrailer, type Login, onBlock } from './login.ts'
import { mode } from './protocol.ts'

/** Before it lie lock bits and one-time bits, which do not become what is written to them. */
const firstUserPage = 4

/**
 * What a block holds after a write that the reader called failed, or whose answer USB lost. That proves nothing: the
 * card may have written and its acknowledgement been lost in the air.
 */
export async function blockHolds(card: OnCard, login: Login, block: number, data: Uint8Array): Promise<Held> {
  // Keys cannot be read.
  if (isTrailer(block)) return 'unclear'
  return compared(await card.read('readBlock', onBlock(login, block)), data)
}

/** The same of a page. */
export async function pageHolds(card: OnCard, page: number, data: Uint8Array): Promise<Held> {
  if (page < firstUserPage) return 'unclear'
  return compared(await card.read('readPages', [mode.anyCard, page]), data)
}

function compared(held: Awaited<ReturnType<OnCard['read']>>, data: Uint8Array): Held {
  if ('refused' in held) return 'unclear'
  return Buffer.from(held.subarray(0, data.length)).equals(data) ? 'written' : 'unwritten'
}
