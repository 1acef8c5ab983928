import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lockSystem } from '../../../drivers/hkr1/lock-system.ts'
import type { Hkr1Settings } from '../../../drivers/hkr1/settings.ts'
import type { PageChip } from '../../../src/devices/capability.ts'
import { cardImage, ntagCard } from '../../../src/simulators/devices/simulated-card.ts'
import {
  blankCard,
  doorOf,
  erase,
  grant,
  hex,
  hmac,
  holding,
  makers,
  night,
  read,
  settings,
  shown,
  write,
} from './house.ts'
import { found, memoryEncoder } from './memory-encoder.ts'

describe('HKR1 on an NTAG', () => {
  const guarded: Hkr1Settings = { ...settings, pagePassword: true }
  const chips: [chip: PageChip, config: number][] = [
    ['NTAG213', 0x29],
    ['NTAG215', 0x83],
    ['NTAG216', 0xe3],
  ]
  const secret = hmac('HKR1-PWD', hex('04E141124C2880')).subarray(0, 6)

  for (const [chip, config] of chips) {
    const blank = () => ntagCard(hex('04E141124C2880'), chip as 'NTAG213')

    it(`takes what a new ${chip} is delivered with for blank`, async () => {
      assert.deepEqual(await read(blank()), blankCard)
      assert.deepEqual(await erase(blank()), [])
    })

    it(`gives a ${chip} a password only where it is asked to`, async () => {
      const card = blank()
      const before = card.memory.slice(64)
      await write(card)
      assert.deepEqual(card.memory.slice(64), before)
    })

    it(`keeps others from overwriting a ${chip}, and locks nobody out`, async () => {
      const card = blank()
      const written = await write(card, grant, guarded)
      const at = config * 4
      assert.deepEqual(
        written.slice(-4),
        [config + 2, config + 3, config, 4].map((page) => `page ${page}`),
      )
      assert.equal(shown(card.memory.subarray(at, at + 8)), '0400000400050000', 'AUTH0 4; PROT 0, AUTHLIM 0')
      assert.equal(shown(card.memory.subarray(at + 8, at + 14)), shown(secret))
      assert.equal(card.writePage(15, hex('00000000')), false)
      assert.deepEqual(await read(card), holding(grant))
      assert.ok(doorOf().present(card, night).opens)
    })
  }

  it('writes and erases a card it once gave a password, whatever is asked for today', async () => {
    const card = makers.ntag()
    await write(card, grant, guarded)
    await write(card, { ...grant, sequence: 43 })
    assert.deepEqual(await read(card), holding({ ...grant, sequence: 43 }))
    await erase(card)
    assert.deepEqual(await read(card), blankCard)
    await write(card, grant, guarded)
    assert.deepEqual(await read(card), holding(grant))
  })

  it('leaves a card with the password of someone else as it is', async () => {
    const card = makers.ntag()
    card.memory.set([4], 0x29 * 4 + 3)
    const before = cardImage(card)
    await assert.rejects(write(card), { code: 'card-incompatible' })
    await assert.rejects(erase(card), { code: 'card-write-protected' })
    assert.deepEqual(cardImage(card), before)
  })

  it('uses up no attempt at the password of someone else that the card counts', async () => {
    const card = makers.ntag()
    const theirs = hex('01020304')
    card.memory.set(theirs, 0x2b * 4)
    card.memory.set([0x01], 0x2a * 4)
    card.memory.set([4], 0x29 * 4 + 3)
    await assert.rejects(write(card), { code: 'card-incompatible' })
    await assert.rejects(erase(card), { code: 'card-write-protected' })
    assert.notEqual(card.unlock(theirs), null, 'its owner can still write it')
  })

  it('opens what would lock the card after wrong passwords, and what keeps doors from reading', async () => {
    const card = makers.ntag()
    card.memory.set([0x87], 0x2a * 4)
    await write(card, grant, guarded)
    assert.equal(card.memory[0x2a * 4], 0)
  })

  it('leaves a card open, and without a key, whose password was torn', async () => {
    const all = await write(makers.ntag(), grant, guarded)
    for (const afterWrites of all.keys()) {
      for (const bytes of [0, 1, 2, 3]) {
        const card = makers.ntag()
        const encoder = memoryEncoder(card, { afterWrites, bytes })
        await encoder.find()
        await assert.rejects(lockSystem(guarded).write(encoder, found(card), grant), { code: 'card-removed' })
        // Half of a first page is nothing that we know, and three quarters of ours may be all of it.
        if (all[afterWrites] === 'page 4' && bytes > 0) continue
        assert.equal((await read(card)).grant, null, `${bytes} bytes after ${afterWrites}`)
        await write(card, grant, guarded)
        assert.deepEqual(await read(card), holding(grant))
      }
    }
  })
})
