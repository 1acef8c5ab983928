import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { blankCards, type SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { take } from '../../src/simulators/devices/simulated-card-path.ts'
import type { Reply } from '../appliance.ts'
import { passTime } from '../test-clock.ts'
import { always, foreignCard, once } from './card-faults.ts'
import {
  type HouseWithDoors,
  houseWithDoors,
  idle,
  sampleStay,
  serve,
  settledKey,
  until,
} from './house-with-doors.ts'

let house: HouseWithDoors
before(async () => {
  house = await houseWithDoors()
  await idle(house)
})
after(() => house.stop())

afterEach(async () => {
  const { dispenser, encoder } = house.lobby
  dispenser.misbehaviours.length = encoder.misbehaviours.length = 0
  dispenser.takenAfterMs = 0
  take(dispenser)
  if (dispenser.at === 'encoder') await put('status/initialize')
  await idle(house)
})

const at = (rest: string) => `/api/v2/access/dispensers/${house.dispenserId}/${rest}`
async function put(rest: string): Promise<string> {
  const { status, body } = await house.ask('PUT', at(rest))
  return status === 204 ? '204' : `${status} ${body.errors[0].code}`
}

function reserve(stay: string, unitName: string): Promise<Reply> {
  const path = `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${stay}`
  const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
  return house.ask('PUT', path, { body: { type: 'keyCard', unitName, original: true, ...dates } })
}

function lay(place: 'encoder' | 'gate', card: SimulatedCard): void {
  Object.assign(house.lobby.dispenser, { card, at: place })
}

/** The card that a guest has taken, without waiting for an empty path first. */
async function served(unitName: string): Promise<SimulatedCard> {
  const { status, body, text } = await house.issue(unitName)
  assert.equal(status, 201, text)
  await settledKey(house, body.data.id)
  return house.lobby.dispenser.taken.at(-1)!
}

const fate = async (id: string) => {
  const { status, proof, mayOpen } = await house.key(id)
  return [status, proof, mayOpen]
}
const dead = ['removed', 'card-erased', false]
const inTheBin = ['blocked', null, true]

describe('a proven card that recovery captures', () => {
  for (const [how, isErased] of [
    ['erased', true],
    ['unread, because its encoder is away', false],
  ] as const) {
    it(`${how}, and whose capture nobody confirms, is not taken for taken`, async () => {
      const { dispenser, encoder } = house.lobby
      const stay = `RECOVERED-${how.length}`
      dispenser.takenAfterMs = null
      const first = await reserve(stay, '101')
      assert.equal(first.status, 200, first.text)
      const { id } = first.body.data
      const card = dispenser.card!
      await cutBeforePresenting()
      if (!isErased) encoder.misbehaviours.push(...always('*', 'silence'))
      dispenser.misbehaviours.push(...once('move-capture', 'late'))
      await house.restart()
      await settledKey(house, id)
      assert.equal(dispenser.bin.at(-1), card)
      // An empty path does not say whether the machine has the card, or the guest.
      assert.deepEqual(await fate(id), isErased ? dead : ['unknown', null, true])
      encoder.misbehaviours.length = 0
      dispenser.takenAfterMs = 0
      const again = await until(
        'another card',
        () => reserve(stay, '101'),
        ({ status }) => status === 200,
      )
      assert.notEqual(again.body.data.id, id, 'the guest has nothing')
      await idle(house)
      assert.equal(house.present(dispenser.taken.at(-1)!, '101'), 'opened-newer')
    })
  }

  /**
   * Stops the house as if the power had gone after the proof, and before the card moved to the gate. Version 0.6 stored
   * `verified` then, and this one stores `presented`.
   */
  async function cutBeforePresenting(): Promise<void> {
    await house.appliance.close()
    const file = new Database(join(house.data, 'nightporter.db'))
    try {
      const sql = "UPDATE card_run SET step = 'verified', presentedAt = NULL WHERE step <> 'ended'"
      assert.equal(file.prepare(sql).run().changes, 1)
    } finally {
      file.close()
    }
    house.lobby.dispenser.at = 'encoder'
  }
})

describe('a card with a live key that is found in the machine', () => {
  it('at the gate when the cache is reset: is erased and captured, and its key is dead', async () => {
    const { card, id } = await serve(house, '102')
    lay('gate', card)
    assert.equal((await house.ask('POST', at('reset-cache'))).status, 200)
    await idle(house)
    assert.equal(house.lobby.dispenser.bin.at(-1), card)
    assert.deepEqual(await fate(id), dead)
    assert.doesNotMatch(house.present(card, '102'), /^opened/)
  })

  it('and is sent into the bin by staff: its key is dead', async () => {
    const { card, id } = await serve(house, '103')
    lay('gate', card)
    assert.equal(await put('place-card/capture'), '204')
    assert.deepEqual(await fate(id), dead)
  })

  it('and is captured as the machine goes out of service: its key is dead', async () => {
    const { card, id } = await serve(house, '104')
    lay('encoder', card)
    assert.equal(await put('status/inactive'), '204')
    assert.deepEqual(await fate(id), dead)
    assert.equal(await put('status/active'), '204')
  })

  it('and cannot be read: its key stays blocked until something proves it dead', async () => {
    const { card, id } = await serve(house, '105')
    lay('encoder', card)
    house.lobby.encoder.misbehaviours.push(...always('writeBlock', 'refuse'))
    assert.equal(await put('place-card/capture'), '204')
    assert.deepEqual(await fate(id), inTheBin)
  })
})

describe('a card with a live key that cannot be erased', () => {
  it('and whose capture nobody confirms: its key does not stay live', async () => {
    const { dispenser, encoder } = house.lobby
    const { card, id } = await serve(house, '205')
    lay('encoder', card)
    encoder.misbehaviours.push(...always('writeBlock', 'refuse'))
    dispenser.misbehaviours.push(...once('move-capture', 'late'))
    assert.equal(await put('place-card/capture'), '502 dispenser-timeout')
    assert.equal(dispenser.bin.at(-1), card)
    assert.deepEqual(await fate(id), inTheBin)
  })

  it('and that nobody takes while its encoder is away: its key does not stay live', async () => {
    const { dispenser, encoder } = house.lobby
    dispenser.takenAfterMs = null
    const { card, id } = await handed('206')
    lay('encoder', card)
    assert.equal(await put('place-card/front'), '204')
    encoder.misbehaviours.push(...always('*', 'silence'))
    await passTime(45_000)
    assert.equal(dispenser.bin.at(-1), card)
    assert.deepEqual(await fate(id), inTheBin)
  })

  /** A card that a guest has taken by hand. */
  async function handed(unitName: string) {
    const { body } = await house.issue(unitName)
    take(house.lobby.dispenser)
    await settledKey(house, body.data.id)
    await idle(house)
    return { id: String(body.data.id), card: house.lobby.dispenser.taken.at(-1)! }
  }
})

describe('a card that two lock systems write', () => {
  it('is blank for one alone: a key of the other stays blocked', async () => {
    const { card, id } = await serve(house, '207')
    const file = new Database(join(house.data, 'nightporter.db'))
    const copy = `INSERT INTO access_provider SELECT (SELECT max(rid) + 1 FROM access_provider), randomblob(16), createdAt, updatedAt,
      revision, name || ' 2', ${columnsAfterName(file)} FROM access_provider LIMIT 1`
    file.exec(copy)
    const keyRow = Buffer.from(id.replaceAll('-', ''), 'hex')
    file
      .prepare('UPDATE key SET providerId = (SELECT max(rid) FROM access_provider) WHERE id = ?')
      .run(keyRow)
    file.close()
    await house.restart()
    await idle(house)
    card.memory.fill(0, 64, 112)
    lay('encoder', card)
    assert.equal(await put('place-card/capture'), '204')
    assert.deepEqual(await fate(id), inTheBin)
  })

  function columnsAfterName(file: Database.Database): string {
    const all = file
      .prepare("SELECT name FROM pragma_table_info('access_provider')")
      .pluck()
      .all() as string[]
    return all.slice(all.indexOf('name') + 1).join(', ')
  }
})

describe('a key that ends at the gate while its card cannot be called back', () => {
  it('is not tried for ever: the machine stands in the fault until it is well', async () => {
    const { dispenser } = house.lobby
    dispenser.takenAfterMs = null
    const { body } = await house.issue('208')
    const card = dispenser.card!
    dispenser.misbehaviours.push(...always('move-encoder', 'refuse'))
    await house.ask('POST', `/api/v2/access/keys/${body.data.id}/actions/block`)
    await passTime(60_000)
    assert.ok(
      dispenser.misbehaviours.length > 90,
      `${121 - dispenser.misbehaviours.length} motions in a minute`,
    )
    assert.equal((await house.dispenser()).state, 'fault')
    dispenser.misbehaviours.length = 0
    await settledKey(house, body.data.id)
    assert.equal(dispenser.bin.at(-1), card)
    assert.deepEqual(await fate(body.data.id), dead)
  })
})

describe('a card of another system in the path', () => {
  it('is captured before the next is fed, and the guest is served', async () => {
    const { dispenser } = house.lobby
    foreignCard(house)
    const foreign = dispenser.stack.shift()!
    lay('encoder', foreign)
    const card = await served('106')
    assert.equal(dispenser.bin.at(-1), foreign)
    assert.notEqual(card, foreign)
  })
})

describe('a card that is proven, and cannot be presented', () => {
  it('is erased and captured: its key is dead, with its proof', async () => {
    house.lobby.dispenser.misbehaviours.push(...always('move-front', 'refuse'))
    const answer = await house.issue('107')
    assert.equal(answer.status, 502, answer.text)
    assert.deepEqual(await fate(answer.body.errors[0].meta.keyId), dead)
  })
})

describe('a card that somebody pushes into the gate at rest', () => {
  it('is watched, and captured when nobody takes it, so that the next guest is served', async () => {
    const { dispenser } = house.lobby
    const stray = blankCards(1, null, 'classic')[0]!
    lay('gate', stray)
    await passTime(12_000)
    assert.notEqual((await house.dispenser()).guestWaiting, null)
    await passTime(32_000)
    assert.equal(dispenser.bin.at(-1), stray)
    await serve(house, '108')
  })

  it('makes a guest wait no longer than a card of a guest does', async () => {
    lay('gate', blankCards(1, null, 'classic')[0]!)
    assert.equal((await house.issue('109')).body.errors[0].code, 'dispenser-busy-with-guest')
    await passTime(34_000)
    assert.equal((await house.issue('109')).status, 201)
  })

  it('and takes back leaves nothing to watch', async () => {
    const bin = house.lobby.dispenser.bin.length
    lay('gate', blankCards(1, null, 'classic')[0]!)
    await passTime(12_000)
    take(house.lobby.dispenser)
    await passTime(2_000)
    assert.equal((await house.dispenser()).guestWaiting, null)
    assert.equal(house.lobby.dispenser.bin.length, bin)
  })
})

describe('a key that ends while its card lies at the gate', () => {
  for (const how of ['block', 'delete'] as const) {
    it(`${how}: the card is recalled at once, and proven dead`, async () => {
      const { dispenser } = house.lobby
      dispenser.takenAfterMs = null
      const { body } = await house.issue('110')
      const card = dispenser.card!
      const path = `/api/v2/access/keys/${body.data.id}`
      const ended =
        how === 'block' ? await house.ask('POST', `${path}/actions/block`) : await house.ask('DELETE', path)
      assert.ok(ended.status < 300, ended.text)
      await settledKey(house, body.data.id)
      assert.equal(dispenser.bin.at(-1), card)
      assert.deepEqual(await fate(body.data.id), dead)
      assert.doesNotMatch(house.present(card, '110'), /^opened/)
    })
  }
})

describe('a card that was placed at the encoder', () => {
  it('is the one that is written, and is counted once', async () => {
    const { dispenser } = house.lobby
    assert.equal(
      await house.ask('POST', at('actions/refill'), { body: { cards: 10 } }).then((r) => r.status),
      200,
    )
    const cards = async () => ((await house.dispenser()).stacker as { estimatedCards: number }).estimatedCards
    const before = await cards()
    assert.equal(await put('place-card/encoder'), '204')
    const placed = dispenser.card!
    const stacked = dispenser.stack.length
    const bin = dispenser.bin.length
    const answer = await house.issue('201')
    assert.equal(answer.status, 201, answer.text)
    await settledKey(house, answer.body.data.id)
    assert.equal(dispenser.taken.at(-1), placed)
    assert.deepEqual(
      [dispenser.stack.length, dispenser.bin.length, await cards()],
      [stacked, bin, before - 1],
    )
  })

  it('and holds the key of a guest who is in house is captured instead', async () => {
    const { unitName, externalId } = await sampleStay(house, 1001)
    const { card, id } = await serve(house, unitName, { externalId })
    lay('encoder', card)
    assert.notEqual(await served('202'), card)
    assert.equal(house.lobby.dispenser.bin.at(-1), card)
    assert.deepEqual(await fate(id), dead)
  })
})

describe('place-card/front after a card was made', () => {
  it('is answered 204 however often it is asked, and moves nothing', async () => {
    const { dispenser } = house.lobby
    dispenser.takenAfterMs = null
    const { body } = await house.issue('203')
    const card = dispenser.card
    assert.deepEqual([await put('place-card/front'), await put('place-card/front')], ['204', '204'])
    assert.deepEqual([dispenser.card, dispenser.at], [card, 'gate'])
    take(dispenser)
    await settledKey(house, body.data.id)
    assert.equal((await house.key(body.data.id)).status, 'live')
  })
})
