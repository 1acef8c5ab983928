import type { Duplex } from 'node:stream'
import type { CardEncoder, Identity } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { firstUserPage, type Held, heldOf } from '../../src/devices/driving/card-session.ts'
import { demand, isBelow, isByte, whereSupported } from '../../src/devices/driving/demand.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import { onCard } from './card.ts'
import { type Link, link } from './link.ts'
import { isTrailer, type Login, loginAfter, onBlock, sectorOf, trailerOf } from './login.ts'
import { blocksInReach, mode, type Refused } from './protocol.ts'
import { signals } from './signals.ts'

const callsWaiting = 16

export function ifd510(wire: Duplex, { patience, clock }: DeviceOptions): CardEncoder {
  const connection = link(wire, patience, clock)
  const { ask, close } = connection
  const inTurn = oneAtATime(callsWaiting, 'encoder-busy')
  const show = signals(ask)
  const card = onCard(connection)
  /** The last successful login to the selected card. */
  let login: Login | undefined

  return {
    identify: () => inTurn(() => identify(ask)),
    find: () =>
      inTurn(() => {
        login = undefined
        return card.find()
      }),
    authenticate: (sector, kind, key) => inTurn(() => authenticate(sector, kind, key)),
    readBlock: (block) => inTurn(() => readBlock(block)),
    writeBlock: (block, data) => inTurn(() => writeBlock(block, data)),
    readPages: (page) => inTurn(() => readPages(page)),
    writePage: (page, data) => inTurn(() => writePage(page, data)),
    off: () => inTurn(off),
    signal: (kind) => inTurn(() => show(kind)),
    close,
  }

  /** Verifies the login by reading the trailer, which every key that logs in may read: keys show as zeros there. */
  async function authenticate(sector: number, kind: 'A' | 'B', key: Uint8Array): Promise<boolean> {
    card.expect()
    demand(isBelow(40, sector) && key.length === 6, 'a sector is 0..39 and its key 6 bytes')
    demand(trailerOf(sector) < blocksInReach, 'this encoder reaches sectors 0..15')
    const wanted = { sector, kind, key: Uint8Array.from(key) }
    login = undefined
    const answer = await readWith(wanted, trailerOf(sector))
    if (!('refused' in answer)) login = wanted
    else if (answer.refused !== 'wrong-key') throw unreadable('authenticate', sector, answer)
    return login !== undefined
  }

  async function readBlock(block: number): Promise<Uint8Array> {
    card.expect()
    demand(isByte(block), 'a block is 0..255')
    if (login?.sector !== sectorOf(block)) throw unreadable('readBlock', block)
    const answer = await readWith(login, block)
    if (!('refused' in answer)) return answer
    login = undefined
    throw unreadable('readBlock', block, answer)
  }

  async function writeBlock(block: number, data: Uint8Array): Promise<void> {
    card.expect()
    demand(isByte(block) && data.length === 16, 'a block is 0..255 and its data 16 bytes')
    const granted = login
    // On the card, a refused command ends the login.
    login = undefined
    if (granted?.sector !== sectorOf(block)) {
      throw new DeviceFault('card-write-protected', `writeBlock: not logged in to the sector of ${block}`)
    }
    // Keys cannot be read.
    const holds = async () => (isTrailer(block) ? 'unclear' : held(await readWith(granted, block), data))
    await card.write('writeBlock', [...onBlock(granted, block), ...data], holds)
    login = loginAfter(granted, block, data)
  }

  async function readPages(page: number): Promise<Uint8Array> {
    card.expect()
    demand(isByte(page), 'a page is 0..255')
    const answer = await pagesFrom(page)
    if ('refused' in answer) throw unreadable('readPages', page, answer)
    return answer
  }

  async function writePage(page: number, data: Uint8Array): Promise<void> {
    card.expect()
    demand(isByte(page) && data.length === 4, 'a page is 0..255 and its data 4 bytes')
    const holds = async () => (page < firstUserPage ? 'unclear' : held(await pagesFrom(page), data))
    await card.write('writePage', [mode.anyCard, 1, page, ...data], holds)
  }

  function readWith(by: Login, block: number): Promise<Uint8Array | Refused> {
    return card.read('readBlock', onBlock(by, block))
  }

  function pagesFrom(page: number): Promise<Uint8Array | Refused> {
    return card.read('readPages', [mode.anyCard, page])
  }

  /** The field cannot be switched off; the card is halted instead. */
  async function off(): Promise<void> {
    login = undefined
    card.forget()
    await ask('halt')
  }
}

async function identify(ask: Link['ask']): Promise<Identity> {
  const version = await ask('version')
  if ('refused' in version)
    throw new DeviceFault('encoder-timeout', 'version: the reader does not tell it', version)
  const serial = await whereSupported(() => ask('readerSerial'))
  const serialNumber = serial && !('refused' in serial) ? Buffer.from(serial.subarray(1)).toString('hex') : ''
  return { model: 'IFD510', firmware: version.text.trim(), serialNumber: serialNumber.toUpperCase() }
}

function held(read: Uint8Array | Refused, wanted: Uint8Array): Held {
  return heldOf('refused' in read ? null : read, wanted)
}

function unreadable(name: string, address: number, refused?: Refused): DeviceFault {
  const { vendorCode } = refused ?? {}
  const detail = `${name}: the card refuses to be read at ${address}`
  return new DeviceFault('card-incompatible', detail, vendorCode === undefined ? {} : { vendorCode })
}
