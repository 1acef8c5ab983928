import type { CardFormat, FoundCard } from '../../src/devices/capability.ts'
import {
  type CardSession,
  cardSession,
  type Held,
  heldOf,
  type SelectedCard,
} from '../../src/devices/driving/card-session.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { AntennaAsking, Outcome } from './antenna-asking.ts'
import { cardCommand } from './card-command.ts'
import type { Field } from './port.ts'

export interface Login {
  sector: number
  kind: 'A' | 'B'
  key: Uint8Array
}

/** The card that `find` selected. */
export interface Selected extends SelectedCard {
  /** The field's count when it was selected: any other, and the machine has let go of it. */
  turn: number
  login: Login | null
}

/** The reader over the antenna, with the card that it has selected. */
export interface AntennaReader extends AntennaAsking {
  field: Field
  cards: CardSession<Selected>
  /** A write is about to leave. */
  writes(): void
}

/** A reader without a card. */
export function antennaReader(asking: AntennaAsking, field: Field): AntennaReader {
  let writesSent = 0
  const cards = cardSession<Selected>({
    async select(card) {
      card.login = null
      const found = await activate(reader)
      card.turn = field.turn
      return found ? found.uid : null
    },
    writesSent: () => writesSent,
    hasLeft: ({ turn }) => turn !== field.turn,
  })
  const reader = { ...asking, field, cards, writes: () => void writesSent++ }
  return reader
}

/** Looks anew for a card: one that is active already would not answer to being looked for. Null when none answers. */
export async function activate(reader: Omit<AntennaReader, 'cards'>): Promise<FoundCard | null> {
  if (reader.field.on) await switchOff(reader)
  const outcome = await reader.askCard('rf-activate', onlyTypeA)
  return 'data' in outcome ? readActivation(outcome.data) : null
}

/** A machine may answer that nothing was active: then it is off as well. */
export async function switchOff({ askCard, field }: Omit<AntennaReader, 'cards'>): Promise<void> {
  const outcome = await askCard('rf-off')
  if ('no' in outcome) field.on = false
}

/** False when the card refuses the key, or is gone. */
export async function logIn({ askCard }: AntennaReader, card: Selected, login: Login): Promise<boolean> {
  card.login = null
  const outcome = await askCard('rf-login', cardCommand.login(login.sector, login.kind, login.key))
  if ('no' in outcome && outcome.no === 'out of range') throw notOnCard('rf-login', login.sector, outcome)
  if ('data' in outcome) card.login = login
  return 'data' in outcome
}

/** The 16 bytes that the command reads. A card that was lifted and is back is logged in and asked once more. */
export async function read(reader: AntennaReader, command: Uint8Array, address: number): Promise<Uint8Array> {
  const card = reader.cards.current()
  const { login } = card
  for (let left = 2; ; left--) {
    const outcome = await reader.askCard('rf-read', command)
    if ('data' in outcome && outcome.data.length === 16) return Uint8Array.from(outcome.data)
    await reader.cards.expectBack(card)
    const mayTryAgain = left > 1 && (!login || (await logIn(reader, card, login)))
    if (!mayTryAgain) throw notOnCard('rf-read', address, outcome)
  }
}

interface AntennaWrite {
  name: 'rf-write' | 'rf-change-key'
  command: Uint8Array
  address: number
  /** What the card holds after the write was refused; it was logged in with this before. */
  holds(card: Selected, login: Login | null): Promise<Held>
}

/** A write that is refused may have been carried out, its acknowledgement lost in the air: the card is asked. */
export async function write(reader: AntennaReader, written: AntennaWrite): Promise<void> {
  const { name, command, address, holds } = written
  const card = reader.cards.current()
  const { login } = card
  reader.writes()
  const outcome = await reader.askCard(name, command)
  if ('data' in outcome) return
  if (outcome.no === 'out of range') throw notOnCard(name, address, outcome)
  await reader.cards.resolveDoubt(card, {
    name,
    said: 'refused',
    code: outcome,
    holds: () => holds(card, login),
    detail: () => `the card refuses to be written at ${address}`,
  })
}

/** What the command reads, held against what was to be written. */
export async function readBack(
  { askCard }: AntennaReader,
  command: Uint8Array,
  wanted: Uint8Array,
): Promise<Held> {
  const outcome = await askCard('rf-read', command)
  return heldOf('data' in outcome ? outcome.data : null, wanted)
}

function notOnCard(name: string, address: number, outcome: Outcome): DeviceFault {
  const vendorCode = 'no' in outcome ? outcome.vendorCode : 'too short'
  return new DeviceFault('card-incompatible', `${name}: the card refuses ${address}`, { vendorCode })
}

/** Type A alone: a card that we could write is no other. */
const onlyTypeA = Uint8Array.of(0x41, 0x30)
/** By SAK. 00 is an Ultralight by its ATQA; NTAG has the same, and passes for one. 20 is any card with a processor. */
const formats: Record<number, CardFormat> = { 8: 'Mifare1K', 24: 'Mifare4K', 32: 'Desfire' }
const ultralightAtqa = 0x44

/** `kind ATQA(2) n UID(n) SAK …`; null where the bytes are no such thing. The ATQA comes in either order of its bytes. */
function readActivation(data: Uint8Array): FoundCard | null {
  const [kind, high = 0, low = 0, length = 0] = data
  const uid = data.slice(4, 4 + length)
  const sak = data[4 + length]
  if ((kind !== 0x4d && kind !== 0x41) || ![4, 7, 10].includes(length) || sak === undefined) return null
  if (sak !== 0x00) return { uid, format: formats[sak] ?? 'unknown' }
  return { uid, format: (high | low) === ultralightAtqa ? 'MifareUltralight' : 'unknown' }
}
