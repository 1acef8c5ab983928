import type { Duplex } from 'node:stream'
import type { CardEncoder, Identity } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import { onCard } from './card.ts'
import { type Link, link } from './link.ts'
import { type Login, loginAfter, onBlock, sectorOf, trailerOf } from './login.ts'
import { blocksInReach, mode, type Refused } from './protocol.ts'
import { blockHolds, pageHolds } from './readback.ts'
import { signals } from './signals.ts'

const callsWaiting = 16

export function ifd510(wire: Duplex, { patience, clock }: DeviceOptions): CardEncoder {
  const connection = link(wire, patience, clock)
  const { ask, close } = connection
  const inTurn = oneAtATime(callsWaiting, 'encoder-busy')
  const show = signals(ask)
  const card = onCard(connection)
  /** What the selected card was logged in to last. */
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

  /** Proven by reading the trailer, which every key that logs in may: keys show as zeros there. */
  async function authenticate(sector: number, kind: 'A' | 'B', key: Uint8Array): Promise<boolean> {
    card.expect()
    demand(isIn(sector, 40) && key.length === 6, 'a sector is 0..39 and its key 6 bytes')
    demand(trailerOf(sector) < blocksInReach, 'this encoder reaches sectors 0..15')
    const wanted = { sector, kind, key: Uint8Array.from(key) }
    login = undefined
    const answer = await card.read('readBlock', onBlock(wanted, trailerOf(sector)))
    if (!('refused' in answer)) login = wanted
    else if (answer.refused !== 'wrong-key') throw unreadable('authenticate', sector, answer)
    return login !== undefined
  }

  async function readBlock(block: number): Promise<Uint8Array> {
    card.expect()
    demand(isIn(block, 256), 'a block is 0..255')
    if (login?.sector !== sectorOf(block)) throw unreadable('readBlock', block)
    const answer = await card.read('readBlock', onBlock(login, block))
    if (!('refused' in answer)) return answer
    login = undefined
    throw unreadable('readBlock', block, answer)
  }

  async function writeBlock(block: number, data: Uint8Array): Promise<void> {
    card.expect()
    demand(isIn(block, 256) && data.length === 16, 'a block is 0..255 and its data 16 bytes')
    const granted = login
    // As the card has it, a command that it refuses ends the login.
    login = undefined
    if (granted?.sector !== sectorOf(block)) {
      throw new DeviceFault('card-write-protected', `writeBlock: not logged in to the sector of ${block}`)
    }
    await card.write('writeBlock', [...onBlock(granted, block), ...data], () =>
      blockHolds(card, granted, block, data),
    )
    login = loginAfter(granted, block, data)
  }

  async function readPages(page: number): Promise<Uint8Array> {
    card.expect()
    demand(isIn(page, 256), 'a page is 0..255')
    const answer = await card.read('readPages', [mode.anyCard, page])
    if ('refused' in answer) throw unreadable('readPages', page, answer)
    return answer
  }

  async function writePage(page: number, data: Uint8Array): Promise<void> {
    card.expect()
    demand(isIn(page, 256) && data.length === 4, 'a page is 0..255 and its data 4 bytes')
    await card.write('writePage', [mode.anyCard, 1, page, ...data], () => pageHolds(card, page, data))
  }

  /** The field has no switch of its own; the card is put to rest. */
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
  const serial = await ask('readerSerial').catch(unsupported)
  const serialNumber = serial && !('refused' in serial) ? Buffer.from(serial.subarray(1)).toString('hex') : ''
  return { model: 'IFD510', firmware: version.text.trim(), serialNumber: serialNumber.toUpperCase() }
}

/** Null for what a model lacks; any other fault is passed on. */
function unsupported(fault: unknown): null {
  if (fault instanceof DeviceFault && fault.code === 'unsupported-operation') return null
  throw fault
}

function unreadable(name: string, address: number, refused?: Refused): DeviceFault {
  const { vendorCode } = refused ?? {}
  const detail = `${name}: the card refuses to be read at ${address}`
  return new DeviceFault('card-incompatible', detail, vendorCode === undefined ? {} : { vendorCode })
}

function demand(met: boolean, detail: string): void {
  if (!met) throw new DeviceFault('unsupported-operation', detail)
}

function isIn(value: number, count: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < count
}
