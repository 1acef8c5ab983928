import type { Duplex } from 'node:stream'
import type { CardEncoder, FoundCard, Identity } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { firstUserPage, type Held } from '../../src/devices/driving/card-session.ts'
import { demand } from '../../src/devices/driving/demand.ts'
import { encoder, type SectorLogin } from '../../src/devices/driving/encoder.ts'
import { placeOf } from '../../src/devices/mifare-classic.ts'
import {
  type AntennaCard,
  type AntennaReader,
  activate,
  antennaReader,
  logIn,
  read,
  readBack,
  switchOff,
  write,
} from './antenna-card.ts'
import { antennaCommands } from './antenna-commands.ts'
import { cardCommand, factoryShaped } from './antenna-protocol.ts'
import { line } from './exchange.ts'
import { identity } from './identity.ts'
import { profileOf } from './protocol.ts'

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
  const reader = antennaReader(antennaCommands(ours, commands), ours.field)
  return encoder({
    identify: () => identify(reader, model),
    find: () => find(reader),
    expectCard: () => void reader.cards.current(),
    logIn: (login) => authenticate(reader, login),
    readBlock: (block) => readBlock(reader, block),
    writeBlock: (block, data) => writeBlock(reader, block, data),
    readPages: (page) => read(reader, cardCommand.read(0, page, pagesAtOnce), page),
    writePage: (page, data) => writePage(reader, page, data),
    off: () => off(reader),
    // The F3 has a light: it blinks while a card is awaited, and quickly after a failure.
    signal: async (kind) => void (commands.light && (await reader.ask('light', Uint8Array.of(lights[kind])))),
    close: ours.close,
  })
}

const lights = { ready: 0x85, good: 0x40, bad: 0x81 } as const

async function identify({ ask }: AntennaReader, model: string): Promise<Identity> {
  await ask('rf-status')
  const { version: _version, ...reported } = await identity(ask, model.toUpperCase())
  return reported
}

async function find(reader: AntennaReader): Promise<FoundCard | null> {
  reader.cards.drop()
  const found = await activate(reader)
  if (found) reader.cards.choose({ uid: found.uid, turn: reader.field.turn, login: null })
  return found
}

async function authenticate(reader: AntennaReader, login: SectorLogin): Promise<boolean> {
  const card = reader.cards.current()
  return reader.cards.accepts(card, () => logIn(reader, card, login))
}

async function readBlock(reader: AntennaReader, block: number): Promise<Uint8Array> {
  const { sector, index } = placeOf(block)
  return read(reader, cardCommand.read(sector, index, 1), block)
}

async function writeBlock(reader: AntennaReader, block: number, data: Uint8Array): Promise<void> {
  const { sector, index, isTrailer } = placeOf(block)
  demand(
    !isTrailer || factoryShaped(data),
    `the reader writes only trailers with the factory's access bits and key B; block ${block} is to have another`,
  )
  if (isTrailer) {
    const command = cardCommand.changeKey(sector, data.subarray(0, 6))
    return write(reader, { name: 'rf-change-key', command, address: block, holds: unreadable })
  }
  const holds = async (card: AntennaCard, login: SectorLogin | null): Promise<Held> => {
    // The card permits a write only after a login to its sector.
    if (login?.sector !== sector) return 'unwritten'
    if (!(await logIn(reader, card, login))) return 'unclear'
    return readBack(reader, cardCommand.read(sector, index, 1), data)
  }
  const command = cardCommand.write(sector, index, data)
  return write(reader, { name: 'rf-write', command, address: block, holds })
}

async function writePage(reader: AntennaReader, page: number, data: Uint8Array): Promise<void> {
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
