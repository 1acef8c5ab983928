import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lockSystem } from '../../../drivers/hkr1/lock-system.ts'
import type { DesfireFile, DesfireSettings } from '../../../src/devices/capability.ts'
import { cardImage } from '../../../src/simulators/devices/simulated-card.ts'
import {
  blankCard,
  damagedCard,
  doorOf,
  elsewhere,
  erase,
  foreignCard,
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

describe('HKR1 on a DESFire', () => {
  const at = { application: 0x484b31, key: 0 }
  const zeros = new Uint8Array(16)
  const aes = (bytes: Uint8Array) => ({ type: 'AES', bytes }) as const
  const keyOf = (number: number) => aes(hmac(`HKR1-DF${number}`, hex('04E141124C2880')).subarray(0, 16))

  it('makes an application of its own, with keys of this very card', async () => {
    const card = makers.desfire()
    await write(card)
    const chip = card.desfire!
    for (const number of [0, 1, 2]) {
      assert.ok(chip.authenticate(0x484b31, number, keyOf(number)))
      assert.equal(chip.authenticate(0x484b31, number, aes(zeros)), false)
    }
    assert.deepEqual(chip.settings(at), { rights: 0x09, keys: 3, type: 'AES' })
    assert.deepEqual(chip.file(at, 1), { mode: 'enciphered', rights: [1, 2, 0xf, 0], size: 48 })
    assert.equal(chip.settings({ ...at, key: 1 }), null)
  })

  it('holds the published record, and shows it to key 1 alone', async () => {
    const card = makers.desfire()
    await write(card)
    const bytes = card.desfire!.read({ ...at, key: 1 }, 1, 0, 32, 'enciphered')!
    assert.equal(shown(bytes), '484B0100000101000000002A6A6CB8706A71AA10000000650000000500010007')
    for (const [key, mode] of [
      [0, 'enciphered'],
      [2, 'enciphered'],
      [null, 'plain'],
      [1, 'plain'],
    ] as const)
      assert.equal(card.desfire!.read({ ...at, key }, 1, 0, 48, mode), null)
  })

  it('leaves the master key of the card, and applications of others, as they are', async () => {
    const card = makers.desfire()
    const other = { rights: 0x0f, keys: 1, type: 'AES' } as const
    assert.ok(card.desfire!.createApplication({ application: 0, key: null }, 0x112233, other))
    const before = card.memory.slice(0, 16 + 512)
    await write(card)
    await erase(card)
    assert.deepEqual(card.memory.slice(0, 16 + 512), before)
  })

  it('uses the number it is told to, beside another house on the same card', async () => {
    const card = makers.desfire()
    const theirs = { ...elsewhere, application: 0xf48120 }
    await write(card)
    await write(card, { ...grant, lock: '7' }, theirs)
    assert.deepEqual(await read(card), holding(grant))
    assert.deepEqual(await read(card, theirs), holding({ ...grant, lock: '7' }))
    const { site, keys, master } = elsewhere
    assert.ok(doorOf({ lock: 7, site, keys, master, application: 0xf48120 }).present(card, night).opens)
  })

  it('writes to a card that wants its factory key for a new application', async () => {
    const card = makers.desfire()
    card.memory[16 + 4] = 0x09
    assert.deepEqual(await read(card), blankCard)
    await write(card)
    assert.deepEqual(await read(card), holding(grant))
  })

  describe('that is to get a master key of its own', () => {
    const closing = { ...settings, ownCardKey: true }
    const cardKey = aes(hmac('HKR1-DFC', hex('04E141124C2880')).subarray(0, 16))
    const factoryKey = { type: '3DES', bytes: zeros } as const

    it('gets one of this very card, which nobody can format then', async () => {
      const card = makers.desfire()
      const written = await write(card, grant, closing)
      assert.deepEqual(written.slice(0, 2), ['key 0', 'application 4737841'])
      assert.equal(card.desfire!.authenticate(0, 0, factoryKey), false)
      assert.ok(card.desfire!.authenticate(0, 0, cardKey))
      assert.deepEqual(await read(card), holding(grant))
      assert.ok(doorOf().present(card, night).opens)
    })

    it('lets us make our application again, though it be asked for a key', async () => {
      const card = makers.desfire()
      await write(card, grant, closing)
      assert.ok(card.desfire!.format({ application: 0, key: 0 }))
      card.memory[16 + 4] = 0x09
      assert.deepEqual(await read(card), blankCard)
      await write(card)
      assert.deepEqual(await read(card), holding(grant))
    })

    it('keeps the master key that someone else gave it', async () => {
      const card = makers.desfire()
      const theirs = aes(zeros.with(0, 0xaa))
      assert.ok(card.desfire!.changeKey({ application: 0, key: 0 }, 0, zeros, theirs))
      await write(card, grant, closing)
      assert.ok(card.desfire!.authenticate(0, 0, theirs))
      assert.deepEqual(await read(card), holding(grant))
    })

    it('has no key, and can be written again, wherever it is torn', async () => {
      const all = await write(makers.desfire(), grant, closing)
      for (const afterWrites of all.keys())
        for (const bytes of [0, 15]) {
          const card = makers.desfire()
          const encoder = memoryEncoder(card, { afterWrites, bytes })
          await encoder.find()
          await assert.rejects(lockSystem(closing).write(encoder, found(card), grant), {
            code: 'card-removed',
          })
          // A torn write of the file may end in bytes that stand there anyway: the key is then whole.
          if (afterWrites < all.length - 1) assert.equal((await read(card)).grant, null)
          await write(card, grant, closing)
          assert.deepEqual(await read(card), holding(grant))
          assert.ok(card.desfire!.authenticate(0, 0, cardKey))
        }
    })
  })

  it('leaves a card alone that lets nobody make an application', async () => {
    const card = makers.desfire()
    card.memory.set([0x09, 1, 1, 0, 0xaa], 16 + 4)
    const before = cardImage(card)
    assert.deepEqual(await read(card), foreignCard)
    await assert.rejects(write(card), { code: 'card-incompatible' })
    await assert.rejects(erase(card), { code: 'card-write-protected' })
    assert.deepEqual(cardImage(card), before)
  })

  it('leaves a card alone that shows a random serial number', async () => {
    const card = makers.desfire()
    const encoder = memoryEncoder(card)
    await encoder.find()
    const shy = { uid: hex('08C0FFEE'), format: 'Desfire' } as const
    const system = lockSystem(settings)
    assert.equal((await system.read(encoder, shy)).defect, 'foreign')
    await assert.rejects(system.write(encoder, shy, grant), { code: 'card-incompatible' })
    assert.deepEqual(encoder.written, [])
  })

  const strange: [name: string, settings: DesfireSettings, file: Partial<DesfireFile> | null][] = [
    ['another master key', { rights: 0x09, keys: 3, type: '3DES' }, null],
    ['more keys than ours', { rights: 0x09, keys: 4, type: 'AES' }, null],
    ['other rights than ours', { rights: 0x0f, keys: 3, type: 'AES' }, null],
    ['a file that all may read', { rights: 0x09, keys: 3, type: 'AES' }, { rights: [0xe, 2, 0xf, 0] }],
    ['a file in plain', { rights: 0x09, keys: 3, type: 'AES' }, { mode: 'plain' }],
    ['a smaller file', { rights: 0x09, keys: 3, type: 'AES' }, { size: 32 }],
  ]
  for (const [name, made, file] of strange)
    it(`completes no application of our number with ${name}`, async () => {
      const card = makers.desfire()
      assert.ok(card.desfire!.createApplication({ application: 0, key: null }, 0x484b31, made))
      const whole: DesfireFile = { mode: 'enciphered', rights: [1, 2, 0xf, 0], size: 48, ...file }
      if (file) assert.ok(card.desfire!.createFile(at, 1, whole))
      const before = cardImage(card)
      assert.deepEqual(await read(card), foreignCard)
      await assert.rejects(write(card), { code: 'card-incompatible' })
      await assert.rejects(erase(card), { code: 'card-write-protected' })
      assert.deepEqual(cardImage(card), before)
    })

  it('takes no record for a grant while the master key is that of a new application', async () => {
    const card = makers.desfire()
    await write(card)
    card.memory.fill(0, 16 + 256 + 8, 16 + 256 + 24)
    assert.deepEqual(await read(card), damagedCard)
    await write(card, { ...grant, sequence: 43 })
    assert.deepEqual(await read(card), holding({ ...grant, sequence: 43 }))
  })

  it('has no record before the master key is changed, wherever it is torn', async () => {
    const all = await write(makers.desfire())
    const closed = all.indexOf('key 0')
    for (const afterWrites of all.keys())
      for (const bytes of [0, 16]) {
        const card = makers.desfire()
        const encoder = memoryEncoder(card, { afterWrites, bytes })
        await encoder.find()
        await assert.rejects(lockSystem(settings).write(encoder, found(card), grant), {
          code: 'card-removed',
        })
        const isClosed = card.desfire!.authenticate(0x484b31, 0, keyOf(0))
        assert.equal(isClosed, afterWrites > closed || (afterWrites === closed && bytes > 0))
        if (!isClosed) assert.ok((await read(card)).blank)
      }
  })
})
