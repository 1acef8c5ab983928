import type { DesfireMode } from '../../src/devices/capability.ts'
import { firstUserPage, type Held, heldOf } from '../../src/devices/driving/card-session.ts'
import { placeOf } from '../../src/devices/mifare-classic.ts'
import { parameters } from './desfire-wire.ts'
import type { Twn4Link } from './link.ts'
import type { Twn4CommandName } from './protocol.ts'
import { isNtag, prove, type Twn4Card, type Twn4Reader } from './selection.ts'

/** The data of a write, and its place. `order`: a change that cannot be read back. */
type Written =
  | { what: 'block'; at: number; data: Uint8Array }
  | { what: 'page'; at: number; data: Uint8Array }
  | { what: 'file'; at: number; data: Uint8Array; offset: number; mode: DesfireMode }
  | { what: 'order'; at: number }

/**
 * Writes to the selected card. Resolves when the card holds the data: after a refusal the card is read back. Rejects
 * with a DeviceFault.
 */
export async function write(
  { ask, cards }: Twn4Reader,
  name: Twn4CommandName,
  parameters: readonly number[],
  written: Written,
): Promise<void> {
  const card = cards.current()
  if (await ask(name, ...parameters)) return
  // The error number is for the log only. It is read first, because the reader forgets it.
  const code = await ask('lastError').then(
    (error) => ({ vendorCode: String(error.readUInt32LE()) }),
    () => ({}),
  )
  await cards.resolveDoubt(card, {
    name,
    answer: 'failed',
    code,
    async holds() {
      const held = await readBack(ask, written, card)
      if (held !== 'written') await keepApplication({ ask, cards }, card)
      return held
    },
    detail: (held) => `failed at ${written.at}, which is ${held}`,
  })
}

/** After a refusal the application stays selected, without an authentication. */
async function keepApplication({ ask, cards }: Twn4Reader, card: Twn4Card): Promise<void> {
  if (card.proof?.to !== 'application') return
  card.proof.key = null
  if (await cards.isBack(card)) await prove(ask, card.proof, card.chip)
}

/** Compares what the newly selected card holds with what was written, after the same proof as before. */
async function readBack(ask: Twn4Link['ask'], written: Written, { proof, chip }: Twn4Card): Promise<Held> {
  if (written.what === 'block' && !isLoggedIn(proof, written.at)) return 'unwritten'
  if (!isReadable(written) || (proof && !(await prove(ask, proof, chip)))) return 'unclear'
  const read = await readWritten(ask, written, isNtag(chip))
  return heldOf(read || null, written.data)
}

/** Whether the card could accept the write of a block: only after a login to its sector. */
function isLoggedIn(proof: Twn4Card['proof'], block: number): boolean {
  return proof?.to === 'sector' && proof.sector === placeOf(block).sector
}

/** Whether the data can be read back: not keys, and not the pages whose bits do not become equal to what is written. */
function isReadable(written: Written): written is Exclude<Written, { what: 'order' }> {
  if (written.what === 'block') return !placeOf(written.at).isTrailer
  return written.what === 'page' ? written.at >= firstUserPage : written.what === 'file'
}

function readWritten(ask: Twn4Link['ask'], written: Exclude<Written, { what: 'order' }>, fromNtag: boolean) {
  const { at } = written
  if (written.what === 'block') return ask('readBlock', at)
  if (written.what === 'page') return ask(fromNtag ? 'readNtag' : 'readPages', at)
  const { offset, data, mode } = written
  return ask('readFile', ...parameters.read(at, offset, data.length, mode))
}
