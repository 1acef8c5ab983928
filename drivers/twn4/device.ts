import type { Duplex } from 'node:stream'
import type { CardEncoder, FoundCard, Identity } from '../../src/devices/capability.ts'
import type { DeviceOptions } from '../../src/devices/driver.ts'
import { demand, isByte } from '../../src/devices/driving/demand.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { acting } from './acting.ts'
import { desfireEncoder } from './desfire.ts'
import { kindOf } from './kind.ts'
import { type Link, link } from './link.ts'
import { iso14443a, onlyIso14443a } from './protocol.ts'
import { isNtag, longestUid, type Proof, prove, selection } from './selection.ts'
import { signals } from './signals.ts'

export function twn4(wire: Duplex, { patience, options, clock }: DeviceOptions): CardEncoder {
  const line = link(wire, patience, clock, { crc: options.crc === true, binary: options.binary === true })
  const { ask, close } = line
  const cards = selection(line)
  const act = acting(ask, cards)
  const { inTurn, write } = act
  const show = signals(ask, patience, clock)
  let looksForCardsOnly = false

  return {
    identify: () => inTurn(() => identify(ask)),
    find: () => inTurn(find),
    authenticate: (sector, kind, key) => inTurn(() => authenticate(sector, kind, key)),
    readBlock: (block) => inTurn(() => read('readBlock', block)),
    writeBlock: (block, data) => inTurn(() => writeBlock(block, data)),
    readPages: (page) => inTurn(() => read(isNtag(cards.current().chip) ? 'readNtag' : 'readPages', page)),
    writePage: (page, data) => inTurn(() => writePage(page, data)),
    unlockPages: (password, acknowledgement) => inTurn(() => unlockPages(password, acknowledgement)),
    desfire: desfireEncoder(ask, cards, act),
    off: () => inTurn(off),
    signal: (kind) => inTurn(() => show(kind)),
    close,
  }

  async function find(): Promise<FoundCard | null> {
    cards.drop()
    if (!looksForCardsOnly) await ask('setTagTypes', ...onlyIso14443a)
    looksForCardsOnly = true
    const tag = await ask('searchTag', longestUid)
    // Any other tag than we look for means that the reader forgot what we look for: it was without power.
    looksForCardsOnly = !tag || tag.type === iso14443a
    if (!tag || !looksForCardsOnly) return null

    const card = cards.choose({ uid: tag.uid, chip: undefined, proof: undefined })
    const kind = await kindOf(ask, () => cards.isBack(card))
    if (kind === null) return (await cards.isBack(card)) ? { uid: tag.uid, format: 'unknown' } : null
    card.chip = kind.chip
    return { uid: tag.uid, ...kind }
  }

  function authenticate(sector: number, kind: 'A' | 'B', key: Uint8Array): Promise<boolean> {
    demandCard()
    demand(isByte(sector) && sector < 40 && key.length === 6, 'a sector is 0..39 and its key 6 bytes')
    return letIn({ to: 'sector', sector, kind, key: Uint8Array.from(key) })
  }

  function unlockPages(password: Uint8Array, acknowledgement: Uint8Array): Promise<boolean> {
    demandCard()
    demand(
      password.length === 4 && acknowledgement.length === 2,
      'a password is 4 bytes, acknowledged with 2',
    )
    return letIn({
      to: 'pages',
      password: Uint8Array.from(password),
      acknowledgement: Uint8Array.from(acknowledgement),
    })
  }

  /** A card that was lifted and put back refuses as well. What is refused right after a search is the proof. */
  async function letIn(proof: Proof): Promise<boolean> {
    const at = cards.current()
    at.proof = undefined
    for (let left = 2; left > 0; left--) {
      if (await prove(ask, proof, at.chip)) {
        at.proof = proof
        return true
      }
      await cards.expectBack(at)
    }
    return false
  }

  async function read(name: 'readBlock' | 'readPages' | 'readNtag', address: number): Promise<Uint8Array> {
    const at = cards.current()
    demand(isByte(address), 'an address is 0..255')
    const data = await ask(name, address)
    if (data) return Uint8Array.from(data)
    await cards.expectBack(at)
    at.proof = undefined
    throw new DeviceFault('card-incompatible', `${name}: the card refuses to be read at ${address}`)
  }

  function writeBlock(block: number, data: Uint8Array): Promise<void> {
    demandCard()
    demand(isByte(block) && data.length === 16, 'a block is 0..255 and its data 16 bytes')
    return write('writeBlock', [block, ...data], { what: 'block', at: block, data: Uint8Array.from(data) })
  }

  function writePage(page: number, data: Uint8Array): Promise<void> {
    const { chip } = cards.current()
    demand(isByte(page) && data.length === 4, 'a page is 0..255 and its data 4 bytes')
    const name = isNtag(chip) ? 'writeNtag' : 'writePage'
    return write(name, [page, ...data], { what: 'page', at: page, data: Uint8Array.from(data) })
  }

  async function off(): Promise<void> {
    cards.drop()
    await ask('rfOff')
  }

  /** That there is no card is said before what is wrong with the question. */
  function demandCard(): void {
    cards.current()
  }
}

async function identify(ask: Link['ask']): Promise<Identity> {
  const firmware = await ask('version', 0xff)
  const speaks = firmware.includes('TWN4') && firmware.includes('PRS')
  demand(speaks, `the firmware ${JSON.stringify(firmware)} does not speak Simple Protocol`)
  const uid = await ask('deviceUid')
  return { model: 'TWN4', firmware, serialNumber: uid.toString('hex').toUpperCase() }
}
