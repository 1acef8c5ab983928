import type { Duplex } from 'node:stream'
import type { CardEncoder, FoundCard, Identity } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { demand } from '../../src/devices/driving/demand.ts'
import { type CardReader, encoder, encoderTurns } from '../../src/devices/driving/encoder.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { write } from './card-write.ts'
import { desfireEncoder } from './desfire.ts'
import { kindOf } from './kind.ts'
import { link, type Twn4Link } from './link.ts'
import { iso14443a, onlyIso14443a } from './protocol.ts'
import { isNtag, longestUid, type Proof, prove, selection, type Twn4Reader } from './selection.ts'
import { signals } from './signals.ts'

interface Twn4 extends Twn4Reader {
  /** True while the reader searches for cards of ISO 14443A only. */
  searchesForCardsOnly: boolean
}

/** A TWN4 reader on an open wire. Options: `crc` and `binary`, the mode that its firmware was built for. */
export function twn4(wire: Duplex, { patience, options, clock }: DeviceOptions): CardEncoder {
  const line = link(wire, patience, clock, { crc: options.crc === true, binary: options.binary === true })
  const { ask, close } = line
  const cards = selection(line)
  const reader: Twn4 = { ask, cards, searchesForCardsOnly: false }
  const inTurn = encoderTurns()
  const commands: CardReader = {
    identify: () => identify(ask),
    find: () => find(reader),
    expectCard: () => void cards.current(),
    logIn: (login) => unlock(reader, { to: 'sector', ...login }),
    readBlock: (block) => read(reader, 'readBlock', block),
    writeBlock: (at, data) => write(reader, 'writeBlock', [at, ...data], { what: 'block', at, data }),
    readPages: (page) => read(reader, isNtag(cards.current().chip) ? 'readNtag' : 'readPages', page),
    writePage: (page, data) => writePage(reader, page, data),
    off: () => off(reader),
    signal: signals(ask, patience, clock),
    close,
  }
  return {
    ...encoder(commands, inTurn),
    unlockPages: (password, acknowledgement) => inTurn(() => unlockPages(reader, password, acknowledgement)),
    desfire: desfireEncoder(reader, inTurn),
  }
}

async function find(reader: Twn4): Promise<FoundCard | null> {
  const { ask, cards } = reader
  cards.drop()
  if (!reader.searchesForCardsOnly) await ask('setTagTypes', ...onlyIso14443a)
  reader.searchesForCardsOnly = true
  const tag = await ask('searchTag', longestUid)
  // A tag of another type proves that the reader has lost the setting: it was without power.
  reader.searchesForCardsOnly = !tag || tag.type === iso14443a
  if (!tag || !reader.searchesForCardsOnly) return null

  const card = cards.choose({ uid: tag.uid, chip: undefined, proof: undefined })
  const kind = await kindOf(ask, () => cards.isBack(card))
  if (kind === null) return (await cards.isBack(card)) ? { uid: tag.uid, format: 'unknown' } : null
  card.chip = kind.chip
  return { uid: tag.uid, ...kind }
}

async function unlockPages(
  reader: Twn4Reader,
  password: Uint8Array,
  acknowledgement: Uint8Array,
): Promise<boolean> {
  reader.cards.current()
  demand(password.length === 4 && acknowledgement.length === 2, 'a password is 4 bytes, acknowledged with 2')
  return unlock(reader, {
    to: 'pages',
    password: Uint8Array.from(password),
    acknowledgement: Uint8Array.from(acknowledgement),
  })
}

/** Shows a key or password to the card. False when the card refuses it. */
async function unlock({ ask, cards }: Twn4Reader, proof: Proof): Promise<boolean> {
  const card = cards.current()
  card.proof = undefined
  const isAccepted = await cards.accepts(card, () => prove(ask, proof, card.chip))
  if (isAccepted) card.proof = proof
  return isAccepted
}

async function read(
  { ask, cards }: Twn4Reader,
  name: 'readBlock' | 'readPages' | 'readNtag',
  address: number,
): Promise<Uint8Array> {
  const card = cards.current()
  const data = await ask(name, address)
  if (data) return Uint8Array.from(data)
  await cards.expectBack(card)
  card.proof = undefined
  throw new DeviceFault('card-incompatible', `${name}: the card refuses the read at ${address}`)
}

function writePage(reader: Twn4Reader, at: number, data: Uint8Array): Promise<void> {
  const name = isNtag(reader.cards.current().chip) ? 'writeNtag' : 'writePage'
  return write(reader, name, [at, ...data], { what: 'page', at, data })
}

async function off({ ask, cards }: Twn4Reader): Promise<void> {
  cards.drop()
  await ask('rfOff')
}

async function identify(ask: Twn4Link['ask']): Promise<Identity> {
  const firmware = await ask('version', 0xff)
  const speaks = firmware.includes('TWN4') && firmware.includes('PRS')
  demand(speaks, `the firmware ${JSON.stringify(firmware)} does not speak Simple Protocol`)
  const uid = await ask('deviceUid')
  return { model: 'TWN4', firmware, serialNumber: uid.toString('hex').toUpperCase() }
}
