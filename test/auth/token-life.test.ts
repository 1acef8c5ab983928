import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'

const path = '/api/config/v1/tokens'
const minute = 60_000
const day = 86_400_000

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

const code = ({ body }: Reply): string | undefined => body?.errors?.[0].code
const opens = async (token: string) => (await house.ask('GET', '/api/v2/units', { token })).status === 200

interface Made {
  id: string
  token: string
}

async function make(more: object = {}): Promise<Made> {
  const made = await house.ask('POST', path, { body: { name: 'Desk', role: 'frontdesk', ...more } })
  assert.equal(made.status, 201, made.text)
  return { id: made.body.data.id, token: made.body.meta.token }
}

const rotate = (id: string, headers: Record<string, string> = {}, query = '') =>
  house.ask('POST', `${path}/${id}/actions/rotate${query}`, { headers })

describe('a token in use', () => {
  it('is valid after other writes, and refused at the next request once it is revoked', async () => {
    const { id, token } = await make()
    for (const name of ['Pool', 'Sauna', 'Garden']) {
      const amenity = { code: name, name }
      assert.equal((await house.ask('POST', '/api/v2/amenities', { body: amenity })).status, 201)
      assert.equal(await opens(token), true)
    }
    assert.equal((await house.ask('DELETE', `${path}/${id}`)).status, 204)
    assert.equal(await opens(token), false)
  })
})

describe('rotating a token', () => {
  it('returns a new one, and the old one stays valid for 24 hours', async () => {
    const { id, token } = await make()
    const rotated = await rotate(id)
    assert.equal(rotated.status, 200, rotated.text)
    const fresh = rotated.body.meta.token
    assert.notEqual(fresh, token)
    const until = new Date(house.clock.now() + day).toISOString()
    assert.equal(rotated.body.data.attributes.previousUntil, until)
    assert.deepEqual([await opens(token), await opens(fresh)], [true, true])
    house.clock.advance(day - 1)
    assert.deepEqual([await opens(token), await opens(fresh)], [true, true])
    house.clock.advance(1)
    assert.deepEqual([await opens(token), await opens(fresh)], [false, true])
  })

  it('a second time ends the one before the last', async () => {
    const { id, token } = await make()
    const second = (await rotate(id)).body.meta.token
    const third = (await rotate(id)).body.meta.token
    assert.deepEqual([await opens(token), await opens(second), await opens(third)], [false, true, true])
  })

  it('is ended by a revocation of both', async () => {
    const { id, token } = await make()
    const fresh = (await rotate(id)).body.meta.token
    await house.ask('DELETE', `${path}/${id}`)
    assert.deepEqual([await opens(token), await opens(fresh)], [false, false])
    assert.equal((await rotate(id)).status, 404)
  })

  it("does not extend the old one beyond the token's expiry", async () => {
    const expiresAt = new Date(house.clock.now() + minute).toISOString()
    const { id, token } = await make({ expiresAt })
    const fresh = (await rotate(id)).body.meta.token
    house.clock.advance(minute)
    assert.deepEqual([await opens(token), await opens(fresh)], [false, false])
  })

  it('shows the new one once, however often the request is repeated', async () => {
    const { id, token } = await make()
    const key = { 'Idempotency-Key': 'rotate-once' }
    const [first, again] = [await rotate(id, key), await rotate(id, key)]
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual([again.body.data, Object.keys(again.body.meta)], [first.body.data, ['note']])
    assert.deepEqual([await opens(token), await opens(first.body.meta.token)], [true, true])
  })

  it('changes nothing in a dry run', async () => {
    const { id, token } = await make()
    const trial = await rotate(id, {}, '?dryRun=true')
    assert.deepEqual([trial.status, Object.keys(trial.body.meta)], [200, ['note']])
    const read = await house.ask('GET', `${path}/${id}`)
    assert.deepEqual([read.body.data.attributes.previousUntil, await opens(token)], [null, true])
  })

  it('is refused with an outdated revision', async () => {
    const { id } = await make()
    const late = await rotate(id, { 'If-Match': '"99"' })
    assert.deepEqual([late.status, code(late)], [412, 'revision-mismatch'])
  })
})

describe('the last use of a token', () => {
  /** What was noted before is written before this is. */
  const afterThat = () => make()
  const lastUsed = async (id: string) => {
    await afterThat()
    return (await house.ask('GET', `${path}/${id}`)).body.data.attributes
  }

  it('is recorded to the minute, without a write for each request', async () => {
    const { id, token } = await make()
    assert.equal((await lastUsed(id)).lastUsedAt, null)
    const first = house.clock.now()
    for (const after of [0, 1_000, 58_999]) {
      house.clock.advance(after)
      await opens(token)
    }
    const { lastUsedAt, revision } = await lastUsed(id)
    assert.deepEqual([lastUsedAt, revision], [new Date(first).toISOString(), 2])
    house.clock.advance(1)
    await opens(token)
    assert.equal((await lastUsed(id)).lastUsedAt, new Date(first + minute).toISOString())
  })

  it('follows a clock that is set back', async () => {
    const { id, token } = await make()
    await opens(token)
    house.clock.set(house.clock.now() - day)
    await opens(token)
    assert.equal((await lastUsed(id)).lastUsedAt, new Date(house.clock.now()).toISOString())
  })

  it('is no event, and no change to the configuration', async () => {
    const { id, token } = await make()
    await opens(token)
    await afterThat()
    const file = new Database(join(house.data, 'nightporter.db'), { readonly: true })
    const types = file.prepare('SELECT type FROM journal WHERE subject = ?').pluck().all(`tokens/${id}`)
    file.close()
    assert.deepEqual(types, ['token.created'])
  })

  it('is recorded for both the current and the rotated secret', async () => {
    const { id, token } = await make()
    await rotate(id)
    house.clock.advance(minute)
    await opens(token)
    assert.equal((await lastUsed(id)).lastUsedAt, new Date(house.clock.now()).toISOString())
  })
})
