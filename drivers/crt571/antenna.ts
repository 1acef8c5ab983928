import type { Duplex } from 'node:stream'
import type { CardEncoder, CardFormat, FoundCard, Identity } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'
import { antennaAsking, type Outcome } from './antenna-asking.ts'
import { cardCommand, factoryShaped, placeOf } from './card-command.ts'
import { line } from './exchange.ts'
import { identity } from './identity.ts'
import { profileOf } from './protocol.ts'

const callsWaiting = 16
const pagesAtOnce = 4
/** Pages before it hold lock bits and one-time bits, which do not become what is written to them. */
const firstUserPage = 4
/** Type A alone: a card that we could write is no other. */
const onlyTypeA = Uint8Array.of(0x41, 0x30)

interface Login {
  sector: number
  kind: 'A' | 'B'
  key: Uint8Array
}

/** The card that `find` selected, the only one the other methods act on. */
interface Selected {
  uid: Uint8Array
  /** The field's count when it was selected: any other, and the machine has let go of it. */
  turn: number
  written: boolean
  left: boolean
  login: Login | null
}

/**
 * The reader over the antenna of an F2 machine, on a branch of the dispenser's wire. It never initialises the machine:
 * that would clear the dispenser's errors and close its entry unseen. Until the dispenser has, each call rejects with
 * `dispenser-reset-required`. Options: `address` 0..15, that of the dispenser.
 */
export function crt571Antenna(wire: Duplex, { model, patience, options, clock }: DeviceOptions): CardEncoder {
  const { commands } = profileOf(model)
  const ours = line(wire, typeof options.address === 'number' ? options.address : 0, patience, clock)
  const { field } = ours
  const { ask, askCard } = antennaAsking(ours, commands)
  const inTurn = oneAtATime(callsWaiting, 'encoder-busy')
  let card: Selected | undefined

  return {
    identify: () => inTurn(identify),
    find: () => inTurn(find),
    authenticate: (sector, kind, key) => inTurn(() => authenticate({ sector, kind, key: key.slice() })),
    readBlock: (block) => inTurn(() => readBlock(block)),
    writeBlock: (block, data) => inTurn(() => writeBlock(block, data)),
    readPages: (page) => inTurn(() => readPages(page)),
    writePage: (page, data) => inTurn(() => writePage(page, data)),
    off: () => inTurn(off),
    signal: (kind) => inTurn(() => signal(kind)),
    close: ours.close,
  }

  async function identify(): Promise<Identity> {
    await ask('rf-status')
    const { version: _version, ...told } = await identity(ask, model.toUpperCase())
    return told
  }

  async function find(): Promise<FoundCard | null> {
    card = undefined
    const seen = await select()
    if (!seen) return null
    card = { uid: seen.uid, turn: field.turn, written: false, left: false, login: null }
    return { uid: seen.uid, format: seen.format }
  }

  /** Looks anew: a card that is active already would not answer to being looked for. */
  async function select(): Promise<FoundCard | null> {
    if (field.on) await switchOff()
    const outcome = await askCard('rf-activate', onlyTypeA)
    return 'data' in outcome ? readActivation(outcome.data) : null
  }

  async function authenticate(login: Login): Promise<boolean> {
    const at = selected()
    demand(
      isByte(login.sector) && login.sector < 40 && login.key.length === 6,
      'a sector is 0..39, its key 6 bytes',
    )
    // A card that was lifted and put back refuses as well. What is refused right after a search is the key.
    for (let left = 2; left > 0; left--) {
      if (await logIn(at, login)) return true
      if (!(await isBack(at))) throw lost(at)
    }
    return false
  }

  async function logIn(at: Selected, login: Login): Promise<boolean> {
    at.login = null
    const outcome = await askCard('rf-login', cardCommand.login(login.sector, login.kind, login.key))
    if ('no' in outcome && outcome.no === 'out of range') throw notOnCard('rf-login', login.sector, outcome)
    if ('data' in outcome) at.login = login
    return 'data' in outcome
  }

  async function readBlock(block: number): Promise<Uint8Array> {
    demand(isByte(block), 'a block is 0..255')
    const { sector, index } = placeOf(block)
    return read(cardCommand.read(sector, index, 1), block)
  }

  async function readPages(page: number): Promise<Uint8Array> {
    demand(isByte(page), 'a page is 0..255')
    return read(cardCommand.read(0, page, pagesAtOnce), page)
  }

  async function read(command: Uint8Array, address: number): Promise<Uint8Array> {
    const at = selected()
    const { login } = at
    for (let left = 2; ; left--) {
      const outcome = await askCard('rf-read', command)
      if ('data' in outcome && outcome.data.length === 16) return Uint8Array.from(outcome.data)
      if (!(await isBack(at))) throw lost(at)
      if (left === 1 || (login && !(await logIn(at, login)))) throw notOnCard('rf-read', address, outcome)
    }
  }

  async function writeBlock(block: number, data: Uint8Array): Promise<void> {
    demand(isByte(block) && data.length === 16, 'a block is 0..255 and has 16 bytes')
    const { sector, index, isTrailer } = placeOf(block)
    demand(
      !isTrailer || factoryShaped(data),
      `the reader writes no trailer but one with the factory's access bits and key B, and ${block} is to have another`,
    )
    if (isTrailer)
      return write('rf-change-key', cardCommand.changeKey(sector, data.subarray(0, 6)), block, null)
    const isHeld = async (at: Selected, login: Login | null) => {
      // The card itself lets nobody write where he is not logged in.
      if (login?.sector !== sector) return false
      return (await logIn(at, login)) ? holds(cardCommand.read(sector, index, 1), data) : null
    }
    return write('rf-write', cardCommand.write(sector, index, data), block, isHeld)
  }

  async function writePage(page: number, data: Uint8Array): Promise<void> {
    demand(isByte(page) && data.length === 4, 'a page is 0..255 and has 4 bytes')
    const isHeld = () => holds(cardCommand.read(0, page, pagesAtOnce), data)
    return write('rf-write', cardCommand.write(0, page, data), page, page < firstUserPage ? null : isHeld)
  }

  /**
   * A write that is refused may have been carried out, its acknowledgement lost in the air: the card is asked. `isHeld`
   * says whether it holds the data, null when that cannot be seen.
   */
  async function write(
    name: 'rf-write' | 'rf-change-key',
    command: Uint8Array,
    address: number,
    isHeld: ((at: Selected, login: Login | null) => Promise<boolean | null>) | null,
  ): Promise<void> {
    const at = selected()
    const { login } = at
    at.written = true
    const outcome = await askCard(name, command)
    if ('data' in outcome) return
    if (outcome.no === 'out of range') throw notOnCard(name, address, outcome)
    const silent = (cause: unknown): never => {
      throw new DeviceFault('encoder-timeout-writing', `${name}: refused, then no answer`, {
        cause,
        ...outcome,
      })
    }
    if (!(await isBack(at).catch(silent))) throw lost(at, outcome)
    const held = isHeld ? await isHeld(at, login).catch(silent) : null
    if (held) return
    const word = held === null ? 'card-verify-failed' : 'card-write-protected'
    throw new DeviceFault(word, `${name}: the card refuses to be written at ${address}`, outcome)
  }

  async function holds(command: Uint8Array, data: Uint8Array): Promise<boolean | null> {
    const outcome = await askCard('rf-read', command)
    if (!('data' in outcome)) return null
    return Buffer.from(outcome.data.subarray(0, data.length)).equals(data)
  }

  async function off(): Promise<void> {
    card = undefined
    await switchOff()
  }

  /** A machine may answer that nothing was active: then it is off as well. */
  async function switchOff(): Promise<void> {
    const outcome = await askCard('rf-off')
    if ('no' in outcome) field.on = false
  }

  /** The F3 has a light: blinking while a card is awaited, quickly when something went wrong. */
  async function signal(kind: 'ready' | 'good' | 'bad'): Promise<void> {
    if (commands.light) await ask('light', Uint8Array.of(lights[kind]))
  }

  function selected(): Selected {
    if (!card) throw new DeviceFault('no-card', 'no card was found yet')
    if (card.turn !== field.turn) card.left = true
    if (card.left) throw lost(card)
    return card
  }

  /** After a refusal the card has fallen silent. Selects it again; false when it is gone or another lies there. */
  async function isBack(at: Selected): Promise<boolean> {
    at.login = null
    const seen = await select()
    at.turn = field.turn
    at.left = !seen || !Buffer.from(at.uid).equals(seen.uid)
    return !at.left
  }

  function lost(at: Selected, outcome: { vendorCode?: string } = {}): DeviceFault {
    if (!at.written) return new DeviceFault('no-card', 'the card found before is gone', outcome)
    return new DeviceFault('card-removed', 'the card is gone, and was written to', outcome)
  }

  function notOnCard(name: string, address: number, outcome: Outcome): DeviceFault {
    const vendorCode = 'no' in outcome ? outcome.vendorCode : 'too short'
    return new DeviceFault('card-incompatible', `${name}: the card refuses ${address}`, { vendorCode })
  }
}

const lights = { ready: 0x85, good: 0x40, bad: 0x81 } as const

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

function demand(met: boolean, detail: string): void {
  if (!met) throw new DeviceFault('unsupported-operation', detail)
}

function isByte(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0xff
}
