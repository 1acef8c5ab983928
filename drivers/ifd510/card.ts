import type { CardFormat, FoundCard } from '../../src/devices/capability.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Link } from './link.ts'
import { mode, type Refused, thenHalt, wakeAll } from './protocol.ts'

/** What a card holds after a write whose outcome nobody knows. */
export type Held = 'written' | 'unwritten' | 'unclear'

/** The card that `find` selected; it is the only one that the others act on. All reject with a DeviceFault. */
export interface OnCard {
  find(): Promise<FoundCard | null>
  forget(): void
  /** Throws unless a card was found and has been there ever since. */
  expect(): void
  /** The data that the command reads of the card. One that was lifted and is back is asked once more. */
  read(name: 'readBlock' | 'readPages', parameters: number[]): Promise<Uint8Array | Refused>
  /** Resolves once the card holds it, which `holds` finds out where the reader cannot tell. */
  write(name: 'writeBlock' | 'writePage', parameters: number[], holds: () => Promise<Held>): Promise<void>
}

interface Selected {
  uid: Uint8Array
  /** The pages of an Ultralight come with all 7 bytes of its serial number; nothing else gives more than 4. */
  isUltralight: boolean
  /** The link's count of writes when the card was found: any more, and it may have been changed since. */
  writesBefore: number
  left: boolean
}

export function onCard({ ask, writesSent }: Link): OnCard {
  let card: Selected | undefined
  return {
    find,
    read,
    write,
    expect: () => void selected(),
    forget() {
      card = undefined
    },
  }

  async function find(): Promise<FoundCard | null> {
    card = undefined
    const atqa = await ask('request', wakeAll)
    if ('refused' in atqa) return noneOrFault(atqa)
    const serial = await serialNumber()
    if ('refused' in serial) return noneOrFault(serial)
    const kind = atqa[0]! | (atqa[1]! << 8)
    const ultralight = kind === ultralightAtqa ? await ultralightSerial() : null
    card = {
      uid: ultralight ?? serial,
      isUltralight: ultralight !== null,
      writesBefore: writesSent(),
      left: false,
    }
    return { uid: card.uid, format: ultralight ? 'MifareUltralight' : (formats.get(kind) ?? 'unknown') }
  }

  async function read(name: 'readBlock' | 'readPages', parameters: number[]): Promise<Uint8Array | Refused> {
    const at = selected()
    for (let again = true; ; again = false) {
      const answer = await ask(name, ...parameters)
      if (!('refused' in answer)) {
        const { uid, data } = parted[name](answer)
        if (same(uid, at.uid)) return data
        at.left = true
        throw lost(at)
      }
      if (!(await isThere(at))) throw lost(at)
      if (answer.refused !== 'no-card' || !again) return answer
    }
  }

  async function write(
    name: 'writeBlock' | 'writePage',
    parameters: number[],
    holds: () => Promise<Held>,
  ): Promise<void> {
    const at = selected()
    // The command writes to whatever card it finds.
    if (!(await isThere(at))) throw lost(at)
    const answer = await ask(name, ...parameters)
    if (!('refused' in answer)) {
      if (answer.length !== at.uid.length || same(answer, at.uid)) return
      at.left = true
      throw new DeviceFault('card-removed', `${name}: another card lay there and was written to`)
    }
    const { refused, vendorCode } = answer
    at.left = refused === 'no-card'
    const silent = (cause: unknown) => {
      throw new DeviceFault('encoder-timeout-writing', `${name}: failed, then no answer`, {
        vendorCode,
        cause,
      })
    }
    if (at.left || !(await isThere(at).catch(silent))) throw lost(at, vendorCode)
    const held = refused === 'wrong-key' ? 'unwritten' : await holds().catch(silent)
    if (held === 'written') return
    const fault = held === 'unwritten' ? 'card-write-protected' : 'card-verify-failed'
    throw new DeviceFault(fault, `${name}: failed, and the card is ${held}`, { vendorCode })
  }

  function selected(): Selected {
    if (!card) throw new DeviceFault('no-card', 'no card was found yet')
    if (card.left) throw lost(card)
    return card
  }

  /** False when the card is gone or another lies there; it is lost then until it is found anew. */
  async function isThere(at: Selected): Promise<boolean> {
    const answer = at.isUltralight ? await ultralightSerial() : await serialNumber()
    at.left = !answer || 'refused' in answer || !same(answer, at.uid)
    return !at.left
  }

  /**
   * Four bytes of it, the card being put to rest after. A card that was spoken to before may pass over the first call,
   * as ISO 14443 has it, and hears the second.
   */
  async function serialNumber(): Promise<Uint8Array | Refused> {
    let answer = await ask('serialOf', wakeAll, thenHalt)
    if ('refused' in answer) answer = await ask('serialOf', wakeAll, thenHalt)
    if ('refused' in answer) return answer
    if (answer[0] !== 0) throw new DeviceFault('multiple-cards', 'more than one card lies on the antenna')
    return answer.subarray(1)
  }

  /** Null when no Ultralight answers. */
  async function ultralightSerial(): Promise<Uint8Array | null> {
    const answer = await ask('readPages', mode.anyCard, 0)
    return 'refused' in answer ? null : parted.readPages(answer).uid
  }

  function lost(at: Selected, vendorCode?: string): DeviceFault {
    const code = vendorCode === undefined ? {} : { vendorCode }
    if (writesSent() === at.writesBefore)
      return new DeviceFault('no-card', 'the card found before is gone', code)
    return new DeviceFault('card-removed', 'the card is gone, and was written to', code)
  }
}

/** By ATQA, which is all that the reader tells of a card; the SAK stays with it. */
const formats = new Map<number, CardFormat>([
  [0x0004, 'Mifare1K'],
  [0x0002, 'Mifare4K'],
  [0x0344, 'Desfire'],
])
/** A MIFARE Classic with 7 bytes of serial number answers the same: what gives its pages to anyone is an Ultralight. */
const ultralightAtqa = 0x0044

/** Where the serial number of the card stands in an answer. */
const parted = {
  readBlock: (answer: Uint8Array) => ({ uid: answer.subarray(0, 4), data: answer.slice(4) }),
  readPages: (answer: Uint8Array) => ({ uid: answer.slice(16), data: answer.slice(0, 16) }),
}

function noneOrFault({ refused, vendorCode }: Refused): null {
  if (refused === 'no-card') return null
  throw new DeviceFault('encoder-timeout', 'find: the reader gets no clear answer of a card', { vendorCode })
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other)
}
