import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import driver from '../../../drivers/twn4/driver.ts'
import type { Twn4CommandName } from '../../../drivers/twn4/protocol.ts'
import { reader, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import type { CardEncoder } from '../../../src/devices/capability.ts'
import {
  classicCard,
  ntagCard,
  type SimulatedCard,
  ultralightCard,
} from '../../../src/simulators/devices/simulated-card.ts'
import { testClock } from '../../test-clock.ts'
import { application, block, key, madeDesfire, newKey, when } from '../encoder-calls.ts'

const clock = testClock()

/** A driver on a wire on which what the reader answers to a command is made into other bytes. */
function tampered(options: { crc: boolean; binary: boolean }, card: SimulatedCard) {
  const [box, near] = duplexPair()
  const [far, machine] = duplexPair()
  const played = reader({ clock, antenna: { cards: () => [card] }, ...options })
  let change: ((answer: Buffer) => Buffer[]) | null = null
  near.on('data', (chunk: Uint8Array) => void far.write(chunk))
  far.on('data', (chunk: Uint8Array) => {
    const parts = change?.(Buffer.from(chunk)) ?? [chunk]
    change = null
    for (const part of parts) near.write(part)
  })
  void simulateTwn4(machine, played)
  const encoder = driver.open(box, { model: 'twn4', patience: 1, options, clock })
  return {
    encoder,
    /** The next answer to this command. */
    answer(at: Twn4CommandName, next: (answer: Buffer) => Buffer[]) {
      const tamper = () => {
        change = next
      }
      played.misbehaviours.push(when(at, tamper))
    },
  }
}

/** What a write to each kind of card is, what proves it, and how its command is called. */
const writes = {
  classic: {
    card: () => classicCard(Uint8Array.of(0x66, 0xcf, 0x4d, 0xc2)),
    at: 'writeBlock',
    enter: async (encoder: CardEncoder) => assert.ok(await encoder.authenticate(1, 'A', key)),
    write: (encoder: CardEncoder) => encoder.writeBlock(4, block),
    held: (card: SimulatedCard) => card.memory.slice(64, 80),
  },
  ntag: {
    card: () => ntagCard(Uint8Array.fromHex('04E141124C2880')),
    at: 'writeNtag',
    enter: async () => {},
    write: (encoder: CardEncoder) => encoder.writePage(8, block.subarray(0, 4)),
    held: (card: SimulatedCard) => card.memory.slice(32, 36),
  },
  desfire: {
    card: madeDesfire,
    at: 'writeFile',
    enter: async ({ desfire }: CardEncoder) => {
      assert.ok(await desfire?.select(application))
      assert.ok(await desfire?.authenticate(2, newKey))
    },
    write: ({ desfire }: CardEncoder) => desfire!.write(1, 0, block, 'enciphered'),
    held: (card: SimulatedCard) => card.desfire!.read({ application, key: 1 }, 1, 0, 16, 'enciphered')!,
  },
} as const

describe('twn4 with a write whose answer is spoilt', () => {
  type Spoil = (answer: Buffer) => Buffer[]
  const end = (answer: Buffer) => answer.subarray(0, -1)
  const spoilt: [name: string, spoil: Spoil, understood: boolean][] = [
    ['comes in single bytes', (answer) => [...answer].map((byte) => Buffer.of(byte)), true],
    ['never ends', (answer) => [end(answer)], false],
    ['has lost its first digits', (answer) => [answer.subarray(2)], false],
    ['has garbage before it', (answer) => [Buffer.from('z'), answer], false],
    ['has garbage in it', (answer) => [Buffer.from(answer).fill(0xb0, 1, 2)], false],
    ['is that of another command', () => [Buffer.from('0001802004AABBCCDD\r')], false],
  ]
  for (const [kind, { card: make, at, enter, write, held }] of Object.entries(writes))
    for (const [name, spoil, understood] of spoilt)
      it(`on a card of the kind ${kind}: ${name}`, async () => {
        const card = make()
        const { encoder, answer } = tampered({ crc: false, binary: false }, card)
        assert.ok(await encoder.find())
        await enter(encoder)
        answer(at, spoil)
        if (understood) await write(encoder)
        else await assert.rejects(write(encoder), { code: 'encoder-timeout-writing', outcomeUnknown: true })
        assert.deepEqual(held(card), block.subarray(0, held(card).length), 'it was written all the same')
        assert.ok(await encoder.find())
        await enter(encoder)
        await write(encoder)
        encoder.close()
      })

  for (const binary of [false, true])
    for (const [kind, { card: make, at, enter, write, held }] of Object.entries(writes))
      it(`on a card of the kind ${kind}, ${binary ? 'in binary mode' : 'in lines'}: has a wrong CRC`, async () => {
        const card = make()
        const { encoder, answer } = tampered({ crc: true, binary }, card)
        assert.ok(await encoder.find())
        await enter(encoder)
        const last = binary ? -1 : -2
        answer(at, (whole) => [
          whole.map((byte, index) => (index === whole.length + last ? byte ^ 1 : byte)) as Buffer,
        ])
        await assert.rejects(write(encoder), { code: 'encoder-timeout-writing', outcomeUnknown: true })
        assert.deepEqual(held(card), block.subarray(0, held(card).length))
        assert.ok(await encoder.find())
        await enter(encoder)
        await write(encoder)
        encoder.close()
      })

  it('in binary mode: half of an answer does not swallow the next', async () => {
    const card = writes.classic.card()
    const { encoder, answer } = tampered({ crc: false, binary: true }, card)
    assert.ok(await encoder.find())
    answer('sak', (whole) => [whole.subarray(0, 3)])
    await assert.rejects(encoder.find(), { code: 'encoder-timeout' })
    assert.deepEqual((await encoder.find())?.format, 'Mifare1K')
    encoder.close()
  })
})

describe('twn4 with another card at the second search', () => {
  for (const [kind, { card: make, at, enter, write }] of Object.entries(writes))
    it(`of the kind ${kind}: writes nothing more`, async () => {
      const cards = [make()]
      const [box, machine] = duplexPair()
      const played = reader({ clock, antenna: { cards: () => cards } })
      void simulateTwn4(machine, played)
      const encoder = driver.open(box, { model: 'twn4', patience: 1, options: {}, clock })
      assert.ok(await encoder.find())
      await enter(encoder)
      const other = ultralightCard(Uint8Array.fromHex('04E141124C2881'))
      const before = other.memory.slice()
      played.misbehaviours.push(when(at, () => void cards.splice(0, 1, other)))
      await assert.rejects(write(encoder), { code: 'card-removed', outcomeUnknown: true })
      await assert.rejects(write(encoder), { code: 'card-removed' })
      assert.deepEqual(other.memory, before)
      encoder.close()
    })
})
