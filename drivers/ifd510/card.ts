import type { CardFormat, FoundCard } from '../../src/devices/capability.ts'
import {
  cardSession,
  type Held,
  type SelectedCard,
  sameBytes,
} from '../../src/devices/driving/card-session.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Link } from './link.ts'
import { mode, type Refused, thenHalt, wakeAll } from './protocol.ts'

/** The card that `find` selected; it is the only one that the others act on. All reject with a DeviceFault. */
interface OnCard {
  find(): Promise<FoundCard | null>
  forget(): void
  /** Throws unless a card was found and has been there ever since. */
  expect(): void
  /** The data that the command reads of the card. One that was lifted and is back is asked once more. */
  read(name: 'readBlock' | 'readPages', parameters: number[]): Promise<Uint8Array | Refused>
  /** Resolves once the card holds it, which `holds` finds out where the reader cannot tell. */
  write(name: 'writeBlock' | 'writePage', parameters: number[], holds: () => Promise<Held>): Promise<void>
}

interface Selected extends SelectedCard {
  /** The pages of an Ultralight come with all 7 bytes of its serial number; nothing else gives more than 4. */
  isUltralight: boolean
}

export function onCard({ ask, writesSent }: Link): OnCard {
  const cards = cardSession<Selected>({
    async select({ isUltralight }) {
      if (isUltralight) return ultralightSerial(ask)
      const answer = await serialNumber(ask)
      return 'refused' in answer ? null : answer
    },
    writesSent,
  })
  return { find, read, write, expect: () => void cards.current(), forget: cards.drop }

  async function find(): Promise<FoundCard | null> {
    cards.drop()
    const atqa = await ask('request', wakeAll)
    if ('refused' in atqa) return noneOrFault(atqa)
    const serial = await serialNumber(ask)
    if ('refused' in serial) return noneOrFault(serial)
    const kind = atqa[0]! | (atqa[1]! << 8)
    const ultralight = kind === ultralightAtqa ? await ultralightSerial(ask) : null
    const { uid } = cards.choose({ uid: ultralight ?? serial, isUltralight: ultralight !== null })
    return { uid, format: ultralight ? 'MifareUltralight' : (formats.get(kind) ?? 'unknown') }
  }

  async function read(name: 'readBlock' | 'readPages', parameters: number[]): Promise<Uint8Array | Refused> {
    const at = cards.current()
    for (let again = true; ; again = false) {
      const answer = await ask(name, ...parameters)
      if (!('refused' in answer)) {
        const { uid, data } = parted[name](answer)
        if (sameBytes(uid, at.uid)) return data
        at.hasLeft = true
        throw cards.lost(at)
      }
      await cards.expectBack(at)
      if (answer.refused !== 'no-card' || !again) return answer
    }
  }

  async function write(
    name: 'writeBlock' | 'writePage',
    parameters: number[],
    holds: () => Promise<Held>,
  ): Promise<void> {
    const at = cards.current()
    // The command writes to whatever card it finds.
    await cards.expectBack(at)
    const answer = await ask(name, ...parameters)
    if (!('refused' in answer)) {
      if (answer.length !== at.uid.length || sameBytes(answer, at.uid)) return
      at.hasLeft = true
      throw new DeviceFault('card-removed', `${name}: another card lay there and was written to`)
    }
    const { refused, vendorCode } = answer
    at.hasLeft = refused === 'no-card'
    await cards.resolveDoubt(at, {
      name,
      said: 'failed',
      code: { vendorCode },
      holds: async () => (refused === 'wrong-key' ? 'unwritten' : holds()),
      detail: (held) => `failed, and the card is ${held}`,
    })
  }
}

/**
 * Four bytes of it, the card being put to rest after. A card that was spoken to before may pass over the first call,
 * as ISO 14443 has it, and hears the second.
 */
async function serialNumber(ask: Link['ask']): Promise<Uint8Array | Refused> {
  let answer = await ask('serialOf', wakeAll, thenHalt)
  if ('refused' in answer) answer = await ask('serialOf', wakeAll, thenHalt)
  if ('refused' in answer) return answer
  if (answer[0] !== 0) throw new DeviceFault('multiple-cards', 'more than one card lies on the antenna')
  return answer.subarray(1)
}

/** Null when no Ultralight answers. */
async function ultralightSerial(ask: Link['ask']): Promise<Uint8Array | null> {
  const answer = await ask('readPages', mode.anyCard, 0)
  return 'refused' in answer ? null : parted.readPages(answer).uid
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
