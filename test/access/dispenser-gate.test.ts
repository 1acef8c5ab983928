import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { blankCards, type SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { insert, take } from '../../src/simulators/devices/simulated-card-path.ts'
import { passTime } from '../test-clock.ts'
import { tokenOf } from '../token-of.ts'
import { always, once } from './card-faults.ts'
import { type HouseWithDoors, houseWithDoors, idle, serve, settledKey, until } from './house-with-doors.ts'

let house: HouseWithDoors
before(async () => {
  house = await houseWithDoors()
  await idle(house)
})
after(() => house.stop())

const at = (rest: string) => `/api/v2/access/dispensers/${house.dispenserId}/${rest}`
async function put(rest: string): Promise<string> {
  const { status, body } = await house.ask('PUT', at(rest))
  return status === 204 ? '204' : `${status} ${body.errors[0].code}`
}
const patch = async (body: object) =>
  assert.equal(
    (await house.ask('PATCH', `/api/config/v1/dispensers/${house.dispenserId}`, { body })).status,
    204,
  )
const blank = () => blankCards(1, null, 'classic')[0]!

function lay(place: 'encoder' | 'gate', card: SimulatedCard) {
  house.lobby.dispenser.card = card
  house.lobby.dispenser.at = place
}

/** What the last event of a kind says. */
const last = (type: string) => house.journal(type).at(-1)?.data ?? null
const counters = async () => (await house.dispenser()).counters as Record<string, number>
const guest = (isThere: boolean) =>
  until(
    isThere ? 'a guest' : 'nobody',
    () => house.dispenser(),
    ({ guestWaiting, state }) => (guestWaiting !== null) === isThere && state !== 'starting',
  )

afterEach(async () => {
  const { dispenser, encoder } = house.lobby
  dispenser.misbehaviours.length = encoder.misbehaviours.length = 0
  dispenser.takenAfterMs = 0
  dispenser.pace = encoder.pace = 0
  take(dispenser)
  await guest(false)
  await until(
    'service',
    () => put('status/active'),
    (answer) => answer === '204',
  )
  if (dispenser.at === 'encoder') assert.equal(await put('status/initialize'), '204')
  await idle(house)
})

describe('a card that staff sent to the gate', () => {
  for (const position of ['front', 'eject']) {
    it(`${position}: makes the next guest wait until it is taken or has dropped`, async () => {
      house.lobby.dispenser.takenAfterMs = null
      lay('encoder', blank())
      assert.equal(await put(`place-card/${position}`), '204')
      const isHeld = position === 'front'
      const { state, guestWaiting } = await house.dispenser()
      assert.deepEqual([state, guestWaiting !== null], [isHeld ? 'presenting' : 'active', isHeld])
      if (isHeld) assert.equal((await house.issue('101')).body.errors[0].code, 'dispenser-busy-with-guest')
      take(house.lobby.dispenser)
      await guest(false)
      assert.equal(house.journal('card.left-at-gate').length, 0)
    })
  }

  for (const onTimeout of ['capture', 'hold'] as const) {
    it(`and nobody takes: ${onTimeout}, and its key is dead`, async () => {
      await patch({ onTimeout })
      const { card, id } = await serve(house, '102')
      const before = await counters()
      house.lobby.dispenser.takenAfterMs = null
      lay('encoder', card)
      assert.equal(await put('place-card/front'), '204')
      house.clock.advance(30_000)
      await guest(false)
      const { status, proof } = await house.key(id)
      assert.deepEqual([status, proof], ['removed', 'card-erased'])
      const { uid, keys } = last('card.left-at-gate')!
      assert.deepEqual([uid, keys], [Buffer.from(card.uid).toString('hex').toUpperCase(), [id]])
      const { captured } = await counters()
      assert.equal(captured! - before.captured!, onTimeout === 'capture' ? 1 : 0)
      if (onTimeout === 'capture') assert.equal(house.lobby.dispenser.bin.at(-1), card)
      else assert.equal(house.lobby.dispenser.at, 'encoder')
      await patch({ onTimeout: 'capture' })
    })
  }

  it('whose arrival is not confirmed in time is watched all the same', async () => {
    house.lobby.dispenser.takenAfterMs = null
    lay('encoder', blank())
    house.lobby.dispenser.pace = 0.9
    const { status, body } = await house.ask('PUT', at('place-card/front'))
    assert.deepEqual(
      [status, body.meta.errorCode, body.meta.outcomeUnknown],
      [502, 'dispenser-timeout', true],
    )
    house.lobby.dispenser.pace = 0
    await guest(true)
  })
})

describe('a guest at the gate', () => {
  it('has his time by a clock that nobody sets', async () => {
    house.lobby.dispenser.takenAfterMs = null
    const { body } = await house.issue('103')
    house.clock.set(house.clock.now() + 3_600_000)
    await passTime(300)
    assert.equal((await house.dispenser()).state, 'presenting')
    house.clock.set(house.clock.now() - 3_600_000)
    take(house.lobby.dispenser)
    assert.equal((await settledKey(house, body.data.id)).status, 'live')
  })

  it('is watched on after a reset of the cache, without another call', async () => {
    house.lobby.dispenser.takenAfterMs = null
    const { body } = await house.issue('104')
    assert.equal((await house.ask('POST', at('reset-cache'))).status, 200)
    take(house.lobby.dispenser)
    await settledKey(house, body.data.id)
    assert.equal((await house.key(body.data.id)).status, 'live')
  })

  it('is counted with the handles that are cleared, and watched on', async () => {
    house.lobby.dispenser.takenAfterMs = null
    const { body } = await house.issue('105')
    const reset = await house.ask('POST', '/api/v2/access/dispensers/reset-all-cache')
    assert.equal(reset.body.meta.cleared, 1)
    take(house.lobby.dispenser)
    assert.equal((await settledKey(house, body.data.id)).status, 'live')
  })

  it('that was held inside is not counted as captured', async () => {
    await patch({ onTimeout: 'hold' })
    const before = await counters()
    house.lobby.dispenser.takenAfterMs = null
    const { body } = await house.issue('106')
    house.clock.advance(30_000)
    await settledKey(house, body.data.id)
    assert.equal((await counters()).captured, before.captured)
    await patch({ onTimeout: 'capture' })
  })
})

describe('a card found at the gate at a start', () => {
  for (const [initAction, place] of [
    ['capture', 'none'],
    ['hold', 'encoder'],
    ['none', 'gate'],
  ] as const) {
    it(`${initAction}: it is then at ${place}, and nobody else is served over it`, async () => {
      await patch({ initAction })
      lay('gate', blank())
      assert.equal(await put('status/initialize'), '204')
      assert.equal(house.lobby.dispenser.at, place)
      assert.equal((await house.dispenser()).guestWaiting !== null, place === 'gate')
      take(house.lobby.dispenser)
      await patch({ initAction: 'capture' })
    })
  }
})

describe('a card that a guest hands back', () => {
  const uidOf = (card: SimulatedCard) => Buffer.from(card.uid).toString('hex').toUpperCase()
  const back = () =>
    until(
      'service',
      () => house.dispenser(),
      ({ commandedState, guestWaiting }) => commandedState === 'active' && guestWaiting === null,
    )
  /** The events of its way, since a number of lines of the journal. */
  const way = (before: number) =>
    house
      .journal('card.%')
      .slice(before)
      .map(({ type, data }) => (data.found ? `${type} ${data.found}` : type))

  it('is read, erased and captured, and its keys are dead', async () => {
    const { card, id } = await serve(house, '201')
    const before = await counters()
    const lines = house.journal('card.%').length
    await put('status/accepting')
    assert.equal(insert(house.lobby.dispenser, card), true)
    await back()
    assert.deepEqual(way(lines), ['card.read ours', 'card.erased', 'card.captured'])
    assert.equal(last('card.read')!.uid, uidOf(card))
    const { returned, captured, sinceService } = await counters()
    assert.deepEqual(
      [returned! - before.returned!, captured! - before.captured!, sinceService! - before.sinceService!],
      [1, 1, 1],
    )
    assert.equal((await house.key(id)).status, 'removed')
    assert.doesNotMatch(house.present(card, '201'), /^opened/)
  })

  it('of the staff goes back as it is', async () => {
    const { card, id } = await serve(house, '202', { usage: 'Staff' })
    const lines = house.journal('card.%').length
    const before = await counters()
    await put('status/accepting')
    assert.equal(insert(house.lobby.dispenser, card), true)
    await back()
    assert.equal(house.lobby.dispenser.taken.at(-1), card)
    assert.deepEqual(way(lines), ['card.read staff'])
    assert.equal((await house.key(id)).status, 'live')
    assert.match(house.present(card, '202'), /^opened/)
    assert.equal((await counters()).captured, before.captured)
  })

  for (const state of ['active', 'inactive'])
    it(`of the staff goes back too when the entry is closed just then by ${state}`, async () => {
      const { card, id } = await serve(house, '202', { usage: 'Staff' })
      await put('status/accepting')
      assert.equal(insert(house.lobby.dispenser, card), true)
      assert.equal(await put(`status/${state}`), '204')
      assert.equal(house.lobby.dispenser.taken.at(-1), card)
      assert.equal((await house.key(id)).status, 'live')
      assert.equal(house.lobby.dispenser.entry, false)
      await put('status/active')
      await back()
    })

  it('of another house goes back as it is', async () => {
    const card = blank()
    for (let end = 64; end <= 1024; end += 64)
      card.memory.fill(0x5a, end - 16, end - 10).fill(0x5a, end - 6, end)
    const lines = house.journal('card.%').length
    await put('status/accepting')
    assert.equal(insert(house.lobby.dispenser, card), true)
    await back()
    assert.equal(house.lobby.dispenser.taken.at(-1), card)
    assert.deepEqual(way(lines), ['card.read foreign'])
  })

  it('that cannot be erased is captured, and its key blocked', async () => {
    const { card, id } = await serve(house, '203')
    const lines = house.journal('card.%').length
    await put('status/accepting')
    house.lobby.encoder.misbehaviours.push(...always('writeBlock', 'silence'))
    assert.equal(insert(house.lobby.dispenser, card), true)
    await back()
    assert.equal(house.lobby.dispenser.bin.at(-1), card)
    assert.equal((await house.key(id)).status, 'blocked')
    assert.deepEqual(way(lines), ['card.read ours', 'card.captured'])
  })

  it('before an encoder that is away is captured, and service goes on', async () => {
    const { card } = await serve(house, '204')
    house.lobby.encoder.misbehaviours.push(...always('*', 'silence'))
    await put('status/accepting')
    assert.equal(insert(house.lobby.dispenser, card), true)
    await back()
    assert.equal(house.lobby.dispenser.bin.at(-1), card)
  })

  it('may come after the machine was initialised meanwhile', async () => {
    await put('status/accepting')
    assert.equal(await put('status/initialize'), '204')
    assert.equal(house.lobby.dispenser.entry, true)
    const card = blank()
    assert.equal(insert(house.lobby.dispenser, card), true)
    await back()
    assert.equal(house.lobby.dispenser.bin.at(-1), card)
  })

  it('and that jams on its way: one jam is counted', async () => {
    const { jams } = await counters()
    await put('status/accepting')
    house.lobby.dispenser.misbehaviours.push(...once('move-capture', 'refuse'))
    assert.equal(insert(house.lobby.dispenser, blank()), true)
    await back()
    await idle(house)
    assert.equal((await counters()).jams, jams! + 1)
  })
})

describe('counters', () => {
  const set = async (body: object, token = 'demo') => {
    const reply = await house.ask('PATCH', at('counters'), { body, token })
    return reply.status === 204 ? '204' : `${reply.status} ${reply.body.errors[0].code}`
  }

  it('are set in maintenance, by who services machines', async () => {
    const desk = await tokenOf(house.ask, 'frontdesk')
    const installer = await tokenOf(house.ask, 'installer')
    assert.equal(await set({ sinceService: 0 }), '409 dispenser-state')
    await put('status/maintenance')
    assert.equal(await set({ sinceService: 0 }, desk), '403 scope-required')
    assert.equal(await set({ sinceService: -1 }, installer), '422 validation-failed')
    assert.equal(await set({ sinceService: 0, jams: 7, binCount: 3 }, installer), '204')
    const { sinceService, jams } = await counters()
    assert.deepEqual([sinceService, jams], [0, 7])
    assert.equal(((await house.dispenser()).bin as { count: number }).count, 3)
    const filled = await house.ask('POST', at('actions/refill'), { body: { cards: 5000 }, token: desk })
    assert.deepEqual([filled.status, filled.body.meta.estimatedCards], [200, 170])
  })

  it('follow a card that staff feed and capture', async () => {
    const cards = async () => ((await house.dispenser()).stacker as { estimatedCards: number }).estimatedCards
    const [before, left] = [await counters(), await cards()]
    assert.equal(await put('place-card/encoder'), '204')
    assert.equal(await cards(), left - 1)
    assert.equal(await put('place-card/capture'), '204')
    assert.equal((await counters()).captured, before.captured! + 1)
    assert.equal((await counters()).dispensed, before.dispensed)
  })
})

it('two encoders do not stand in one dispenser', async () => {
  const { attributes } = (await house.ask('GET', `/api/config/v1/access-controllers/${house.controllerId}`))
    .body.data
  const { createdAt, updatedAt, revision, ...body } = attributes
  const second = await house.ask('POST', '/api/config/v1/access-controllers', {
    body: { ...body, name: 'Second', device: { ...body.device, path: '/dev/serial/by-id/second' } },
  })
  assert.equal(second.status, 422, second.text)
  assert.deepEqual(second.body.errors[0].source, { pointer: '/data/attributes/dispenserId' })
  assert.equal(second.body.errors[0].meta.controllerId, house.controllerId)
})
