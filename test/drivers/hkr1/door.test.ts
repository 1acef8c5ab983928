import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { encode, type KeyRecord } from '../../../drivers/hkr1/record.ts'
import { sectorKeys, trailer } from '../../../drivers/hkr1/sector-keys.ts'
import { answers, type DoorMemory, type DoorOptions } from '../../../drivers/hkr1/simulator/door.ts'
import type { Grant } from '../../../src/devices/capability.ts'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import fc from '../../seed.ts'
import {
  arrival,
  departure,
  doorOf,
  elsewhere,
  erase,
  exampleKey,
  grant,
  hex,
  makers,
  night,
  otherUid,
  recordAt,
  settings,
  technologies,
  write,
} from './house.ts'

const minutes = 60_000

async function keyFor(difference: Partial<Grant> = {}, by = settings, card = makers.classic()) {
  await write(card, { ...grant, ...difference }, by)
  return card
}

/** What the door says to each card in turn. */
function said(door: ReturnType<typeof doorOf>, ...cards: SimulatedCard[]): string[] {
  return cards.map((card) => door.present(card, night).code)
}

const record: KeyRecord = {
  ...{ duplicate: false, oneShot: false, privacyOverride: false, staff: false },
  ...{ site: 1, keyId: 1, sequence: 42, lock: 101, doors: 0, credential: 7 },
  ...{ validFrom: arrival / 1000, validUntil: departure / 1000 },
}

it('the door shares no code with what writes the keys', async () => {
  const source = await readFile(new URL('../../../drivers/hkr1/simulator/door.ts', import.meta.url), 'utf8')
  const imported = [...source.matchAll(/^import .* from '(.*)'$/gm)].map(([, from]) => from)
  assert.deepEqual(imported, ['node:crypto', '../../../src/simulators/devices/simulated-card.ts'])
})

for (const technology of technologies) {
  const blank = makers[technology]

  describe(`a door and cards of the kind ${technology}`, () => {
    it('opens for its key, and says so', async () => {
      const card = await keyFor({}, settings, blank())
      const door = doorOf()
      const first = { opens: true, code: 'opened-newer', reason: answers['opened-newer'] }
      assert.deepEqual(door.present(card, night), first)
      assert.deepEqual(door.present(card, night), { opens: true, code: 'opened', reason: answers.opened })
      assert.deepEqual(door.memory, { sequence: 42, usedOnce: [] })
    })

    it('opens for no record with a wrong bit, and remembers nothing of it', async () => {
      const card = await keyFor({ usage: 'OneShot' }, settings, blank())
      const whole = card.memory.slice()
      const door = doorOf()
      for (let bit = 0; bit < 384; bit++) {
        card.memory.set(whole)
        card.memory[recordAt[technology] + (bit >> 3)]! ^= 0x80 >> (bit & 7)
        assert.equal(door.present(card, night).opens, false, `bit ${bit}`)
      }
      assert.deepEqual(door.memory, { sequence: 0, usedOnce: [] })
      card.memory.set(whole)
      assert.ok(door.present(card, night).opens)
    })

    it('opens for no blank and no erased card', async () => {
      const card = blank()
      assert.equal(doorOf().present(card, night).opens, false)
      await write(card)
      await erase(card)
      assert.deepEqual(said(doorOf(), card), ['no-key'])
    })

    it('opens for no copy of the record on a card with another serial number', async () => {
      const card = await keyFor({}, settings, blank())
      const clone = blank(otherUid[technology])
      await write(clone, { ...grant, lock: '7' })
      const at = recordAt[technology]
      clone.memory.set(card.memory.subarray(at, at + 48), at)
      assert.deepEqual(said(doorOf(), clone), ['not-authentic'])
    })

    it('cannot tell a clone that has the serial number too: the limit of these cards', async () => {
      const card = await keyFor({}, settings, blank())
      const clone = blank()
      clone.memory.set(card.memory)
      assert.ok(doorOf().present(clone, night).opens)
    })

    it('refuses what is signed but malformed, of another house, or by an unknown signer', async () => {
      const card = await keyFor({}, settings, blank())
      const present = (bytes: Uint8Array) => {
        card.memory.set(bytes, recordAt[technology])
        return doorOf().present(card, night).code
      }
      const signed = (difference: Partial<KeyRecord>) =>
        encode({ ...record, ...difference }, card.uid, exampleKey)
      assert.equal(present(signed({})), 'opened-newer')
      assert.equal(present(signed({ site: 2 })), 'other-site')
      assert.equal(present(signed({ keyId: 2 })), 'unknown-signer')
      for (const [at, value] of [
        [2, 2],
        [3, 0x10],
        [7, 1],
      ] as const) {
        const bytes = signed({})
        bytes[at] = value
        assert.equal(present(bytes), 'malformed')
      }
    })
  })
}

describe('a door and the sector keys', () => {
  it('cannot read a card that carries the keys of another card', async () => {
    const card = await keyFor()
    const clone = makers.classic(otherUid.classic)
    clone.memory.set(card.memory.subarray(64, 128), 64)
    assert.deepEqual(said(doorOf(), clone), ['unreadable'])
    clone.memory.set(trailer(sectorKeys(exampleKey, 1, clone.uid, 1)), 112)
    assert.deepEqual(said(doorOf(), clone), ['not-authentic'])
  })
  it('cannot read cards of another house, whose Ultralights it tells apart', async () => {
    assert.deepEqual(said(doorOf(), await keyFor({}, elsewhere)), ['unreadable'])
    assert.deepEqual(said(doorOf(), await keyFor({}, elsewhere, makers.ultralight())), ['other-site'])
  })
  it('reads the sector it is told to', async () => {
    const card = await keyFor({}, { ...settings, sector: 5 })
    assert.deepEqual(said(doorOf({ sector: 5 }), card), ['opened-newer'])
    assert.deepEqual(said(doorOf(), card), ['unreadable'])
  })
})

describe('the window of a key', () => {
  const edges: [number, string][] = [
    [arrival - 5 * minutes - 1, 'too-early'],
    [arrival - 5 * minutes, 'opened-newer'],
    [arrival, 'opened-newer'],
    [departure, 'opened-newer'],
    [departure + 5 * minutes, 'opened-newer'],
    [departure + 5 * minutes + 1, 'too-late'],
  ]
  for (const [now, code] of edges) {
    it(`is met at ${new Date(now).toISOString()} with "${code}"`, async () => {
      const door = doorOf()
      assert.equal(door.present(await keyFor(), now).code, code)
      assert.equal(door.memory.sequence, code === 'opened-newer' ? 42 : 0)
    })
  }
})

describe('the issue number of a door', () => {
  it('cancels older keys once a newer one was used, and not before', async () => {
    const older = await keyFor()
    const newer = await keyFor({ sequence: 43 }, settings, makers.ultralight())
    assert.deepEqual(said(doorOf(), older, newer, older, newer), [
      'opened-newer',
      'opened-newer',
      'superseded',
      'opened',
    ])
  })
  it('is shared by copies, whichever comes first', async () => {
    const original = await keyFor()
    const copy = await keyFor({ copy: true, credential: 8 }, settings, makers.classic(otherUid.classic))
    assert.deepEqual(said(doorOf(), original, copy, original), ['opened-newer', 'opened', 'opened'])
    assert.deepEqual(said(doorOf(), copy, original, copy), ['opened-newer', 'opened', 'opened'])
  })
  it('is not moved by a key of another door', async () => {
    const door = doorOf()
    assert.deepEqual(said(door, await keyFor({ lock: '102', sequence: 99 })), ['other-door'])
    assert.equal(door.memory.sequence, 0)
  })
  it('is kept in the memory that the door was given', async () => {
    const memory: DoorMemory = { sequence: 43, usedOnce: [] }
    assert.deepEqual(said(doorOf({ memory }), await keyFor()), ['superseded'])
    assert.deepEqual(said(doorOf({ memory }), await keyFor({ sequence: 44 })), ['opened-newer'])
    assert.equal(memory.sequence, 44)
  })
  it('is cancelled by a re-issue on the very same card', async () => {
    const card = await keyFor()
    const door = doorOf()
    assert.deepEqual(said(door, card), ['opened-newer'])
    const stolen = makers.classic()
    stolen.memory.set(card.memory)
    await write(card, { ...grant, sequence: 43 })
    assert.deepEqual(said(door, card, stolen), ['opened-newer', 'superseded'])
  })
})

describe('a key for one time', () => {
  it('opens each door once', async () => {
    const card = await keyFor({ usage: 'OneShot', authorizations: ['Pool'] })
    const [room, pool] = [doorOf(), doorOf({ commonDoor: 0 })]
    assert.deepEqual(said(room, card, card), ['opened-newer', 'used-up'])
    assert.deepEqual(said(pool, card, card), ['opened', 'used-up'])
  })
  it('is remembered by its number, over a change of the battery, until its window is over', async () => {
    const card = await keyFor({ usage: 'OneShot' })
    const before = doorOf()
    before.present(card, night)
    const memory: DoorMemory = JSON.parse(JSON.stringify(before.memory))
    assert.deepEqual(memory.usedOnce, [{ credential: 0x00010007, until: departure + 5 * minutes }])
    const door = doorOf({ memory })
    assert.equal(door.present(card, departure + 5 * minutes).code, 'used-up')
    assert.equal(door.present(card, departure + 5 * minutes + 1).code, 'too-late')
    const other = await keyFor({ usage: 'OneShot', credential: 9, validUntil: departure + 60 * minutes })
    assert.equal(door.present(other, departure + 6 * minutes).code, 'opened')
    assert.deepEqual(memory.usedOnce, [{ credential: 9, until: departure + 65 * minutes }])
  })
})

describe('a common door', () => {
  it('opens by its bit alone, for a key of any room', async () => {
    const card = await keyFor({ lock: '7', authorizations: ['Pool', 'Spa'] })
    for (const bit of Array.from({ length: 32 }).keys()) {
      assert.deepEqual(said(doorOf({ commonDoor: bit }), card), [
        bit === 0 || bit === 31 ? 'opened' : 'other-door',
      ])
    }
  })
  it('knows no issue numbers', async () => {
    const door = doorOf({ commonDoor: 0 })
    const cards = [await keyFor({ sequence: 99 }), await keyFor({ sequence: 1 })]
    assert.deepEqual(said(door, ...cards), ['opened', 'opened'])
    assert.deepEqual(door.memory, { sequence: 0, usedOnce: [] })
  })
  it('keeps to the window', async () => {
    const card = await keyFor()
    assert.equal(doorOf({ commonDoor: 0 }).present(card, departure + 6 * minutes).code, 'too-late')
  })
  it('is not a room, even one with the number of the key', async () => {
    assert.deepEqual(said(doorOf({ commonDoor: 1, lock: 101 }), await keyFor()), ['other-door'])
  })
})

describe('a bolt thrown from inside', () => {
  let thrown = true
  const bolted: Partial<DoorOptions> = { bolted: () => thrown }
  it('keeps guests and staff out, and they do not move the issue number', async () => {
    thrown = true
    const door = doorOf(bolted)
    assert.deepEqual(said(door, await keyFor(), await keyFor({ usage: 'Staff' })), ['bolted', 'bolted'])
    assert.equal(door.memory.sequence, 0)
    thrown = false
    assert.deepEqual(said(door, await keyFor()), ['opened-newer'])
  })
  it('does not use up a key for one time', async () => {
    thrown = true
    const door = doorOf(bolted)
    const card = await keyFor({ usage: 'OneShot' })
    assert.deepEqual(said(door, card), ['bolted'])
    thrown = false
    assert.deepEqual(said(door, card, card), ['opened-newer', 'used-up'])
  })
  it('gives way to a key with the override', async () => {
    thrown = true
    const card = makers.ultralight()
    card.memory.set(encode({ ...record, privacyOverride: true }, card.uid, exampleKey), 16)
    assert.deepEqual(said(doorOf(bolted), card), ['opened-newer'])
  })
})

describe('any grant', () => {
  const instants = fc.integer({ min: 1, max: 0xffff_fffe })
  const grants = fc
    .record({
      lock: fc.integer({ min: 1, max: 0xffff_ffff }).map(String),
      sequence: fc.integer({ min: 0, max: 0xffff_ffff }),
      copy: fc.boolean(),
      usage: fc.constantFrom('Guest' as const, 'OneShot' as const, 'Staff' as const),
      authorizations: fc.subarray(['Garage', 'Pool', 'Spa']),
      times: fc.uniqueArray(instants, { minLength: 2, maxLength: 2 }),
      credential: fc.integer({ min: 1, max: 0xffff_ffff }),
    })
    .map(({ times, ...rest }): Grant => {
      return { ...rest, validFrom: Math.min(...times) * 1000, validUntil: Math.max(...times) * 1000 }
    })
  const uids = fc.uint8Array({ minLength: 7, maxLength: 7 })
  const moments = fc.record({
    edge: fc.constantFrom('validFrom' as const, 'validUntil' as const),
    away: fc.oneof(
      fc.integer({ min: -300_002, max: 300_002 }),
      fc.constantFrom(-300_001, -300_000, 300_000, 300_001),
    ),
  })
  it('opens inside its window, at its lock and its common doors, and nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(
        grants,
        uids,
        moments,
        fc.constantFrom(...technologies),
        fc.integer({ min: -1, max: 1 }),
        async (wanted, uid, { edge, away }, technology, neighbour) => {
          const card = makers[technology](uid.toHex())
          await write(card, wanted)
          const now = wanted[edge] + away
          const inside = now >= wanted.validFrom - 300_000 && now <= wanted.validUntil + 300_000
          const room = doorOf({ lock: Number(wanted.lock) + neighbour })
          assert.equal(room.present(card, now).opens, inside && neighbour === 0)
          for (const [name, commonDoor] of settings.commonDoors) {
            const opens = doorOf({ commonDoor }).present(card, now).opens
            assert.equal(opens, inside && wanted.authorizations.includes(name), name)
          }
        },
      ),
    )
  })
})

it('a lock that never saw the house opens for none of its keys', async () => {
  const { site, keys, master } = elsewhere
  const card = await keyFor({}, settings, makers.ultralight())
  assert.deepEqual(said(doorOf({ site, keys, master }), card), ['other-site'])
  assert.deepEqual(said(doorOf({ keys }), card), ['not-authentic'])
  assert.deepEqual(said(doorOf({ keys: new Map() }), card), ['unknown-signer'])
  assert.deepEqual(said(doorOf({ master: hex('00').slice(), keys }), await keyFor()), ['unreadable'])
})
