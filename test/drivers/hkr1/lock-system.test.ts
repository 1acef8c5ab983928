import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import driver from '../../../drivers/hkr1/driver.ts'
import { lockSystem } from '../../../drivers/hkr1/lock-system.ts'
import { encode } from '../../../drivers/hkr1/record.ts'
import type { Hkr1Settings } from '../../../drivers/hkr1/settings.ts'
import type { Grant } from '../../../src/devices/capability.ts'
import { sectorTrailer, transportKey } from '../../../src/devices/mifare-classic.ts'
import { cardImage, type SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import {
  blankCard,
  damagedCard,
  elsewhere,
  erase,
  exampleKey,
  foreignCard,
  grant,
  hex,
  holding,
  makers,
  read,
  recordAt,
  settings,
  shown,
  technologies,
  write,
} from './house.ts'
import { found, memoryEncoder } from './memory-encoder.ts'

const pages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `page ${from + index}`)

/** Puts bytes where the record lies, past all keys. */
function plant(card: SimulatedCard, bytes: Uint8Array): void {
  card.memory.set(bytes, recordAt[card.technology])
}

for (const technology of technologies) {
  const blank = makers[technology]

  describe(`HKR1 on a card of the kind ${technology}`, () => {
    it('reads a new card as blank', async () => assert.deepEqual(await read(blank()), blankCard))

    const grants: Record<string, Partial<Grant>> = {
      'a guest key': {},
      'a copy': { copy: true },
      'a one-time key': { usage: 'OneShot' },
      'a copied staff key': { usage: 'Staff', copy: true },
      'a key of no common door': { authorizations: [] },
      'a key of every common door': { authorizations: ['Garage', 'Pool', 'Spa'] },
      'the greatest numbers': { lock: '4294967295', sequence: 4294967295, credential: 4294967295 },
      'the least numbers': { lock: '1', sequence: 0, credential: 1 },
    }
    for (const [name, difference] of Object.entries(grants)) {
      it(`reads back ${name} exactly`, async () => {
        const card = blank()
        await write(card, { ...grant, ...difference })
        assert.deepEqual(await read(card), holding({ ...grant, ...difference }))
      })
    }

    it('widens a window to whole seconds, and sorts authorizations', async () => {
      const card = blank()
      const { validFrom, validUntil } = grant
      await write(card, {
        ...grant,
        validFrom: validFrom + 999,
        validUntil: validUntil - 999,
        authorizations: ['Pool', 'Garage', 'Pool'],
      })
      assert.deepEqual(await read(card), holding(grant))
    })

    it('replaces an older key', async () => {
      const card = blank()
      await write(card)
      const next = { ...grant, lock: '7', sequence: 3, credential: 9 }
      await write(card, next)
      assert.deepEqual(await read(card), holding(next))
    })

    it('erases a key and writes another on the same card', async () => {
      const card = blank()
      await write(card)
      await erase(card)
      assert.deepEqual(await read(card), blankCard)
      await write(card, { ...grant, sequence: 43 })
      assert.deepEqual(await read(card), holding({ ...grant, sequence: 43 }))
    })

    it('does nothing to erase a blank card', async () => {
      const card = blank()
      assert.deepEqual(await erase(card), [])
      await write(card)
      await erase(card)
      assert.deepEqual(await erase(card), [])
    })

    it('sees a record with any wrong bit as no grant, and can use the card again', async () => {
      const card = blank()
      await write(card)
      const whole = card.memory.slice()
      for (let bit = 0; bit < 384; bit++) {
        card.memory.set(whole)
        card.memory[recordAt[technology] + (bit >> 3)]! ^= 0x80 >> (bit & 7)
        assert.equal((await read(card)).grant, null, `bit ${bit}`)
      }
      assert.deepEqual(await read(card), damagedCard)
      await erase(card)
      assert.deepEqual(await read(card), blankCard)
    })

    it('leaves cards of another house as they are', async () => {
      const card = blank()
      await write(card, grant, elsewhere)
      const before = cardImage(card)
      assert.deepEqual(await read(card), foreignCard)
      await assert.rejects(write(card), { name: 'DeviceFault', code: 'card-incompatible' })
      await assert.rejects(erase(card), { name: 'DeviceFault', code: 'card-write-protected' })
      assert.deepEqual(cardImage(card), before)
      assert.deepEqual(await read(card, elsewhere), holding(grant))
    })

    // What lies on a DESFire outside our application is no business of ours.
    it('leaves unknown content on an unprotected card as it is', {
      skip: technology === 'desfire' && 'does not apply: other applications are no business of ours',
    }, async () => {
      const card = blank()
      plant(card, hex('0311D1010D5504'))
      const before = cardImage(card)
      assert.deepEqual(await read(card), foreignCard)
      await assert.rejects(write(card), { code: 'card-incompatible' })
      await assert.rejects(erase(card), { code: 'card-write-protected' })
      assert.deepEqual(cardImage(card), before)
    })

    it('leaves an authentic record of another issuer of the house as it is', async () => {
      for (const unusual of [{ privacyOverride: true }, { oneShot: true, staff: true }]) {
        const card = blank()
        await write(card)
        const record = {
          ...{ duplicate: false, oneShot: false, privacyOverride: false, staff: false },
          ...{
            site: 1,
            keyId: 1,
            sequence: 1,
            validFrom: 1,
            validUntil: 2,
            lock: 1,
            doors: 0,
            credential: 1,
          },
          ...unusual,
        }
        plant(card, encode(record, card.uid, exampleKey))
        assert.deepEqual(await read(card), foreignCard)
        await assert.rejects(write(card), { code: 'card-incompatible' })
        await assert.rejects(erase(card), { code: 'card-write-protected' })
      }
    })

    it('understands records of an older signing key, and no longer once it is withdrawn', async () => {
      const card = blank()
      await write(card)
      const renewed: Hkr1Settings = {
        ...settings,
        keyId: 2,
        keys: new Map([...settings.keys, [2, exampleKey.toReversed()]]),
      }
      assert.deepEqual(await read(card, renewed), holding(grant))
      await write(card, { ...grant, sequence: 43 }, renewed)
      assert.deepEqual(await read(card, renewed), holding({ ...grant, sequence: 43 }))
      assert.equal((await read(card)).grant, null)
    })

    it('shows common doors that have lost their name', async () => {
      const card = blank()
      await write(card)
      const fewer = { ...settings, commonDoors: new Map([['Pool', 0]]) }
      assert.deepEqual(await read(card, fewer), holding({ ...grant, authorizations: ['#2', 'Pool'] }))
    })

    const refused: [string, Partial<Grant>, Partial<Hkr1Settings>, string][] = [
      ['a spare key', { usage: 'Spare' }, {}, 'unsupported-operation'],
      ['a lock code that is none', { lock: '0101' }, {}, 'unit-unknown'],
      ['an unknown common door', { authorizations: ['Pool', 'Roof'] }, {}, 'authorization-unknown'],
      [
        'a common door whose bit another one shares',
        {},
        { commonDoors: new Map([...settings.commonDoors, ['Sauna', 2]]) },
        'authorization-unknown',
      ],
      ['a signing key that is not there', {}, { keyId: 3 }, 'lock-system-auth-failed'],
      ['a window that never opens', { validUntil: grant.validFrom }, {}, 'lock-system-rejected'],
      ['a window past the year 2106', { validUntil: 2 ** 32 * 1000 }, {}, 'lock-system-rejected'],
      ['an issue number that does not fit', { sequence: 2 ** 32 }, {}, 'lock-system-rejected'],
      ['a key number of zero', { credential: 0 }, {}, 'lock-system-rejected'],
    ]
    for (const [name, difference, setting, code] of refused) {
      it(`refuses ${name} before the card is touched`, async () => {
        const card = blank()
        const before = cardImage(card)
        const writing = write(card, { ...grant, ...difference }, { ...settings, ...setting })
        await assert.rejects(writing, { name: 'DeviceFault', code, outcomeUnknown: false })
        assert.deepEqual(cardImage(card), before)
      })
    }

    it('writes the cell with the magic last, and zeroes it first where there is a record', async () => {
      const card = blank()
      const [fresh = [], again = []] = {
        classic: [
          ['block 5', 'block 6', 'block 7', 'block 4'],
          ['block 4', 'block 5', 'block 6', 'block 4'],
        ],
        ultralight: [
          [...pages(5, 15), 'page 4'],
          ['page 4', ...pages(5, 15), 'page 4'],
        ],
        ntag: [
          ['page 4', ...pages(5, 15), 'page 4'],
          ['page 4', ...pages(5, 15), 'page 4'],
        ],
        desfire: [
          [
            ...['application 4737841', 'file 1', 'key 1', 'key 2', 'key 0'],
            ...['file 1 at 16', 'file 1 at 32', 'file 1 at 0'],
          ],
          ['file 1 at 0', 'file 1 at 16', 'file 1 at 32', 'file 1 at 0'],
        ],
      }[technology]
      assert.deepEqual(await write(card), fresh)
      assert.deepEqual(await write(card), again)
    })
  })
}

describe('HKR1 on a MIFARE Classic', () => {
  it('leaves the published bytes on the card', async () => {
    const card = makers.classic()
    await write(card)
    assert.equal(
      shown(card.memory.subarray(64, 128)),
      '484B0100000101000000002A6A6CB8706A71AA10000000650000000500010007' +
        '841122AB698AF9B3E4E33A5AE2FD9C0A8E33A43F1CB778778869C95291312803',
    )
  })

  it('lets key A read and not write, and keeps the transport key out', async () => {
    const card = makers.classic()
    await write(card)
    assert.equal(card.login(1, 'A', transportKey), false)
    assert.ok(card.login(1, 'A', hex('8E33A43F1CB7')))
    assert.equal(card.writeBlock(4, new Uint8Array(16), { sector: 1, kind: 'A' }), false)
    assert.equal(card.writeBlock(7, new Uint8Array(16), { sector: 1, kind: 'A' }), false)
  })

  it('uses the sector it is told to, and no other', async () => {
    const card = makers.classic()
    const before = card.memory.slice()
    const last = { ...settings, sector: 15 }
    assert.deepEqual(await write(card, grant, last), ['block 61', 'block 62', 'block 63', 'block 60'])
    assert.deepEqual(card.memory.subarray(0, 960), before.subarray(0, 960))
    assert.deepEqual(await read(card, last), holding(grant))
    assert.deepEqual(await read(card), blankCard)
  })

  it('keeps the trailer when it erases', async () => {
    const card = makers.classic()
    await write(card)
    const trailer = card.memory.slice(112, 128)
    await erase(card)
    assert.deepEqual(card.memory.slice(64, 128), Uint8Array.of(...new Uint8Array(48), ...trailer))
  })

  it('uses a card again whose record became unreadable behind our own keys', async () => {
    const card = makers.classic()
    await write(card)
    plant(card, hex('C0FFEE'))
    assert.deepEqual(await read(card), damagedCard)
    await write(card)
    assert.deepEqual(await read(card), holding(grant))
  })

  it('takes no key of an unprotected sector for a grant, where no door could read it', async () => {
    const card = makers.classic()
    await write(card)
    const record = card.memory.slice(64, 112)
    const open = makers.classic()
    plant(open, record)
    assert.deepEqual(await read(open), damagedCard)
    await write(open)
    assert.deepEqual(await read(open), holding(grant))
  })

  it('touches no sector with a transport key A and access bits of someone else', async () => {
    const card = makers.classic()
    card.memory.set(sectorTrailer(transportKey, [0, 0, 0, 0b011], hex('010203040506')), 112)
    const before = cardImage(card)
    assert.deepEqual(await read(card), foreignCard)
    await assert.rejects(write(card), { code: 'card-incompatible' })
    await assert.rejects(erase(card), { code: 'card-write-protected' })
    assert.deepEqual(cardImage(card), before)
  })

  it('takes no record for a grant when the sector has our key A and other access bits', async () => {
    const card = makers.classic()
    await write(card)
    card.memory.set(sectorTrailer(hex('8E33A43F1CB7'), [0, 0, 0, 1], transportKey), 112)
    assert.deepEqual(await read(card), damagedCard)
  })

  it('writes no record on a card that does not accept the keys it was given', async () => {
    const card = makers.classic()
    const encoder = memoryEncoder(card)
    await encoder.find()
    const forgetful = {
      ...encoder,
      authenticate: async (...login: Parameters<typeof encoder.authenticate>) =>
        !encoder.written.includes('block 7') && encoder.authenticate(...login),
    }
    const writing = lockSystem(settings).write(forgetful, found(card), grant)
    await assert.rejects(writing, { code: 'card-verify-failed', outcomeUnknown: true })
    assert.deepEqual(await read(card), damagedCard)
  })

  it('notices that the card was taken away, or another one put there, after a refused key', async () => {
    const card = makers.classic()
    for (const next of [null, found(makers.classic('66CF4DC3'))]) {
      const encoder = memoryEncoder(card)
      await encoder.find()
      const find = async () => {
        await encoder.find()
        return next
      }
      const writing = lockSystem(settings).write({ ...encoder, find }, found(card), grant)
      await assert.rejects(writing, { code: 'no-card' })
      assert.deepEqual(encoder.written, [])
    }
  })

  it('passes the faults of the encoder on', async () => {
    const card = makers.classic()
    const encoder = memoryEncoder(card)
    await assert.rejects(lockSystem(settings).read(encoder, found(card)), { code: 'no-card' })
  })
})

describe('HKR1 on an Ultralight', () => {
  it('takes FF in the first page of a factory-new card for blank', async () => {
    const card = makers.ultralight()
    plant(card, hex('FFFFFFFF'))
    assert.deepEqual(await read(card), blankCard)
    assert.deepEqual(await erase(card), [])
    await write(card)
    assert.deepEqual(await read(card), holding(grant))
  })

  it('never writes to lock bytes and OTP', async () => {
    const card = makers.ultralight()
    const before = card.memory.slice(0, 16)
    await write(card)
    await erase(card)
    assert.deepEqual(card.memory.slice(0, 16), before)
  })

  it('says that a locked card cannot be written', async () => {
    const card = makers.ultralight()
    assert.ok(card.writePage(2, hex('0000F0FF')))
    await assert.rejects(write(card), { code: 'card-write-protected' })
    assert.deepEqual(await read(card), blankCard)
  })
})

describe('HKR1 on an Ultralight C', () => {
  it('uses the pages of every Ultralight', async () => {
    const card = makers.ultralight()
    const encoder = memoryEncoder(card)
    await encoder.find()
    const asUltralightC = { uid: card.uid, format: 'UltralightC' } as const
    await lockSystem(settings).write(encoder, asUltralightC, grant)
    assert.deepEqual((await lockSystem(settings).read(encoder, asUltralightC)).grant, grant)
  })
})

describe('the lock system HKR1', () => {
  const system = lockSystem(settings)

  it('refuses other kinds of cards', async () => {
    const card = makers.ultralight()
    const encoder = memoryEncoder(card)
    await encoder.find()
    // A DESFire is another kind for an encoder that cannot write one.
    for (const format of ['Desfire', 'unknown'] as const) {
      const other = { uid: card.uid, format }
      await assert.rejects(system.read(encoder, other), { code: 'card-incompatible' })
      await assert.rejects(system.write(encoder, other, grant), { code: 'card-incompatible' })
      await assert.rejects(system.erase(encoder, other), { code: 'card-incompatible' })
    }
    assert.deepEqual(encoder.written, [])
  })

  it('says which card it read', async () => {
    const card = makers.classic()
    const encoder = memoryEncoder(card)
    await encoder.find()
    const content = await system.read(encoder, { uid: card.uid, format: 'Mifare4K' })
    assert.deepEqual(content, { uid: card.uid, format: 'Mifare4K', ...blankCard })
  })

  it('names its common doors in order', () =>
    assert.deepEqual(system.authorizations, ['Garage', 'Pool', 'Spa']))

  for (const code of ['1', '101', '4294967295']) {
    it(`knows the lock code ${code}`, () => assert.equal(driver.lockCodeProblem(code), null))
  }
  for (const code of ['', '0', '-1', '0101', '1.5', '1e3', '4294967296', '99999999999', 'A1', ' 1', '1\n']) {
    it(`refuses the lock code ${JSON.stringify(code)} and says what one looks like`, () =>
      assert.match(String(driver.lockCodeProblem(code)), /1 to 4294967295/))
  }
})
