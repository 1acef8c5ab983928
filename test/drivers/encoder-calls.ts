import assert from 'node:assert/strict'
import type { CardEncoder, DesfireEncoder } from '../../src/devices/capability.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Misbehaviour } from '../../src/simulators/devices/misbehaviour.ts'
import {
  classicCard,
  desfireCard,
  ntagCard,
  type SimulatedCard,
  ultralightCard,
} from '../../src/simulators/devices/simulated-card.ts'

/** An encoder and what it stands on: the cards on its antenna, in order, may be changed at any time. */
export interface EncoderBench {
  encoder: CardEncoder
  cards: SimulatedCard[]
  misbehaviours: Misbehaviour[]
}

/** Shorter than any deadline that is stretched tenfold: what waits for that instead of the wire's end is caught. */
export const notWaiting = 10_000
export const key = new Uint8Array(6).fill(0xff)
export const wrongKey = new Uint8Array(6).fill(0xa5)
export const block = Uint8Array.from({ length: 16 }, (_, index) => 0xf0 ^ index)
export const page = Uint8Array.of(0xde, 0xad, 0xbe, 0xef)

export const classic = () => classicCard(Uint8Array.of(0x66, 0xcf, 0x4d, 0xc2))
export const otherClassic = () => classicCard(Uint8Array.of(0x66, 0xcf, 0x4d, 0xc3))
export const ultralight = () => ultralightCard(Uint8Array.of(0x04, 0xe1, 0x41, 0x12, 0x4c, 0x28, 0x80))
const doubleUid = Uint8Array.of(0x04, 0xe1, 0x41, 0x12, 0x4c, 0x28, 0x80)

/** An NTAG213 that nobody writes to from page 4 on without its password. */
export function guardedNtag(): SimulatedCard {
  const card = ntagCard(doubleUid)
  card.memory.set([4], 0x29 * 4 + 3)
  card.memory.set([...password, ...acknowledgement], 0x2b * 4)
  return card
}
export const password = Uint8Array.of(0x50, 0x57, 0x44, 0x21)
export const acknowledgement = Uint8Array.of(0xac, 0x4b)

/** A DESFire with an application whose keys are new, and in it a file that key 1 reads and key 2 writes. */
export function madeDesfire(): SimulatedCard {
  const card = desfireCard(doubleUid)
  const chip = card.desfire!
  assert.ok(chip.createApplication({ application: 0, key: null }, application, governed))
  assert.ok(chip.createFile({ application, key: 0 }, 1, file))
  return card
}
export const application = 0x00f4_8120
export const governed = { rights: 0x09, keys: 3, type: 'AES' } as const
export const file = { mode: 'enciphered', rights: [1, 2, 0xf, 0], size: 48 } as const
export const newKey = { type: 'AES', bytes: new Uint8Array(16) } as const
export const newCardKey = { type: '3DES', bytes: new Uint8Array(16) } as const
export const ownKey = {
  type: 'AES',
  bytes: Uint8Array.from({ length: 16 }, (_, index) => 0xa0 + index),
} as const

/** Writes what it is told, and nobody hears it say so. */
export function unacknowledged(card: SimulatedCard): SimulatedCard {
  return {
    ...card,
    writeBlock: (...written) => card.writeBlock(...written) && false,
    writePage: (...written) => card.writePage(...written) && false,
    desfire: card.desfire && {
      ...card.desfire,
      write: (...written) => card.desfire!.write(...written) && false,
      createFile: (...made) => card.desfire!.createFile(...made) && false,
    },
  }
}

export async function loggedIn({ encoder, cards }: EncoderBench): Promise<void> {
  cards.push(classic())
  await encoder.find()
  assert.equal(await encoder.authenticate(1, 'A', key), true)
}

export async function found({ encoder, cards }: EncoderBench, card: SimulatedCard): Promise<void> {
  cards.push(card)
  assert.ok(await encoder.find())
}

/** The encoder's own part for DESFire, at work in the application with this key. */
export async function inApplication(
  { encoder, cards }: EncoderBench,
  keyNumber: number,
  card = madeDesfire(),
): Promise<DesfireEncoder> {
  cards.splice(0, cards.length, card)
  await encoder.find()
  const { desfire } = encoder
  assert.ok(desfire && (await desfire.select(application)))
  assert.ok(await desfire.authenticate(keyNumber, newKey))
  return desfire
}

export type Method = keyof typeof calls
export type CardMethod = keyof typeof cardCalls
export type Call = ReturnType<typeof call>

/** Every method that talks to the encoder: what comes before it, and how it is asked. */
export const calls = {
  identify: call(
    (bench) => found(bench, classic()),
    false,
    (encoder) => encoder.identify(),
  ),
  find: call(
    async (bench) => void bench.cards.push(classic()),
    false,
    (encoder) => encoder.find(),
  ),
  authenticate: call(
    (bench) => found(bench, classic()),
    false,
    (encoder) => encoder.authenticate(1, 'A', key),
  ),
  readBlock: call(loggedIn, false, (encoder) => encoder.readBlock(4)),
  writeBlock: call(loggedIn, true, (encoder) => encoder.writeBlock(4, block)),
  readPages: call(
    (bench) => found(bench, ultralight()),
    false,
    (encoder) => encoder.readPages(4),
  ),
  writePage: call(
    (bench) => found(bench, ultralight()),
    true,
    (encoder) => encoder.writePage(4, page),
  ),
  off: call(
    (bench) => found(bench, classic()),
    false,
    (encoder) => encoder.off(),
  ),
  signal: call(
    (bench) => found(bench, classic()),
    false,
    (encoder) => encoder.signal('good'),
  ),
}

async function onCardItself({ encoder, cards }: EncoderBench): Promise<void> {
  cards.push(madeDesfire())
  await encoder.find()
  assert.ok(await encoder.desfire?.select(0))
}

/** Methods that only some encoders have: what an encoder that has one is asked. */
export const cardCalls = {
  unlockPages: call(
    (bench) => found(bench, guardedNtag()),
    false,
    (encoder) => encoder.unlockPages!(password, acknowledgement),
  ),
  'desfire.select': call(
    (bench) => found(bench, madeDesfire()),
    false,
    ({ desfire }) => desfire!.select(application),
  ),
  'desfire.authenticate': call(
    (bench) => inApplication(bench, 1),
    false,
    ({ desfire }) => desfire!.authenticate(0, newKey),
  ),
  'desfire.settings': call(
    (bench) => inApplication(bench, 0),
    false,
    ({ desfire }) => desfire!.settings(),
  ),
  'desfire.file': call(
    (bench) => inApplication(bench, 0),
    false,
    ({ desfire }) => desfire!.file(1),
  ),
  'desfire.read': call(
    (bench) => inApplication(bench, 1),
    false,
    ({ desfire }) => desfire!.read(1, 0, 48, 'enciphered'),
  ),
  'desfire.write': call(
    (bench) => inApplication(bench, 2),
    true,
    ({ desfire }) => desfire!.write(1, 16, block, 'enciphered'),
  ),
  'desfire.createApplication': call(onCardItself, true, ({ desfire }) =>
    desfire!.createApplication(0x1234, governed),
  ),
  'desfire.createFile': call(
    (bench) => inApplication(bench, 0),
    true,
    ({ desfire }) => desfire!.createFile(2, file),
  ),
  'desfire.changeKey': call(
    (bench) => inApplication(bench, 0),
    true,
    ({ desfire }) => desfire!.changeKey(1, newKey.bytes, ownKey, governed),
  ),
  'desfire.format': call(
    async (bench) => {
      await onCardItself(bench)
      assert.ok(await bench.encoder.desfire?.authenticate(0, newCardKey))
    },
    true,
    ({ desfire }) => desfire!.format(),
  ),
}

function call(
  prepare: (bench: EncoderBench) => Promise<unknown>,
  writes: boolean,
  run: (encoder: CardEncoder) => Promise<unknown>,
) {
  return { prepare, writes, run }
}

/** No misbehaviour at all, but something happens when the command is met. */
export function when(at: string, then: () => void): Misbehaviour {
  return { at, does: 'pass', then }
}

/** For `assert.rejects`: a DeviceFault of this code, which says so of the outcome. */
export function fault(code: DeviceFault['code'], outcomeUnknown: boolean) {
  return (error: unknown): true => {
    assert.ok(error instanceof DeviceFault, String(error))
    assert.deepEqual(
      { code: error.code, outcomeUnknown: error.outcomeUnknown },
      { code, outcomeUnknown },
      error.message,
    )
    return true
  }
}
