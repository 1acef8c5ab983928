import { DeviceFault } from '../../src/devices/fault.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import type { Link } from './link.ts'
import type { CommandName } from './protocol.ts'
import { readBack, type Written } from './readback.ts'
import { prove, type Selected, type Selection } from './selection.ts'

const callsWaiting = 16

/** How the methods of every sort of card take their turn, and how they write. */
export interface Acting {
  /** One call after the other, in the order made. */
  inTurn<T>(call: () => Promise<T>): Promise<T>
  /** Writes to the selected card; a "no" is held against what the card holds. */
  write(name: CommandName, parameters: readonly number[], written: Written): Promise<void>
}

export function acting(ask: Link['ask'], cards: Selection): Acting {
  return { inTurn: oneAtATime(callsWaiting, 'encoder-busy'), write }

  async function write(name: CommandName, parameters: readonly number[], written: Written): Promise<void> {
    const at = cards.current()
    if (await ask(name, ...parameters)) return
    // For the log alone, and first, while the reader still knows it.
    const code = await ask('lastError').then(vendorCode, () => ({}))
    const silent = (cause: unknown) => {
      throw new DeviceFault('encoder-timeout-writing', `${name}: failed, then no answer`, { ...code, cause })
    }
    if (!(await cards.isBack(at).catch(silent))) throw cards.lost(at, code)
    const outcome = await readBack(ask, written, at).catch(silent)
    if (outcome === 'written') return
    await keepApplication(at).catch(silent)
    const fault = outcome === 'unwritten' ? 'card-write-protected' : 'card-verify-failed'
    throw new DeviceFault(fault, `${name}: failed at ${written.at}, which is ${outcome}`, code)
  }

  /** Whoever was refused in an application stays there, without a key. */
  async function keepApplication(at: Selected): Promise<void> {
    if (at.proof?.to !== 'application') return
    at.proof.key = null
    if (await cards.isBack(at)) await prove(ask, at.proof, at.chip)
  }
}

function vendorCode(error: Buffer): { vendorCode: string } {
  return { vendorCode: String(error.readUInt32LE()) }
}
