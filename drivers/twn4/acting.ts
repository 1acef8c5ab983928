import type { DesfireMode } from '../../src/devices/capability.ts'
import { firstUserPage, type Held, heldOf } from '../../src/devices/driving/card-session.ts'
import { placeOf } from '../../src/devices/mifare-classic.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import { parameters } from './desfire-wire.ts'
import type { Link } from './link.ts'
import type { CommandName } from './protocol.ts'
import { isNtag, prove, type Selected, type Selection } from './selection.ts'

const callsWaiting = 16

/** What was to be written, and where. `order`: a change that cannot be read back. */
export type Written =
  | { what: 'block'; at: number; data: Uint8Array }
  | { what: 'page'; at: number; data: Uint8Array }
  | { what: 'file'; at: number; data: Uint8Array; offset: number; mode: DesfireMode }
  | { what: 'order'; at: number }

/** Serialises the methods for all card types, and writes. */
export interface Acting {
  /** One call after the other, in the order made. */
  inTurn<T>(call: () => Promise<T>): Promise<T>
  /** Writes to the selected card; after a refusal the card is read back. */
  write(name: CommandName, parameters: readonly number[], written: Written): Promise<void>
}

export function acting(ask: Link['ask'], cards: Selection): Acting {
  return { inTurn: oneAtATime(callsWaiting, 'encoder-busy'), write }

  async function write(name: CommandName, parameters: readonly number[], written: Written): Promise<void> {
    const at = cards.current()
    if (await ask(name, ...parameters)) return
    // For the log alone, and first, while the reader still knows it.
    const code = await ask('lastError').then(vendorCode, () => ({}))
    await cards.resolveDoubt(at, {
      name,
      said: 'failed',
      code,
      async holds() {
        const held = await readBack(ask, written, at)
        if (held !== 'written') await keepApplication(at)
        return held
      },
      detail: (held) => `failed at ${written.at}, which is ${held}`,
    })
  }

  /** A refused reader stays in the application, without a login. */
  async function keepApplication(at: Selected): Promise<void> {
    if (at.proof?.to !== 'application') return
    at.proof.key = null
    if (await cards.isBack(at)) await prove(ask, at.proof, at.chip)
  }
}

function vendorCode(error: Buffer): { vendorCode: string } {
  return { vendorCode: String(error.readUInt32LE()) }
}

/** Reads what the card holds after a new selection, with the same proof as before. */
async function readBack(ask: Link['ask'], written: Written, { proof, chip }: Selected): Promise<Held> {
  if (written.what === 'block' && !isLoggedIn(proof, written.at)) return 'unwritten'
  if (!isReadable(written) || (proof && !(await prove(ask, proof, chip)))) return 'unclear'
  const read = await readWritten(ask, written, isNtag(chip))
  return heldOf(read || null, written.data)
}

/** The card permits a write only after a login. */
function isLoggedIn(proof: Selected['proof'], block: number): boolean {
  return proof?.to === 'sector' && proof.sector === placeOf(block).sector
}

/** Keys cannot be read, and pages that are not only written to. */
function isReadable(written: Written): written is Exclude<Written, { what: 'order' }> {
  if (written.what === 'block') return !placeOf(written.at).isTrailer
  return written.what === 'page' ? written.at >= firstUserPage : written.what === 'file'
}

function readWritten(ask: Link['ask'], written: Exclude<Written, { what: 'order' }>, fromNtag: boolean) {
  const { at } = written
  if (written.what === 'block') return ask('readBlock', at)
  if (written.what === 'page') return ask(fromNtag ? 'readNtag' : 'readPages', at)
  const { offset, data, mode } = written
  return ask('readFile', ...parameters.read(at, offset, data.length, mode))
}
