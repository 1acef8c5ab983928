import type { CardFormat, FoundCard } from '../../src/devices/capability.ts'
import {
  type CardSession,
  cardSession,
  type Held,
  type SelectedCard,
  sameBytes,
} from '../../src/devices/driving/card-session.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Ifd510Link } from './link.ts'
import { mode, type RefusedCommand, thenHalt, wakeAll } from './protocol.ts'

interface Selected extends SelectedCard {
  /**
   * True for an Ultralight. Only its pages come with all 7 bytes of the serial number; all other answers hold 4 at
   * most.
   */
  isUltralight: boolean
}

/** A reader with the card that `find` selected; `read` and `write` act on it alone. */
export interface CardReader {
  ask: Ifd510Link['ask']
  cards: CardSession<Selected>
}

/** A reader without a selected card. */
export function cardReader({ ask, writesSent }: Ifd510Link): CardReader {
  const cards = cardSession<Selected>({
    async select({ isUltralight }) {
      if (isUltralight) return ultralightSerial(ask)
      const answer = await serialNumber(ask)
      return 'refused' in answer ? null : answer
    },
    writesSent,
  })
  return { ask, cards }
}

/** Selects the card that lies there; null when there is none. Rejects with a DeviceFault. */
export async function find({ ask, cards }: CardReader): Promise<FoundCard | null> {
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

/**
 * The data that the command reads from the card. When the card was lifted and put back, it is read once more. Rejects
 * with a DeviceFault.
 */
export async function read(
  { ask, cards }: CardReader,
  name: 'readBlock' | 'readPages',
  parameters: number[],
): Promise<Uint8Array | RefusedCommand> {
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

/**
 * Resolves once the card holds the data. `holds` reads it back where the reader's answer leaves this open. Rejects with a
 * DeviceFault.
 */
export async function write(
  { ask, cards }: CardReader,
  name: 'writeBlock' | 'writePage',
  parameters: number[],
  holds: () => Promise<Held>,
): Promise<void> {
  const at = cards.current()
  // The command writes to any card that it finds.
  await cards.expectBack(at)
  const answer = await ask(name, ...parameters)
  if (!('refused' in answer)) {
    if (answer.length !== at.uid.length || sameBytes(answer, at.uid)) return
    at.hasLeft = true
    throw new DeviceFault('card-removed', `${name}: another card was there and was written to`)
  }
  const { refused, vendorCode } = answer
  at.hasLeft = refused === 'no-card'
  await cards.resolveDoubt(at, {
    name,
    answer: 'failed',
    code: { vendorCode },
    holds: async () => (refused === 'wrong-key' ? 'unwritten' : holds()),
    detail: (held) => `failed, and the card is ${held}`,
  })
}

/**
 * Returns four bytes of the serial number, and halts the card afterwards. A card that was addressed before may ignore
 * the first request, as ISO 14443 permits, and answers the second.
 */
async function serialNumber(ask: Ifd510Link['ask']): Promise<Uint8Array | RefusedCommand> {
  let answer = await ask('serialOf', wakeAll, thenHalt)
  if ('refused' in answer) answer = await ask('serialOf', wakeAll, thenHalt)
  if ('refused' in answer) return answer
  if (answer[0] !== 0) throw new DeviceFault('multiple-cards', 'more than one card is on the antenna')
  return answer.subarray(1)
}

/** Null when no Ultralight answers. */
async function ultralightSerial(ask: Ifd510Link['ask']): Promise<Uint8Array | null> {
  const answer = await ask('readPages', mode.anyCard, 0)
  return 'refused' in answer ? null : parted.readPages(answer).uid
}

/** By ATQA, which is the only type information that the reader reports; it does not report the SAK. */
const formats = new Map<number, CardFormat>([
  [0x0004, 'Mifare1K'],
  [0x0002, 'Mifare4K'],
  [0x0344, 'Desfire'],
])
/**
 * A MIFARE Classic with a 7-byte serial number answers in the same way. A card whose pages can be read without a login
 * is an Ultralight.
 */
const ultralightAtqa = 0x0044

/** The offset of the card's serial number in an answer. */
const parted = {
  readBlock: (answer: Uint8Array) => ({ uid: answer.subarray(0, 4), data: answer.slice(4) }),
  readPages: (answer: Uint8Array) => ({ uid: answer.slice(16), data: answer.slice(0, 16) }),
}

function noneOrFault({ refused, vendorCode }: RefusedCommand): null {
  if (refused === 'no-card') return null
  throw new DeviceFault('encoder-timeout', 'find: the reader receives no clear answer from a card', {
    vendorCode,
  })
}
