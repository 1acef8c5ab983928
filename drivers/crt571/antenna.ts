import type { Duplex } from 'node:stream'
import type { CardEncoder, FoundCard, Identity } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { firstUserPage, type Held } from '../../src/devices/driving/card-session.ts'
import { demand, isBelow, isByte } from '../../src/devices/driving/demand.ts'
import { placeOf } from '../../src/devices/mifare-classic.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import { antennaAsking } from './antenna-asking.ts'
import {
  type AntennaReader,
  activate,
  antennaReader,
  type Login,
  logIn,
  read,
  readBack,
  type Selected,
  switchOff,
  write,
} from './antenna-card.ts'
import { cardCommand, factoryShaped } from './card-command.ts'
import { line } from './exchange.ts'
import { identity } from './identity.ts'
import { profileOf } from './protocol.ts'

const callsWaiting = 16
const pagesAtOnce = 4

/**
 * The reader over the antenna of an F2 machine, on a branch of the dispenser's wire. It never initialises the machine:
 * that would clear the dispenser's errors and close its entry without the dispenser's knowledge. Until the dispenser
 * has initialised it, each call rejects with `dispenser-reset-required`. Options: `address` 0..15, that of the
 * dispenser.
 */
export function crt571Antenna(wire: Duplex, { model, patience, options, clock }: DeviceOptions): CardEncoder {
  const { commands } = profileOf(model)
  const ours = line(wire, typeof options.address === 'number' ? options.address : 0, patience, clock)
  const reader = antennaReader(antennaAsking(ours, commands), ours.field)
  const inTurn = oneAtATime(callsWaiting, 'encoder-busy')
  // The F3 has a light: it blinks while a card is awaited, and quickly after a failure.
  const show = async (light: number) =>
    void (commands.light && (await reader.ask('light', Uint8Array.of(light))))
  return {
    identify: () => inTurn(() => identify(reader, model)),
    find: () => inTurn(() => find(reader)),
    authenticate: (sector, kind, key) =>
      inTurn(() => authenticate(reader, { sector, kind, key: key.slice() })),
    readBlock: (block) => inTurn(() => readBlock(reader, block)),
    writeBlock: (block, data) => inTurn(() => writeBlock(reader, block, data)),
    readPages: (page) => inTurn(() => readPages(reader, page)),
    writePage: (page, data) => inTurn(() => writePage(reader, page, data)),
    off: () => inTurn(() => off(reader)),
    signal: (kind) => inTurn(() => show(lights[kind])),
    close: ours.close,
  }
}

const lights = { ready: 0x85, good: 0x40, bad: 0x81 } as const

async function identify({ ask }: AntennaReader, model: string): Promise<Identity> {
  await ask('rf-status')
  const { version: _version, ...told } = await identity(ask, model.toUpperCase())
  return told
}

async function find(reader: AntennaReader): Promise<FoundCard | null> {
  reader.cards.drop()
  const found = await activate(reader)
  if (found) reader.cards.choose({ uid: found.uid, turn: reader.field.turn, login: null })
  return found
}

/** A card that was lifted and put back refuses as well. A refusal right after a search proves that the key is wrong. */
async function authenticate(reader: AntennaReader, login: Login): Promise<boolean> {
  const card = reader.cards.current()
  demand(isBelow(40, login.sector) && login.key.length === 6, 'a sector is 0..39, its key 6 bytes')
  for (let left = 2; left > 0; left--) {
    if (await logIn(reader, card, login)) return true
    await reader.cards.expectBack(card)
  }
  return false
}

async function readBlock(reader: AntennaReader, block: number): Promise<Uint8Array> {
  demand(isByte(block), 'a block is 0..255')
  const { sector, index } = placeOf(block)
  return read(reader, cardCommand.read(sector, index, 1), block)
}

async function readPages(reader: AntennaReader, page: number): Promise<Uint8Array> {
  demand(isByte(page), 'a page is 0..255')
  return read(reader, cardCommand.read(0, page, pagesAtOnce), page)
}

async function writeBlock(reader: AntennaReader, block: number, data: Uint8Array): Promise<void> {
  demand(isByte(block) && data.length === 16, 'a block is 0..255 and has 16 bytes')
  const { sector, index, isTrailer } = placeOf(block)
  demand(
    !isTrailer || factoryShaped(data),
    `the reader writes no trailer but one with the factory's access bits and key B, and ${block} is to have another`,
  )
  if (isTrailer) {
    const command = cardCommand.changeKey(sector, data.subarray(0, 6))
    return write(reader, { name: 'rf-change-key', command, address: block, holds: unreadable })
  }
  const holds = async (card: Selected, login: Login | null): Promise<Held> => {
    // The card permits a write only after a login to its sector.
    if (login?.sector !== sector) return 'unwritten'
    if (!(await logIn(reader, card, login))) return 'unclear'
    return readBack(reader, cardCommand.read(sector, index, 1), data)
  }
  const command = cardCommand.write(sector, index, data)
  return write(reader, { name: 'rf-write', command, address: block, holds })
}

async function writePage(reader: AntennaReader, page: number, data: Uint8Array): Promise<void> {
  demand(isByte(page) && data.length === 4, 'a page is 0..255 and has 4 bytes')
  const holds = () => readBack(reader, cardCommand.read(0, page, pagesAtOnce), data)
  const command = cardCommand.write(0, page, data)
  return write(reader, {
    name: 'rf-write',
    command,
    address: page,
    holds: page < firstUserPage ? unreadable : holds,
  })
}

async function unreadable(): Promise<Held> {
  return 'unclear'
}

async function off(reader: AntennaReader): Promise<void> {
  reader.cards.drop()
  await switchOff(reader)
}
