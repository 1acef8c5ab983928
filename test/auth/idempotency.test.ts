import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

const post = (key: string, body: unknown, token = 'demo', path = '/api/v2/unit-types'): Promise<Reply> =>
  house.ask('POST', path, { body, token, headers: { 'Idempotency-Key': key } })
const replayed = ({ headers }: Reply) => headers.get('idempotency-replayed')
const code = ({ body }: Reply): string | undefined => body?.errors?.[0].code
const count = async () => (await house.ask('GET', '/api/v2/unit-types?page[size]=100')).body.data.length

describe('a POST with an Idempotency-Key', () => {
  it('runs once, and a repeat gets the same answer', async () => {
    const before = await count()
    const first = await post('key-1', { name: 'One', code: 'ONE' })
    const again = await post('key-1', { name: 'One', code: 'ONE' })
    assert.deepEqual([first.status, replayed(first)], [201, null])
    assert.deepEqual([again.status, replayed(again)], [201, 'true'])
    assert.equal(again.text, first.text)
    for (const name of ['location', 'etag']) assert.equal(again.headers.get(name), first.headers.get(name))
    assert.equal(await count(), before + 1)
  })

  it('is answered the same after its resource has changed', async () => {
    const first = await post('key-changed', { name: 'Two', code: 'TWO' })
    await house.ask('DELETE', `/api/v2/unit-types/${first.body.data.id}`)
    assert.equal((await post('key-changed', { name: 'Two', code: 'TWO' })).text, first.text)
  })

  it('is answered the same after a restart', async () => {
    const first = await post('key-restart', { name: 'Three', code: 'THR' })
    await house.restart()
    assert.equal((await post('key-restart', { name: 'Three', code: 'THR' })).text, first.text)
  })

  it('is refused with another body or for another path', async () => {
    await post('key-2', { name: 'Four', code: 'FOU' })
    for (const reply of [
      await post('key-2', { name: 'Four', code: 'FIV' }),
      await post('key-2', { name: 'Four', code: 'FOU' }, 'demo', '/api/v2/amenities'),
    ]) {
      assert.deepEqual([reply.status, code(reply)], [422, 'idempotency-key-reused'])
      assert.deepEqual(reply.body.errors[0].source, { header: 'Idempotency-Key' })
    }
  })

  it('may be repeated when it was refused', async () => {
    assert.equal((await post('key-3', { name: 'Six' })).status, 422)
    assert.equal((await post('key-3', { name: 'Six', code: 'SIX' })).status, 201)
  })

  it('may be repeated when the cause of the refusal is gone', async () => {
    const type = await post('type', { name: 'Penthouse', code: 'PEN' })
    const unitTypeId = type.body.data.id
    const stays = [
      {
        startDate: '2026-06-01',
        endDate: '2026-06-02',
        status: 'Tentative',
        personCount: { adults: 1 },
        units: [{ unitTypeId }],
        reservationIds: [],
      },
    ]
    const made = await post('booking', { stays }, 'demo', '/api/v2/reservations')
    const stay = `/api/v2/reservations/${made.body.data.id}/stays/${made.body.data.attributes.stays[0].id}`
    const assign = () => post('assign', {}, 'demo', `${stay}/unit-assignment`)
    assert.equal(code(await assign()), 'no-eligible-unit')
    await post('unit', { name: 'P1', status: 'Clean', unitTypeId }, 'demo', '/api/v2/units')
    const [first, again] = [await assign(), await assign()]
    assert.deepEqual([first.status, replayed(first)], [200, null], first.text)
    assert.deepEqual([again.status, replayed(again), again.text], [200, 'true', first.text])
  })

  it('is answered the same when it wrote nothing', async () => {
    const path = '/api/v2/access/dispensers/reset-all-cache'
    const first = await post('key-reset', undefined, 'demo', path)
    assert.deepEqual([first.status, replayed(first), first.body.meta.cleared], [200, null, 1], first.text)
    const again = await post('key-reset', undefined, 'demo', path)
    assert.deepEqual([again.status, replayed(again), again.text], [200, 'true', first.text])
    const other = await post('key-reset', { all: true }, 'demo', path)
    assert.deepEqual([other.status, code(other)], [422, 'idempotency-key-reused'])
  })

  it('may run after a dry run', async () => {
    const body = { name: 'Seven', code: 'SEV' }
    assert.equal((await post('key-4', body, 'demo', '/api/v2/unit-types?dryRun=true')).status, 201)
    const real = await post('key-4', body)
    assert.deepEqual([real.status, replayed(real)], [201, null])
  })

  it('is refused as a dry run after it has run', async () => {
    const body = { name: 'Real', code: 'REA' }
    await post('key-real', body)
    const trial = await post('key-real', body, 'demo', '/api/v2/unit-types?dryRun=true')
    assert.deepEqual([trial.status, code(trial)], [422, 'idempotency-key-reused'])
  })

  it('runs once when it arrives twice at the same time', async () => {
    const before = await count()
    const both = await Promise.all([1, 2, 3].map(() => post('key-5', { name: 'Eight', code: 'EIG' })))
    const made = both.filter(({ status }) => status === 201)
    assert.ok(made.length >= 1)
    assert.equal(new Set(made.map(({ text }) => text)).size, 1)
    for (const reply of both.filter(({ status }) => status !== 201)) {
      assert.deepEqual([reply.status, code(reply)], [409, 'idempotency-in-progress'])
      assert.equal(reply.headers.get('retry-after'), '1')
    }
    assert.equal(await count(), before + 1)
  })

  it('is independent for another token', async () => {
    const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Second', role: 'admin' } })
    await post('key-6', { name: 'Nine', code: 'NIN' })
    const other = await post('key-6', { name: 'Ten', code: 'TEN' }, made.body.meta.token)
    assert.deepEqual([other.status, replayed(other)], [201, null])
  })

  it('is forgotten after a day', async () => {
    await post('key-7', { name: 'Eleven', code: 'ELE' })
    house.clock.advance(86_400_001)
    const again = await post('key-7', { name: 'Twelve', code: 'TWE' })
    assert.deepEqual([again.status, replayed(again)], [201, null])
  })

  it('is refused with an invalid key', async () => {
    for (const key of ['', 'x'.repeat(129), 'two words']) {
      const reply = await post(key, { name: 'x', code: 'x' })
      assert.deepEqual([reply.status, code(reply)], [400, 'malformed-request'])
    }
  })

  it('makes one token, and shows it once', async () => {
    const ask = () => post('key-8', { name: 'Third', role: 'kiosk' }, 'demo', '/api/config/v1/tokens')
    const [first, again] = [await ask(), await ask()]
    assert.match(first.body.meta.token, /^lk_/)
    assert.deepEqual([again.status, replayed(again)], [201, 'true'])
    assert.deepEqual(again.body.data, first.body.data)
    assert.deepEqual(Object.keys(again.body.meta), ['note'])
    const made = await house.ask('GET', '/api/config/v1/tokens?filter[name]=Third')
    assert.equal(made.body.data.length, 1)
  })

  it('makes no token in a dry run', async () => {
    const path = '/api/config/v1/tokens?dryRun=true'
    const trial = await post('key-trial', { name: 'Trial', role: 'kiosk' }, 'demo', path)
    assert.deepEqual([trial.status, Object.keys(trial.body.meta)], [201, ['note']])
    const made = await house.ask('GET', '/api/config/v1/tokens?filter[name]=Trial')
    assert.deepEqual(made.body.data, [])
  })
})

describe('a request that is still running', () => {
  it('does not run a second time meanwhile', async () => {
    const [controller] = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data
    const path = `/api/v2/access/controllers/${controller.id}/key`
    const today = new Date(house.clock.now()).toISOString().slice(0, 10)
    const tomorrow = new Date(house.clock.now() + 86_400_000).toISOString().slice(0, 10)
    const body = { type: 'keyCard', unitName: '101', original: true, startDate: today, endDate: tomorrow }
    const [first, second] = await Promise.all([
      post('key-9', body, 'demo', path),
      post('key-9', body, 'demo', path),
    ])
    assert.deepEqual([first.status, second.status].sort(), [201, 409], `${first.text} ${second.text}`)
    const again = await post('key-9', body, 'demo', path)
    assert.deepEqual([again.status, replayed(again)], [201, 'true'])
    const keys = await house.ask('GET', '/api/v2/access/keys?filter[unitName]=101')
    assert.equal(keys.body.data.length, 1)
  })
})
