import type { Duplex } from 'node:stream'
import type { CardEncoder, Identity } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { firstUserPage, type Held, heldOf } from '../../src/devices/driving/card-session.ts'
import { demand, whereSupported } from '../../src/devices/driving/demand.ts'
import { encoder, type SectorLogin } from '../../src/devices/driving/encoder.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { placeOf } from '../../src/devices/mifare-classic.ts'
import { type CardReader, cardReader, find, read, write } from './card.ts'
import { type Ifd510Link, link } from './link.ts'
import { loginAfter, onBlock, trailerOf } from './login.ts'
import { blocksInReach, mode, type RefusedCommand } from './protocol.ts'
import { signals } from './signals.ts'

interface Ifd510 extends CardReader {
  /** The last successful login to the selected card. */
  login: SectorLogin | null
}

/** An IFD510 reader on an open wire. It has no options. */
export function ifd510(wire: Duplex, { patience, clock }: DeviceOptions): CardEncoder {
  const connection = link(wire, patience, clock)
  const { ask, close } = connection
  const reader: Ifd510 = { ...cardReader(connection), login: null }
  return encoder({
    identify: () => identify(ask),
    find: () => {
      reader.login = null
      return find(reader)
    },
    expectCard: () => void reader.cards.current(),
    logIn: (login) => logIn(reader, login),
    readBlock: (block) => readBlock(reader, block),
    writeBlock: (block, data) => writeBlock(reader, block, data),
    readPages: (page) => readPages(reader, page),
    writePage: (page, data) => writePage(reader, page, data),
    off: () => off(reader),
    signal: signals(ask),
    close,
  })
}

async function identify(ask: Ifd510Link['ask']): Promise<Identity> {
  const version = await ask('version')
  if ('refused' in version)
    throw new DeviceFault('encoder-timeout', 'version: the reader does not report it', version)
  const serial = await whereSupported(() => ask('readerSerial'))
  const serialNumber = serial && !('refused' in serial) ? Buffer.from(serial.subarray(1)).toString('hex') : ''
  return { model: 'IFD510', firmware: version.text.trim(), serialNumber: serialNumber.toUpperCase() }
}

/** Verifies the login by reading the trailer, which every key that logs in may read: keys show as zeros there. */
async function logIn(reader: Ifd510, login: SectorLogin): Promise<boolean> {
  const trailer = trailerOf(login.sector)
  demand(trailer < blocksInReach, 'this encoder reaches sectors 0..15')
  reader.login = null
  const answer = await readWith(reader, login, trailer)
  if (!('refused' in answer)) reader.login = login
  else if (answer.refused !== 'wrong-key') throw unreadable('authenticate', login.sector, answer)
  return reader.login !== null
}

async function readBlock(reader: Ifd510, block: number): Promise<Uint8Array> {
  const { login } = reader
  if (login?.sector !== placeOf(block).sector) throw unreadable('readBlock', block)
  const answer = await readWith(reader, login, block)
  if (!('refused' in answer)) return answer
  reader.login = null
  throw unreadable('readBlock', block, answer)
}

async function writeBlock(reader: Ifd510, block: number, data: Uint8Array): Promise<void> {
  const { login } = reader
  const { sector, isTrailer } = placeOf(block)
  // On the card, a refused command ends the login.
  reader.login = null
  if (login?.sector !== sector) {
    throw new DeviceFault('card-write-protected', `writeBlock: not logged in to the sector of ${block}`)
  }
  // Keys cannot be read.
  const holds = async () => (isTrailer ? 'unclear' : held(await readWith(reader, login, block), data))
  await write(reader, 'writeBlock', [...onBlock(login, block), ...data], holds)
  reader.login = loginAfter(login, block, data)
}

async function readPages(reader: Ifd510, page: number): Promise<Uint8Array> {
  const answer = await pagesFrom(reader, page)
  if ('refused' in answer) throw unreadable('readPages', page, answer)
  return answer
}

async function writePage(reader: Ifd510, page: number, data: Uint8Array): Promise<void> {
  const holds = async () => (page < firstUserPage ? 'unclear' : held(await pagesFrom(reader, page), data))
  await write(reader, 'writePage', [mode.anyCard, 1, page, ...data], holds)
}

function readWith(reader: Ifd510, login: SectorLogin, block: number): Promise<Uint8Array | RefusedCommand> {
  return read(reader, 'readBlock', onBlock(login, block))
}

function pagesFrom(reader: Ifd510, page: number): Promise<Uint8Array | RefusedCommand> {
  return read(reader, 'readPages', [mode.anyCard, page])
}

/** The field cannot be switched off; the card is halted instead. */
async function off(reader: Ifd510): Promise<void> {
  reader.login = null
  reader.cards.drop()
  await reader.ask('halt')
}

function held(read: Uint8Array | RefusedCommand, wanted: Uint8Array): Held {
  return heldOf('refused' in read ? null : read, wanted)
}

function unreadable(name: string, address: number, refused?: RefusedCommand): DeviceFault {
  const { vendorCode } = refused ?? {}
  const detail = `${name}: the card refuses the read at ${address}`
  return new DeviceFault('card-incompatible', detail, vendorCode === undefined ? {} : { vendorCode })
}
