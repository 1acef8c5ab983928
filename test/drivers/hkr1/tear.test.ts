import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lockSystem } from '../../../drivers/hkr1/lock-system.ts'
import type { Grant } from '../../../src/devices/capability.ts'
import {
  cardFromImage,
  cardImage,
  type SimulatedCard,
} from '../../../src/simulators/devices/simulated-card.ts'
import {
  damagedCard,
  doorOf,
  erase,
  grant,
  holding,
  makers,
  night,
  read,
  recordAt,
  settings,
  technologies,
  write,
} from './house.ts'
import { found, memoryEncoder, type Tear } from './memory-encoder.ts'

const newer: Grant = { ...grant, sequence: 43, copy: true, authorizations: ['Spa'], credential: 0x0a0b0c0d }

/** Cards on which something is about to be written. */
const situations: Record<string, (card: SimulatedCard) => Promise<unknown>> = {
  'a new card': async () => {},
  'a card with an older key': (card) => write(card),
  'an erased card': async (card) => {
    await write(card)
    await erase(card)
  },
  'a damaged card': async (card) => {
    await write(card)
    card.memory[recordAt[card.technology] + 16]! ^= 1
  },
}

async function torn(card: SimulatedCard, action: 'write' | 'erase', tear: Tear): Promise<string[]> {
  const encoder = memoryEncoder(card, tear)
  const system = lockSystem(settings)
  await encoder.find()
  const doing =
    action === 'write' ? system.write(encoder, found(card), newer) : system.erase(encoder, found(card))
  await assert.rejects(doing, { name: 'DeviceFault', code: 'card-removed', outcomeUnknown: true })
  return [...encoder.written]
}

/** Says the grant a card is read to hold, having proven that a door agrees. */
async function agreedGrant(card: SimulatedCard, what: string): Promise<Grant | null> {
  const content = await read(card)
  assert.equal(doorOf().present(card, night).opens, content.grant !== null, what)
  return content.grant
}

for (const technology of technologies) {
  const cell = { classic: 16, ultralight: 4, ntag: 4, desfire: 16 }[technology]
  for (const [name, prepare] of Object.entries(situations)) {
    const prepared = async () => {
      const card = makers[technology]()
      await prepare(card)
      return cardImage(card)
    }

    describe(`a tear while writing on ${name} of the kind ${technology}`, () => {
      it('between two writes leaves the old key or none, and a card that can be written again', async () => {
        const image = await prepared()
        const old = (await read(cardFromImage(image))).grant
        const all = await write(cardFromImage(image), newer)
        for (const afterWrites of all.keys()) {
          const card = cardFromImage(image)
          assert.deepEqual(await torn(card, 'write', { afterWrites, bytes: 0 }), all.slice(0, afterWrites))
          const expected = afterWrites === 0 ? old : null
          assert.deepEqual(await agreedGrant(card, `after ${afterWrites}`), expected, `after ${afterWrites}`)
          await write(card, newer)
          assert.deepEqual(await agreedGrant(card, 'written again'), newer)
        }
      })

      it('within a write leaves a whole key or none', async () => {
        const image = await prepared()
        const old = (await read(cardFromImage(image))).grant
        const all = await write(cardFromImage(image), newer)
        for (const afterWrites of all.keys()) {
          for (let bytes = 1; bytes <= cell; bytes++) {
            const card = cardFromImage(image)
            await torn(card, 'write', { afterWrites, bytes })
            const what = `${bytes} bytes after ${afterWrites}`
            const left = await agreedGrant(card, what)
            const last = afterWrites === all.length - 1
            assert.deepEqual(left, last && left ? newer : afterWrites === 0 && left ? old : null, what)
          }
        }
      })
    })
  }

  describe(`a tear while erasing a card of the kind ${technology}`, () => {
    it('leaves the key or none, and a card that can be erased again', async () => {
      const written = makers[technology]()
      await write(written)
      const image = cardImage(written)
      const all = await erase(cardFromImage(image))
      for (const afterWrites of all.keys()) {
        for (let bytes = 0; bytes < cell; bytes++) {
          const card = cardFromImage(image)
          await torn(card, 'erase', { afterWrites, bytes })
          const left = await agreedGrant(card, `${bytes} bytes after ${afterWrites}`)
          assert.deepEqual(left, afterWrites === 0 && bytes === 0 ? grant : null)
          if (bytes > 0 || afterWrites === 0) continue
          assert.deepEqual(await read(card), damagedCard)
          await erase(card)
          assert.equal((await read(card)).blank, true)
        }
      }
    })
  })
}

describe('a torn copy', () => {
  it('leaves the original as it was', async () => {
    const original = makers.classic()
    await write(original)
    const copy = makers.classic('66CF4DC3')
    await torn(copy, 'write', { afterWrites: 3, bytes: 0 })
    assert.deepEqual(await read(original), holding(grant))
  })
})
