import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it, mock } from 'node:test'
import Database from 'better-sqlite3'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { eventually } from '../eventually.ts'

let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())
afterEach(() => mock.restoreAll())

/** From now on SQLite reads nothing in this thread, and calls it damage: so it does with a disk that reports EIO. */
function failReads(): void {
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')) as Record<
    string,
    () => void
  >
  for (const name of ['get', 'all', 'iterate'])
    mock.method(statement, name, () => {
      throw new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT')
    })
}

const status = (headers = {}) => house.ask('GET', '/api/v2/status', { headers })
const first = '/api/v2/reservations?page[size]=1'

describe('a database that cannot be read for a while', () => {
  it('is a storage that fails in every answer, and no damage', async () => {
    const { id } = (await status()).body.data
    failReads()
    const refused = await house.ask('GET', first)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30'])
    const [error] = refused.body.errors
    assert.equal(error.code, 'storage-failing')
    assert.match(
      error.detail,
      /could not read a part.* Last, .*what was changed since the backup is lost then\.$/,
    )
    const written = await house.ask('POST', '/api/v2/amenities', {
      body: { code: 'SEA', name: 'Sea view' },
      headers: { 'Idempotency-Key': 'sea' },
    })
    assert.deepEqual([written.status, written.body.errors[0].code], [503, 'storage-failing'])
    const { data } = (await status()).body
    assert.deepEqual([data.id, data.attributes.status], [id, 'fail'])
    assert.partialDeepStrictEqual(data.attributes.checks, {
      'storage:writes': [
        { status: 'fail', observedValue: 'unreadable', messages: [{ code: 'disk-unreadable' }] },
      ],
    })
    assert.equal((await house.ask('GET', '/metrics')).status, 503)
  })

  it('is told to a caller whose rights are known, without the checks if they are not for this caller', async () => {
    const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Lobby', role: 'kiosk' } })
    const { token } = made.body.meta
    const ofLobby = () => house.ask('GET', '/api/v2/status', { token })
    failReads()
    const refused = await ofLobby()
    assert.deepEqual([refused.status, refused.body.errors[0].code], [503, 'storage-failing'])
    mock.restoreAll()
    assert.equal((await ofLobby()).status, 200)
    // The use of a token is written, and after any write the rights are read again.
    const path = `/api/config/v1/tokens/${made.body.data.id}`
    const lastUse = async () => (await house.ask('GET', path)).body.data.attributes.lastUsedAt
    await eventually('the use is written', lastUse)
    assert.equal((await ofLobby()).status, 200)
    failReads()
    const { attributes } = (await ofLobby()).body.data
    assert.deepEqual([attributes.status, attributes.checks], ['fail', undefined])
  })

  it('says so in the language of the request', async () => {
    failReads()
    const headers = { 'Accept-Language': 'de' }
    const { body } = await house.ask('GET', first, { headers })
    assert.match(
      body.errors[0].detail,
      /^Die Platte mit dem Datenordner konnte einen Teil der Datenbank nicht lesen\./,
    )
    const { checks } = (await status(headers)).body.data.attributes
    assert.equal(checks['storage:writes'][0].output, body.errors[0].detail)
  })

  it('is well again when a check has read all of it, and a refused request succeeds', async () => {
    failReads()
    assert.equal((await house.ask('GET', first)).status, 503)
    mock.restoreAll()
    await eventually('it can be read', house.appliance.trouble, (found) => found === null)
    assert.equal((await house.ask('GET', first)).status, 200)
    const written = await house.ask('POST', '/api/v2/amenities', {
      body: { code: 'SEA', name: 'Sea view' },
      headers: { 'Idempotency-Key': 'sea' },
    })
    assert.equal(written.status, 201)
    const { checks } = (await status()).body.data.attributes
    assert.deepEqual(
      [checks['storage:writes'][0].status, checks['storage:integrity'][0].status],
      ['pass', 'pass'],
    )
    assert.equal((await house.ask('GET', '/readyz', { token: null })).status, 200)
  })
})
