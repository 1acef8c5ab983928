import type { CardFormat, FoundCard } from '../../src/devices/capability.ts'
import {
  type CardSession,
  cardSession,
  type Held,
  heldOf,
  type SelectedCard,
} from '../../src/devices/driving/card-session.ts'
import type { SectorLogin } from '../../src/devices/driving/encoder.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { AntennaCommands, CardOutcome } from './antenna-commands.ts'
import { cardCommand } from './antenna-protocol.ts'
import type { AntennaField } from './port.ts'

/** The card that `find` selected. */
export interface AntennaCard extends SelectedCard {
  /** The field's counter when the card was selected. If the counter has changed, the machine has released the card. */
  turn: number
  login: SectorLogin | null
}

/** The reader over the antenna, with its selected card. */
export interface AntennaReader extends AntennaCommands {
  field: AntennaField
  cards: CardSession<AntennaCard>
  /** Called before a write is sent. */
  writes(): void
}

/** A reader without a selected card. */
export function antennaReader(commands: AntennaCommands, field: AntennaField): AntennaReader {
  let writesSent = 0
  const cards = cardSession<AntennaCard>({
    async select(card) {
      card.login = null
      const found = await activate(reader)
      card.turn = field.turn
      return found ? found.uid : null
    },
    writesSent: () => writesSent,
    hasLeft: ({ turn }) => turn !== field.turn,
  })
  const reader = { ...commands, field, cards, writes: () => void writesSent++ }
  return reader
}

/**
 * Searches for a card. It first deactivates an active card, which would not answer a search. Null when none answers.
 */
export async function activate(reader: Omit<AntennaReader, 'cards'>): Promise<FoundCard | null> {
  if (reader.field.on) await switchOff(reader)
  const outcome = await reader.askCard('rf-activate', onlyTypeA)
  return 'data' in outcome ? readActivation(outcome.data) : null
}

/** Deactivates the card. The field is also off when the machine answers that no card was active. */
export async function switchOff({ askCard, field }: Omit<AntennaReader, 'cards'>): Promise<void> {
  const outcome = await askCard('rf-off')
  if ('no' in outcome) field.on = false
}

/** Logs in. False when the card refuses the key, or has left. */
export async function logIn(
  { askCard }: AntennaReader,
  card: AntennaCard,
  login: SectorLogin,
): Promise<boolean> {
  card.login = null
  const outcome = await askCard('rf-login', cardCommand.login(login.sector, login.kind, login.key))
  if ('no' in outcome && outcome.no === 'out of range') throw notOnCard('rf-login', login.sector, outcome)
  if ('data' in outcome) card.login = login
  return 'data' in outcome
}

/**
 * The 16 bytes that the command reads. When the card was lifted and put back, it is logged in to and read once more.
 */
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
  /** Reads what the card holds after a refused write. The login is the one before the write. */
  holds(card: AntennaCard, login: SectorLogin | null): Promise<Held>
}

/**
 * Resolves a refused write. It may have been executed, because its acknowledgement may have been lost on the air: the
 * card is read back.
 */
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
    answer: 'refused',
    code: outcome,
    holds: () => holds(card, login),
    detail: () => `the card refuses the write at ${address}`,
  })
}

/** Compares what the command reads with what was to be written. */
export async function readBack(
  { askCard }: AntennaReader,
  command: Uint8Array,
  wanted: Uint8Array,
): Promise<Held> {
  const outcome = await askCard('rf-read', command)
  return heldOf('data' in outcome ? outcome.data : null, wanted)
}

function notOnCard(name: string, address: number, outcome: CardOutcome): DeviceFault {
  const vendorCode = 'no' in outcome ? outcome.vendorCode : 'too short'
  return new DeviceFault('card-incompatible', `${name}: the card refuses ${address}`, { vendorCode })
}

/** Searches for type A only: all cards that the appliance can write are of type A. */
const onlyTypeA = Uint8Array.of(0x41, 0x30)
/**
 * The format by SAK. 00 with the ATQA of an Ultralight is an Ultralight; an NTAG has the same values and is reported as
 * one. 20 is any card with a processor.
 */
const formats: Record<number, CardFormat> = { 8: 'Mifare1K', 24: 'Mifare4K', 32: 'Desfire' }
const ultralightAtqa = 0x44

/** Decodes `kind ATQA(2) n UID(n) SAK …`; null for other bytes. The two bytes of the ATQA may be in either order. */
function readActivation(data: Uint8Array): FoundCard | null {
  const [kind, high = 0, low = 0, length = 0] = data
  const uid = data.slice(4, 4 + length)
  const sak = data[4 + length]
  if ((kind !== 0x4d && kind !== 0x41) || ![4, 7, 10].includes(length) || sak === undefined) return null
  if (sak !== 0x00) return { uid, format: formats[sak] ?? 'unknown' }
  return { uid, format: (high | low) === ultralightAtqa ? 'MifareUltralight' : 'unknown' }
}
