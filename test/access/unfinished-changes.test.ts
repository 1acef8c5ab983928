import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { type OnlineHouse, onlineHouse } from './faults-online.ts'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

const day = (date: number) => Date.UTC(2026, 5, date)
let numbered = 0
const newStay = () => `CHANGE-${++numbered}`

describe('a change of a PIN of which nobody knows the outcome', () => {
  let house: HouseWithPins

  before(async () => {
    house = await houseWithPins()
  })
  afterEach(() => {
    house.cloud.misbehaviours.length = 0
  })
  after(() => house.stop())

  const changes = () => house.cloud.requests.filter(({ call }) => call === 'change').length

  /** A PIN until the 5th, which was to end on the 2nd. */
  async function shortened(does: 'silence' | 'late') {
    const stay = newStay()
    const made = await house.reconcile(stay, { endDate: '2026-06-05' })
    const { id, attributes } = made.body.data
    house.cloud.misbehaviours.push({ at: 'change', does })
    const shorter = await house.reconcile(stay, { endDate: '2026-06-02' })
    assert.deepEqual([shorter.status, shorter.body.meta.outcomeUnknown], [502, true])
    return { stay, id: String(id), pin: attributes.pin }
  }

  for (const does of ['silence', 'late'] as const)
    it(`is undone by the request before it (${does})`, async () => {
      const { stay, id, pin } = await shortened(does)
      assert.equal((await house.key(id)).pendingChange && (await house.key(id)).endDate, '2026-06-05')
      const told = changes()
      const back = await house.reconcile(stay, { endDate: '2026-06-05' })
      assert.equal(back.status, 200, back.text)
      assert.equal(changes(), told + 1)
      assert.equal(back.body.data.attributes.pendingChange, null)
      assert.ok(house.opens('301', pin, day(4)))
    })

  it('is finished by the same request', async () => {
    const { stay, id, pin } = await shortened('silence')
    const { pendingChange } = await house.key(id)
    assert.deepEqual(pendingChange, {
      unitName: '301',
      startDate: '2026-06-01',
      startTime: null,
      endDate: '2026-06-02',
      endTime: null,
      extraUnits: [],
      authorizations: [],
      deAuthorizations: [],
    })
    assert.equal((await house.reconcile(stay, { endDate: '2026-06-02' })).status, 200)
    assert.equal((await house.key(id)).pendingChange, null)
    assert.ok(!house.opens('301', pin, day(4)))
  })

  it('is not taken for the key as it is by a PUT of the key', async () => {
    const { id, pin } = await shortened('late')
    const body = { unitName: '301', original: true, startDate: '2026-06-01', endDate: '2026-06-05' }
    const same = await house.ask('PUT', `/api/v2/access/keys/${id}`, { body: { type: 'pinCode', ...body } })
    assert.equal(same.status, 204, same.text)
    assert.ok(house.opens('301', pin, day(4)))
  })

  it('stays on the key when another one is refused', async () => {
    const { stay, id } = await shortened('late')
    house.cloud.misbehaviours.push({ at: 'change', does: 'refuse', code: '-3002' })
    assert.equal((await house.reconcile(stay, { endDate: '2026-06-04' })).status, 502)
    const row = await house.key(id)
    assert.equal((row.pendingChange as { endDate: string }).endDate, '2026-06-02')
    assert.equal(row.validUntil, '2026-06-05T10:00:00.000Z')
  })

  it('is finished by the box itself, also after a restart', async () => {
    const { id, pin } = await shortened('silence')
    await house.restart()
    house.clock.advance(40_000)
    const row = await until(
      'the change',
      () => house.key(id),
      ({ pendingChange }) => pendingChange === null,
    )
    assert.deepEqual([row.endDate, row.validUntil], ['2026-06-02', '2026-06-02T10:00:00.000Z'])
    assert.ok(!house.opens('301', pin, day(4)))
  })

  it('is made anew where the lock has forgotten the key meanwhile', async () => {
    const stay = newStay()
    const { body } = await house.reconcile(stay, { endDate: '2026-06-02' })
    house.clock.set(day(3))
    await until(
      'the end',
      () => house.key(body.data.id),
      ({ status }) => status === 'expired',
    )
    for (const lock of house.cloud.locks) {
      lock.list.length = 0
      lock.memory.clear()
    }
    house.cloud.misbehaviours.push({ at: 'change', does: 'silence' })
    assert.equal((await house.reconcile(stay, { endDate: '2026-06-06' })).status, 502)
    const again = await house.reconcile(stay, { endDate: '2026-06-06' })
    assert.equal(again.status, 200, again.text)
    assert.equal(again.body.data.attributes.pin, body.data.attributes.pin)
    assert.ok(house.opens('301', body.data.attributes.pin, day(5)))
    house.clock.set(day(1))
  })

  it('ends the key also once it was to be over', async () => {
    const { id, pin } = await shortened('silence')
    house.clock.set(day(3))
    const { endDate } = await until(
      'the end',
      () => house.key(id),
      ({ status }) => status === 'expired',
    )
    assert.equal(endDate, '2026-06-02')
    assert.ok(!house.opens('301', pin, day(4)))
    house.clock.set(day(1))
  })
})

describe('a card that a lock system moves', () => {
  let house: OnlineHouse

  before(async () => {
    house = await onlineHouse('fias-key')
  })
  afterEach(() => {
    house.system.misbehaviours.length = 0
  })
  after(() => house.stop())

  const keyOf = async (id: string) =>
    (await house.ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes
  const doubtfulUnits = async (): Promise<string[]> =>
    (await house.ask('GET', '/api/v2/access/units-with-older-keys')).body.data.map(
      ({ attributes }: { attributes: { unitName: string } }) => attributes.unitName,
    )

  /** A card that was to be moved to another room, and nobody knows whether it was. */
  async function lostMove(from: string, to: string, does: 'silence' | 'late') {
    const stay = newStay()
    const made = await house.put.desk(stay, from)
    assert.equal(made.status, 200, made.text)
    house.system.misbehaviours.push({ at: 'KM', does })
    const moved = await house.put.desk(stay, to)
    assert.deepEqual([moved.status, moved.body.meta?.outcomeUnknown], [502, true], moved.text)
    return { stay, id: String(made.body.data.id), card: made.body.data.attributes.uid }
  }

  /** As long as the encoder owes an answer it is busy. */
  const putUntilDone = (stay: string, unitName: string) =>
    until(
      'the move',
      () => house.put.desk(stay, unitName),
      ({ status }) => status === 200,
    )

  for (const does of ['silence', 'late'] as const) {
    it(`is moved when it is asked for again (${does})`, async () => {
      const { stay, id, card } = await lostMove('101', '102', does)
      assert.ok((await doubtfulUnits()).includes('101'))
      await putUntilDone(stay, '102')
      assert.deepEqual(house.system.opening('101'), [])
      // What was there before is superseded, and taken away.
      await until(
        'the card alone',
        () => house.system.opening('102'),
        (open) => String(open) === card,
      )
      const { unitName, pendingChange } = await keyOf(id)
      assert.deepEqual([unitName, pendingChange], ['102', null])
      assert.ok(!(await doubtfulUnits()).includes('101'))
    })

    it(`takes its copies with it (${does})`, async () => {
      const stay = newStay()
      const made = await house.put.desk(stay, '107')
      const path = `/api/v2/access/controllers/${house.controllers.desk}/key`
      const body = { type: 'keyCard', original: false, externalId: stay, unitName: '107' }
      const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
      const copy = await house.ask('POST', path, { body: { ...body, ...dates } })
      assert.equal(copy.status, 201, copy.text)
      house.system.misbehaviours.push({ at: 'KM', does })
      assert.equal((await house.put.desk(stay, '108')).status, 502)
      assert.ok((await doubtfulUnits()).includes('107'))
      await putUntilDone(stay, '108')
      assert.equal((await keyOf(copy.body.data.id)).unitName, '108')
      for (const { id } of [copy.body.data, made.body.data])
        assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
      await until(
        'the end',
        () => house.system.opening('108'),
        (open) => open.length === 0,
      )
    })

    it(`is moved back when that is asked for (${does})`, async () => {
      const { stay, card } = await lostMove('103', '104', does)
      await putUntilDone(stay, '103')
      assert.deepEqual([house.system.opening('103'), house.system.opening('104')], [[card], []])
    })

    it(`is taken away wherever it is (${does})`, async () => {
      const { id } = await lostMove('105', '106', does)
      assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
      await until(
        'the end',
        () => [...house.system.opening('105'), ...house.system.opening('106')],
        (open) => open.length === 0,
      )
    })
  }
})
