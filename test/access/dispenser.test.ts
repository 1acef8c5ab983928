import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { blankCards } from '../../src/simulators/devices/simulated-card.ts'
import { insert, take } from '../../src/simulators/devices/simulated-card-path.ts'
import { always, once } from './card-faults.ts'
import { type HouseWithDoors, houseWithDoors, idle, serve, settledKey, until } from './house-with-doors.ts'

let house: HouseWithDoors
let kiosk: string
before(async () => {
  house = await houseWithDoors()
  const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Kiosk', role: 'kiosk' } })
  assert.equal(made.status, 201, made.text)
  kiosk = made.body.meta.token
})
after(() => house.stop())

const at = (rest: string) => `/api/v2/access/dispensers/${house.dispenserId}/${rest}`
const put = async (rest: string, token = 'demo') => {
  const { status, body } = await house.ask('PUT', at(rest), { token })
  return status === 204 ? '204' : `${status} ${body.errors[0].code}`
}
const patch = async (body: object) =>
  assert.equal(
    (await house.ask('PATCH', `/api/config/v1/dispensers/${house.dispenserId}`, { body })).status,
    204,
  )
const blank = () => blankCards(1, null, 'classic')[0]!

function lay(place: 'encoder' | 'gate', card = blank()) {
  house.lobby.dispenser.card = card
  house.lobby.dispenser.at = place
}

/** Everything as it was: in service, no card in the path, well. */
afterEach(async () => {
  const { dispenser, encoder } = house.lobby
  dispenser.misbehaviours.length = encoder.misbehaviours.length = 0
  dispenser.takenAfterMs = 0
  dispenser.binCapacity = 1_000
  take(dispenser)
  await until(
    'service',
    () => put('status/active'),
    (answer) => answer === '204',
  )
  await idle(house)
})

describe('PUT status', () => {
  const rows: [from: string, to: string, answer: string, then: string][] = [
    ['active', 'active', '204', 'active'],
    ['active', 'inactive', '204', 'inactive'],
    ['active', 'maintenance', '204', 'maintenance'],
    ['active', 'initialize', '204', 'active'],
    ['active', 'accepting', '204', 'accepting'],
    ['active', 'asleep', '400 unknown-state', 'active'],
    ['inactive', 'inactive', '204', 'inactive'],
    ['inactive', 'active', '204', 'active'],
    ['inactive', 'accepting', '409 dispenser-state', 'inactive'],
    ['inactive', 'initialize', '204', 'inactive'],
    ['inactive', 'maintenance', '204', 'maintenance'],
    ['maintenance', 'active', '204', 'active'],
    ['maintenance', 'accepting', '409 dispenser-state', 'maintenance'],
    ['accepting', 'active', '204', 'active'],
    ['accepting', 'inactive', '204', 'inactive'],
  ]
  for (const [from, to, answer, then] of rows) {
    it(`${from} to ${to}: ${answer}`, async () => {
      assert.equal(await put(`status/${from}`), '204')
      assert.equal(await put(`status/${to}`), answer)
      const { commandedState } = await house.dispenser()
      assert.equal(commandedState, then)
    })
  }

  it('is moved neither on trial nor by a misspelled parameter', async () => {
    await put('place-card/encoder')
    for (const query of ['dryRun=true', 'dryrun=true', 'dryRun=perhaps']) {
      for (const command of ['status/inactive', 'place-card/capture']) {
        const { status, body } = await house.ask('PUT', at(`${command}?${query}`))
        assert.equal(status, 400, `${command}?${query}`)
        assert.equal(body.errors[0].source.parameter, query.split('=')[0])
      }
    }
    assert.equal(house.lobby.dispenser.at, 'encoder')
    assert.equal(house.lobby.dispenser.bin.length, 0)
    await put('place-card/capture')
  })

  it('an unknown state names the known ones', async () => {
    const { body } = await house.ask('PUT', at('status/asleep'))
    const known = ['active', 'inactive', 'accepting', 'maintenance', 'initialize']
    assert.deepEqual(body.errors[0].meta.allowed, known)
  })

  for (const [initAction, place] of [
    ['capture', 'none'],
    ['hold', 'encoder'],
    ['none', 'encoder'],
  ] as const) {
    it(`initialising with ${initAction} leaves nobody's card at ${place}`, async () => {
      await patch({ initAction })
      lay('encoder')
      assert.equal(await put('status/initialize'), '204')
      assert.equal(house.lobby.dispenser.at, place)
      await patch({ initAction: 'capture' })
      if (place !== 'none') assert.equal(await put('place-card/capture'), '204')
    })
  }

  it('out of service no card is made', async () => {
    await put('status/inactive')
    const { status, body } = await house.issue('101')
    assert.equal(status, 502)
    assert.deepEqual(body.meta, { errorCode: 'dispenser-inactive', outcomeUnknown: false })
  })

  it('out of service a card in the path is captured', async () => {
    const card = blank()
    lay('encoder', card)
    assert.equal(await put('status/inactive'), '204')
    assert.equal(house.lobby.dispenser.bin.at(-1), card)
  })

  it('a machine that is away can be taken out of service', async () => {
    house.lobby.dispenser.misbehaviours.push(...always('status', 'silence'))
    assert.equal(await put('status/inactive'), '204')
    assert.equal((await house.issue('101')).body.meta.errorCode, 'dispenser-inactive')
  })
})

describe('PUT place-card', () => {
  const rows: [path: 'empty' | 'encoder' | 'gate', to: string, who: 'admin' | 'kiosk', answer: string][] = [
    ['empty', 'encoder', 'kiosk', '204'],
    ['empty', 'front', 'admin', '409 no-card-in-path'],
    ['empty', 'hold', 'admin', '409 no-card-in-path'],
    ['empty', 'capture', 'admin', '409 no-card-in-path'],
    ['empty', 'eject', 'admin', '409 no-card-in-path'],
    ['empty', 'chip', 'admin', '422 position-not-supported'],
    ['empty', 'stacker', 'admin', '422 position-not-supported'],
    ['empty', 'moon', 'admin', '400 unknown-position'],
    ['encoder', 'encoder', 'kiosk', '204'],
    ['encoder', 'hold', 'kiosk', '204'],
    ['encoder', 'capture', 'kiosk', '204'],
    ['encoder', 'front', 'kiosk', '409 key-not-live'],
    ['encoder', 'eject', 'kiosk', '409 key-not-live'],
    ['encoder', 'front', 'admin', '204'],
    ['encoder', 'eject', 'admin', '204'],
    ['gate', 'capture', 'kiosk', '204'],
  ]
  for (const [path, to, who, answer] of rows) {
    it(`${path} to ${to}, asked by ${who}: ${answer}`, async () => {
      if (path !== 'empty') lay(path)
      assert.equal(await put(`place-card/${to}`, who === 'kiosk' ? kiosk : 'demo'), answer)
    })
    afterEach(async () => {
      if (house.lobby.dispenser.at === 'encoder')
        await until(
          'the end of the move',
          () => put('place-card/capture'),
          (answer) => answer === '204',
        )
    })
  }

  it('heeds If-Match, and answers with the ETag of the dispenser', async () => {
    const [dispenser, place] = [`/api/v2/access/dispensers/${house.dispenserId}`, at('place-card/encoder')]
    const stale = await house.ask('PUT', place, { headers: { 'If-Match': '"99999"' } })
    assert.deepEqual([stale.status, stale.body.errors[0].code], [412, 'revision-mismatch'])
    assert.equal(house.lobby.dispenser.at, 'none')
    const seen = (await house.ask('GET', dispenser)).headers.get('etag')!
    const placed = await house.ask('PUT', place, { headers: { 'If-Match': seen } })
    assert.equal(placed.status, 204, placed.text)
    assert.equal(placed.headers.get('etag'), (await house.ask('GET', dispenser)).headers.get('etag'))
  })

  it('a card whose key is live may go out to a hand', async () => {
    const { card, id } = await serve(house, '102')
    lay('encoder', card)
    assert.equal(await put('place-card/front', kiosk), '204')
    assert.equal((await house.key(id)).status, 'live')
  })

  it('an empty stacker', async () => {
    const cards = house.lobby.dispenser.stack.splice(0)
    assert.equal(await put('place-card/encoder'), '502 dispenser-empty')
    house.lobby.dispenser.stack.push(...cards)
  })

  it('a move that is not confirmed', async () => {
    house.lobby.dispenser.misbehaviours.push(...once('move-encoder', 'late'))
    assert.equal(await put('place-card/encoder'), '502 dispenser-timeout')
  })

  it('out of service no card is fed', async () => {
    await put('status/inactive')
    assert.equal(await put('place-card/encoder'), '502 dispenser-inactive')
  })
})

describe('the cached handle', () => {
  it('is dropped once', async () => {
    await house.dispenser()
    const dropped = await house.ask('POST', at('reset-cache'))
    assert.deepEqual(dropped.body.meta, { dispenserId: house.dispenserId, cleared: 1 })
    assert.equal((await house.ask('POST', at('reset-cache'))).body.errors[0].code, 'dispenser-cache-empty')
  })

  it('all of them are dropped', async () => {
    await house.dispenser()
    const all = () => house.ask('POST', '/api/v2/access/dispensers/reset-all-cache')
    assert.equal((await all()).body.meta.cleared, 1)
    assert.equal((await all()).body.meta.cleared, 0)
  })

  it('an unknown dispenser is another 404', async () => {
    const path = '/api/v2/access/dispensers/0197c0de-0000-7000-8000-0000000000d1/reset-cache'
    assert.equal((await house.ask('POST', path)).body.errors[0].code, 'not-found')
  })

  it('is dropped while a card is made, which the next use captures', async () => {
    const earlier = await serve(house, '103')
    house.lobby.encoder.pace = 20
    const making = house.issue('103')
    await until(
      'a card on the antenna',
      () => house.lobby.dispenser.at,
      (place) => place === 'encoder',
    )
    assert.equal((await house.ask('POST', at('reset-cache'))).status, 200)
    const { status, body } = await making
    house.lobby.encoder.pace = 0
    assert.equal(status, 502)
    await idle(house)
    const key = await settledKey(house, body.errors[0].meta.keyId)
    assert.equal(key.status, 'removed')
    assert.equal((await house.key(earlier.id)).status, 'live')
    assert.equal(house.present(house.lobby.dispenser.bin.at(-1)!, '103'), 'no-key')
  })

  it('is dropped under a waiting card, which is settled by the next use', async () => {
    house.lobby.dispenser.takenAfterMs = null
    const { body } = await house.issue('103')
    assert.equal((await house.ask('POST', at('reset-cache'))).status, 200)
    await until(
      'the guest again',
      () => house.dispenser(),
      ({ guestWaiting }) => guestWaiting !== null,
    )
    take(house.lobby.dispenser)
    assert.equal((await settledKey(house, body.data.id)).status, 'live')
  })
})

describe('a card at the gate', () => {
  it('makes the next one wait', async () => {
    house.lobby.dispenser.takenAfterMs = null
    const first = await house.issue('104')
    const { state, cardPosition, guestWaiting } = await house.dispenser()
    assert.deepEqual([state, cardPosition], ['presenting', 'gate'])
    const deadline = new Date(house.clock.now() + 30_000).toISOString()
    assert.deepEqual(guestWaiting, { since: new Date(house.clock.now()).toISOString(), deadline })
    const second = await house.issue('105')
    assert.equal(second.status, 409)
    assert.equal(second.body.errors[0].code, 'dispenser-busy-with-guest')
    assert.equal(second.body.errors[0].meta.until, deadline)
    assert.equal(await put('status/inactive'), '409 dispenser-busy-with-guest')
    assert.equal(await put('place-card/capture'), '409 dispenser-busy-with-guest')
    take(house.lobby.dispenser)
    await settledKey(house, first.body.data.id)
    house.lobby.dispenser.takenAfterMs = 0
    assert.equal((await serve(house, '105')).card, house.lobby.dispenser.taken.at(-1))
  })

  for (const onTimeout of ['capture', 'hold'] as const) {
    it(`that nobody takes: ${onTimeout}`, async () => {
      await patch({ onTimeout })
      const earlier = await serve(house, '106')
      house.lobby.dispenser.takenAfterMs = null
      const { body } = await house.issue('106')
      const card = house.lobby.dispenser.card
      house.clock.advance(30_000)
      const { status, proof } = await settledKey(house, body.data.id)
      assert.deepEqual([status, proof], ['removed', 'card-erased'])
      assert.equal((await house.key(earlier.id)).status, 'live')
      const { bin, at: place } = house.lobby.dispenser
      if (onTimeout === 'capture') assert.equal(bin.at(-1), card)
      else assert.equal(place, 'encoder')
      const events = house.journal('card.%').filter(({ data }) => String(data.keys) === body.data.id)
      assert.deepEqual(
        events.map(({ type }) => type),
        ['card.erased', 'card.left-at-gate'],
      )
      assert.doesNotMatch(house.present(card!, '106'), /^opened/)
      assert.equal(house.journal('key.removed').at(-1)?.subject, `access/keys/${body.data.id}`)
      if (onTimeout === 'hold') assert.equal(await put('place-card/capture'), '204')
      await patch({ onTimeout: 'capture' })
    })
  }

  it('that cannot be captured at first is erased, and captured by the next start', async () => {
    house.lobby.dispenser.takenAfterMs = null
    const { body } = await house.issue('107')
    const { card } = house.lobby.dispenser
    house.lobby.dispenser.misbehaviours.push(...once('move-capture', 'refuse'))
    house.clock.advance(30_000)
    const { status, proof } = await settledKey(house, body.data.id)
    assert.deepEqual([status, proof], ['removed', 'card-erased'])
    await idle(house)
    assert.equal(house.lobby.dispenser.bin.at(-1), card)
  })

  it('that cannot be called back is watched on', async () => {
    house.lobby.dispenser.takenAfterMs = null
    const { body } = await house.issue('108')
    const waitsSince = async () => {
      const { guestWaiting } = await house.dispenser()
      return (guestWaiting as { since: string } | null)?.since ?? ''
    }
    const before = await waitsSince()
    house.lobby.dispenser.misbehaviours.push(...once('move-encoder', 'refuse'))
    house.clock.advance(30_000)
    await until('the new deadline', waitsSince, (since) => since > before)
    take(house.lobby.dispenser)
    assert.equal((await settledKey(house, body.data.id)).status, 'live')
  })
})

describe('stopping', () => {
  it('finishes the card in the making, which its guest takes after the next start', async () => {
    house.lobby.dispenser.takenAfterMs = null
    house.lobby.encoder.pace = 20
    const making = house.issue('110')
    await until(
      'a card on the antenna',
      () => house.lobby.dispenser.at,
      (place) => place === 'encoder',
    )
    const restarted = house.restart()
    const { status, body } = await making
    assert.equal(status, 201)
    house.lobby.encoder.pace = 0
    await restarted
    await until(
      'the guest',
      () => house.dispenser(),
      ({ guestWaiting }) => guestWaiting !== null,
    )
    assert.equal(take(house.lobby.dispenser), true)
    assert.equal((await settledKey(house, body.data.id)).status, 'live')
  })
})

describe('accepting', () => {
  const back = () =>
    until(
      'service',
      () => house.dispenser(),
      ({ commandedState }) => commandedState === 'active',
    )

  it('a key card is erased and captured', async () => {
    const { card, id } = await serve(house, '108')
    assert.equal(await put('status/accepting'), '204')
    assert.equal(insert(house.lobby.dispenser, card), true)
    await back()
    assert.equal(house.lobby.dispenser.bin.at(-1), card)
    assert.equal(house.present(card, '108'), 'no-key')
    assert.equal((await house.key(id)).status, 'removed')
    assert.equal(((await house.dispenser()).counters as { returned: number }).returned, 1)
  })

  it('a card of another system goes back to the guest', async () => {
    const card = blank()
    for (let end = 64; end <= 1024; end += 64)
      card.memory.fill(0x5a, end - 16, end - 10).fill(0x5a, end - 6, end)
    await put('status/accepting')
    assert.equal(insert(house.lobby.dispenser, card), true)
    await back()
    assert.equal(house.lobby.dispenser.taken.at(-1), card)
  })

  it('after a minute without a card it is over', async () => {
    await put('status/accepting')
    house.clock.advance(60_000)
    await back()
    await until(
      'a closed entry',
      () => house.lobby.dispenser.entry,
      (open) => !open,
    )
  })

  it('ends although the disk refuses to keep it for a moment', async () => {
    await put('status/accepting')
    const db = new Database(join(house.data, 'nightporter.db'))
    db.exec(`CREATE TRIGGER refused BEFORE UPDATE ON dispenser BEGIN SELECT RAISE(ABORT, 'refused'); END`)
    house.clock.advance(60_000)
    await until(
      'a closed entry',
      () => house.lobby.dispenser.entry,
      (open) => !open,
    )
    assert.equal((await house.dispenser()).commandedState, 'accepting')
    db.exec('DROP TRIGGER refused')
    db.close()
    await back()
  })
})

describe('a machine that is not well', () => {
  it('away: 200, offline, and found again', async () => {
    const { misbehaviours } = house.lobby.dispenser
    misbehaviours.push(...always('status', 'silence'), ...always('initialise-leave', 'silence'))
    const { state, online, fault } = await house.dispenser()
    assert.deepEqual([state, online], ['offline', false])
    assert.equal((fault as { errorCode: string }).errorCode, 'dispenser-offline')
  })

  it('a card in the path and a full bin: a fault until the bin is emptied', async () => {
    lay('encoder')
    house.lobby.dispenser.binCapacity = 0
    assert.equal(await put('status/initialize'), '502 dispenser-bin-full')
    const { state, fault } = await house.dispenser()
    assert.equal(state, 'fault')
    assert.equal((fault as { errorCode: string }).errorCode, 'dispenser-bin-full')
    const refused = await house.issue('109')
    assert.deepEqual(refused.body.meta, { errorCode: 'dispenser-bin-full', outcomeUnknown: false })
    house.lobby.dispenser.binCapacity = 50
    await idle(house)
  })
})
