import type { Duplex } from 'node:stream'
import type { CardEncoder, CardFormat, FoundCard, Identity } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import { type Link, link } from './link.ts'
import { iso14443a, onlyIso14443a } from './protocol.ts'
import { type Granted, logIn, readBack } from './readback.ts'
import { signals } from './signals.ts'

const callsWaiting = 16
const longestUid = 16

/** The card that `find` selected. It is the only one the other methods act on. */
interface Selected {
  uid: Uint8Array
  /** The link's count of writes when the card was found: any more, and it may have been changed since. */
  writesBefore: number
  left: boolean
  granted?: Granted | undefined
}

export function twn4(wire: Duplex, { patience, options }: DeviceOptions): CardEncoder {
  const { ask, writesSent, close } = link(wire, patience, options.crc === true)
  const inTurn = oneAtATime(callsWaiting, 'encoder-busy')
  const show = signals(ask)
  let card: Selected | undefined
  let looksForCardsOnly = false

  return {
    identify: () => inTurn(() => identify(ask)),
    find: () => inTurn(find),
    authenticate: (sector, kind, key) => inTurn(() => authenticate(sector, kind, key)),
    readBlock: (block) => inTurn(() => read('readBlock', block)),
    writeBlock: (block, data) => inTurn(() => write('writeBlock', block, data, 16)),
    readPages: (page) => inTurn(() => read('readPages', page)),
    writePage: (page, data) => inTurn(() => write('writePage', page, data, 4)),
    off: () => inTurn(off),
    signal: (kind) => inTurn(() => show(kind)),
    close,
  }

  async function find(): Promise<FoundCard | null> {
    card = undefined
    if (!looksForCardsOnly) await ask('setTagTypes', ...onlyIso14443a)
    looksForCardsOnly = true
    const tag = await ask('searchTag', longestUid)
    // Any other tag than we look for means that the reader forgot what we look for: it was without power.
    looksForCardsOnly = !tag || tag.type === iso14443a
    if (!tag || !looksForCardsOnly) return null

    card = { uid: tag.uid, writesBefore: writesSent(), left: false }
    const format = await formatOf()
    if (format !== null) return { uid: tag.uid, format }
    return (await isBack(card)) ? { uid: tag.uid, format: 'unknown' } : null
  }

  /** By the card's answers to being selected; null when it gave none. */
  async function formatOf(): Promise<CardFormat | null> {
    const sak = await ask('sak')
    if (!sak) return null
    if (sak[0] !== 0x00) return formats.get(sak[0]!) ?? 'unknown'
    // SAK 00 says no more than "not one of those". NTAG has the Ultralight's ATQA and commands, and passes for one.
    const atqa = await ask('atqa')
    if (!atqa) return null
    return atqa.readUInt16LE() === 0x0044 ? 'MifareUltralight' : 'unknown'
  }

  async function authenticate(sector: number, kind: 'A' | 'B', key: Uint8Array): Promise<boolean> {
    const at = selected()
    demand(isByte(sector) && sector < 40 && key.length === 6, 'a sector is 0..39 and its key 6 bytes')
    const wanted = { sector, kind, key: Uint8Array.from(key) }
    at.granted = undefined
    // A card that was lifted and put back refuses as well. What is refused right after a search is the key.
    for (let left = 2; left > 0; left--) {
      if (await logIn(ask, wanted)) {
        at.granted = wanted
        return true
      }
      if (!(await isBack(at))) throw lost(at)
    }
    return false
  }

  async function read(name: 'readBlock' | 'readPages', address: number): Promise<Uint8Array> {
    const at = selected()
    demand(isByte(address), 'an address is 0..255')
    const data = await ask(name, address)
    if (data) return Uint8Array.from(data)
    if (!(await isBack(at))) throw lost(at)
    throw new DeviceFault('card-incompatible', `${name}: the card refuses to be read at ${address}`)
  }

  async function write(name: 'writeBlock' | 'writePage', address: number, data: Uint8Array, size: number) {
    const at = selected()
    demand(isByte(address) && data.length === size, `an address is 0..255 and its data ${size} bytes`)
    if (await ask(name, address, ...data)) return
    // For the log alone, and first, while the reader still knows it.
    const code = await ask('lastError').then(vendorCode, () => ({}))
    const silent = (cause: unknown) => {
      throw new DeviceFault('encoder-timeout-writing', `${name}: failed, then no answer`, { ...code, cause })
    }
    if (!(await isBack(at).catch(silent))) throw lost(at, code)
    const outcome = await readBack(ask, name, address, data, at.granted).catch(silent)
    if (outcome === 'written') return
    const fault = outcome === 'unwritten' ? 'card-write-protected' : 'card-verify-failed'
    throw new DeviceFault(fault, `${name}: failed at ${address}, which is ${outcome}`, code)
  }

  async function off(): Promise<void> {
    card = undefined
    await ask('rfOff')
  }

  function selected(): Selected {
    if (!card) throw new DeviceFault('no-card', 'no card was found yet')
    if (card.left) throw lost(card)
    return card
  }

  /** After a "no" the reader has dropped the card. Selects it again; false when it is gone or another lies there. */
  async function isBack(at: Selected): Promise<boolean> {
    const tag = await ask('searchTag', longestUid)
    const same = tag !== false && Buffer.from(at.uid).equals(tag.uid)
    at.left = !same
    return same
  }

  function lost(at: Selected, code: { vendorCode?: string } = {}): DeviceFault {
    if (writesSent() === at.writesBefore)
      return new DeviceFault('no-card', 'the card found before is gone', code)
    return new DeviceFault('card-removed', 'the card is gone, and was written to', code)
  }
}

/** By SAK, where that alone is enough. 20 is any card with an ISO 14443-4 chip, a phone too; we write none of them. */
const formats = new Map<number, CardFormat>([
  [0x08, 'Mifare1K'],
  [0x18, 'Mifare4K'],
  [0x20, 'Desfire'],
])

async function identify(ask: Link['ask']): Promise<Identity> {
  const firmware = await ask('version', 0xff)
  const speaks = firmware.includes('TWN4') && firmware.includes('PRS')
  demand(speaks, `the firmware ${JSON.stringify(firmware)} does not speak Simple Protocol`)
  const uid = await ask('deviceUid')
  return { model: 'TWN4', firmware, serialNumber: uid.toString('hex').toUpperCase() }
}

function demand(met: boolean, detail: string): void {
  if (!met) throw new DeviceFault('unsupported-operation', detail)
}

function isByte(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0xff
}

function vendorCode(error: Buffer): { vendorCode: string } {
  return { vendorCode: String(error.readUInt32LE()) }
}
