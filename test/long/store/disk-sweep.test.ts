import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { identity, withKey } from '../../backup/recovery.ts'
import { type Served, served } from '../../cli/command-line.ts'
import { eventually } from '../../eventually.ts'
import { noLimits } from '../../no-limits.ts'
import { type Call, faultyDisk, shortWrite } from '../../store/disk/faulty-disk.ts'

const { EIO, ENOSPC, EROFS, EINTR } = constants.errno
const errors: Record<string, [number: number, at: readonly Call[]]> = {
  EIO: [EIO, ['reads', 'writes', 'flushes', 'opens', 'renames', 'removals', 'sizes', 'folders']],
  ENOSPC: [ENOSPC, ['writes', 'opens', 'renames', 'sizes', 'folders']],
  EROFS: [EROFS, ['writes', 'opens', 'renames', 'removals', 'sizes', 'folders']],
  EINTR: [EINTR, ['reads', 'writes', 'flushes', 'opens', 'sizes']],
  'short write': [shortWrite, ['writes']],
}
/** The positions of one kind of call at which one error is tried, evenly over all of them. */
const mostPositions = Number(process.env.SWEEP_POSITIONS ?? 6)
const restores = '/api/config/v1/restores'
/** The deadline of a request and five seconds. */
const answerWithinMs = 35_000
/** What a request may be answered with on a disk that fails: that it cannot be done now, with a sentence. */
const refusals = [503, 507]
const refusalsOfBackup = ['backup-refused', 'restore-refused']

const made = faultyDisk('all files')
const skip = made ? false : 'no C compiler is installed'
const disk = made!

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
type Found = Record<'data' | 'meta', any>

/** The appliance, and a token of an administrator. */
type House = Served & { token: string }

/** One work of the day. It resolves with the paths of lists that have one row each, which was acknowledged. */
type Work = (house: House, number: number) => Promise<string[]>

let unitTypeId: string

const works: Record<string, Work> = {
  async commands(house, number) {
    const codes = Array.from({ length: 4 }, (_, at) => `S${number}${'ABCD'[at]}`)
    const replies = await Promise.all(codes.map((code) => amenity(house, code)))
    await asked(house, 'GET', '/api/v2/reservations?page[size]=50&include=stays', [200])
    return codes
      .filter((_, at) => replies[at] === 201)
      .map((code) => `/api/v2/amenities?filter[code]=${code}`)
  },
  async import(house, number) {
    const stay = {
      startDate: '2024-05-01',
      endDate: '2024-05-03',
      status: 'CheckedOut',
      personCount: { adults: 1 },
      units: [{ unitTypeId }],
      reservationIds: [],
    }
    const names = Array.from({ length: 5 }, (_, at) => `I-${number}-${at}`)
    const data = names.map((externalId) => ({ externalId, stays: [stay] }))
    const response = await fetched(house, 'POST', '/api/config/v1/imports', { data })
    const text = await response.text()
    if (response.status !== 200) return expectRefusal('import', response.status, text)
    const { rows } = (JSON.parse(text) as Found).meta
    return names
      .filter((_, at) => rows[at].id)
      .map((name) => `/api/v2/reservations?filter[externalId]=${name}`)
  },
  async backup(house) {
    await asked(house, 'POST', '/api/config/v1/backups', [201], {})
    await asked(house, 'GET', '/api/config/v1/backups', [200])
    return []
  },
  async restore(house) {
    const kept = await fetched(house, 'GET', '/api/config/v1/restorable-backups')
    const listed = await kept.text()
    if (kept.status !== 200) return expectRefusal('the list of backups', kept.status, listed)
    const [newest] = (JSON.parse(listed) as Found).data
    // A folder that cannot be read has no backups.
    if (!newest) return []
    const { place, backup } = newest.attributes
    const begun = await fetched(house, 'POST', restores, { place, backup })
    const text = await begun.text()
    if (begun.status !== 201) return expectRefusal('a restore', begun.status, text)
    const at = `${restores}/${(JSON.parse(text) as Found).data.id}`
    const asGuest = { ...house, token: '' }
    const asks = await asked(asGuest, 'POST', `${at}/actions/open`, [200, 202], { recoveryKey: identity })
    const opened = await eventually(
      'the backup is opened, or refused',
      async () => (await found(asGuest, at)).data.attributes,
      ({ state }) => state !== 'opening' && state !== 'receiving',
    )
    const isRefused = refusals.includes(asks) && opened.state === 'waiting-for-key'
    assert.ok(opened.state === 'ready' || opened.problem || isRefused, JSON.stringify(opened))
    await asked(asGuest, 'DELETE', at, [204])
    return []
  },
  async certificate(house) {
    await asked(house, 'POST', '/api/config/v1/certificate/actions/renew', [200], {})
    return []
  },
  async recorder(house) {
    await asked(house, 'GET', '/api/config/v1/flight-recorder', [200])
    await asked(house, 'GET', '/api/v2/status', [200])
    return []
  },
}

describe('one error of the disk at each call of a day of work', { skip, timeout: 14_400_000 }, () => {
  let house: House
  let token: string
  let number = 0
  const acknowledged: string[] = []
  const wrong: string[] = []

  before(async () => {
    const second = `${disk.data}-second`
    mkdirSync(second)
    const settings = { rateLimits: noLimits, backup: { copyTo: second }, localPort: 0 }
    writeFileSync(`${disk.data}/nightporter.json`, JSON.stringify(settings))
    withKey(disk.data)
    house = { ...(await served(disk.data)), token: 'demo' }
    const body = { name: 'sweep', role: 'admin', scopes: [] }
    const made = await fetched(house, 'POST', '/api/config/v1/tokens', body)
    ;({ token } = ((await made.json()) as Found).meta)
    await house.stop()
    house = await secured()
    unitTypeId = (await found(house, '/api/v2/unit-types?page[size]=1')).data[0].id
  })
  after(async () => {
    disk.heal()
    await house?.stop()
    made?.remove()
  })

  /** The house as other machines can reach it, with a certificate of its own. */
  async function secured(): Promise<House> {
    const running = await served(disk.data, '--listen', '0.0.0.0:0')
    const [, url = ''] = /without TLS: (\S+)/.exec(running.lines.join('\n')) ?? []
    return { ...running, url, token }
  }

  /** Does a work while the disk fails, and afterwards once more without a fault. Writes down what is wrong. */
  async function tried(what: string, work: Work): Promise<void> {
    try {
      acknowledged.push(...(await work(house, number++)))
      disk.heal()
      await isWell(house)
      acknowledged.push(...(await work(house, number++)))
      for (const path of acknowledged.slice(-20)) await isThere(house, path)
    } catch (error) {
      wrong.push(`${what}: ${(error as Error).message.slice(0, 600)}`)
      console.error(wrong.at(-1))
      disk.heal()
      const { code, stderr } = await house.stop('SIGKILL')
      wrong.push(`  then it ended with ${code}: ${stderr.slice(-600)}`)
      house = await secured()
    }
  }

  for (const [name, work] of Object.entries(works))
    it(`${name}: each request is answered, nothing is lost, and the box heals`, async () => {
      await work(house, number++)
      for (const [error, [errno, calls]] of Object.entries(errors))
        for (const call of calls) {
          const count = await disk.count(call, () => work(house, number++))
          const positions = Math.min(count, mostPositions)
          for (let each = 0; each < positions; each++) {
            const passing = Math.floor((each * count) / positions)
            disk.fail(call, errno, { passing, failing: 1 })
            await tried(`${name}, ${error} once at call ${passing} of ${count} ${call}`, work)
          }
          // A call that is interrupted is made again, for ever.
          if (count === 0 || errno === EINTR) continue
          disk.fail(call, errno)
          await tried(`${name}, ${error} at all ${call}`, work)
        }
      assert.deepEqual(wrong.splice(0), [])
    })

  it('ends in order, and has all that it acknowledged', async () => {
    const { code, stderr } = await house.stop()
    assert.equal(code, 0)
    for (const line of stderr.split('\n').filter(Boolean)) {
      const { level, msg } = JSON.parse(line)
      assert.ok(level !== 'fatal' && msg !== 'answered 500', line)
    }
    house = await secured()
    for (const each of acknowledged) await isThere(house, each)
  })
})

function amenity(house: House, code: string): Promise<number> {
  return asked(house, 'POST', '/api/v2/amenities', [201], { code, name: code }, code)
}

async function isThere(house: House, path: string): Promise<void> {
  const { data } = await found(house, path)
  assert.equal(data.length, 1, `${path} was acknowledged, and is there ${data.length} times`)
}

async function found(house: House, path: string): Promise<Found> {
  return (await (await fetched(house, 'GET', path)).json()) as Found
}

/** Asks, and returns the status. Fails when there is no answer in time, or one that does not say what happened. */
async function asked(
  house: House,
  method: string,
  path: string,
  well: number[],
  body?: object,
  key?: string,
): Promise<number> {
  const response = await fetched(house, method, path, body, key)
  if (well.includes(response.status)) {
    // A download that ends early is seen to be cut.
    await response.text().catch(() => {})
    return response.status
  }
  expectRefusal(`${method} ${path}`, response.status, await response.text())
  return response.status
}

/** Nothing was acknowledged. */
function expectRefusal(what: string, status: number, text: string): [] {
  const error = text.startsWith('{') ? JSON.parse(text).errors?.[0] : null
  assert.ok(
    error?.detail && (refusals.includes(status) || refusalsOfBackup.includes(error.code)),
    `${what} was answered with ${status}: ${text.slice(0, 300)}`,
  )
  return []
}

function fetched(
  { url, token }: House,
  method: string,
  path: string,
  body?: object,
  key?: string,
): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      'Content-Type': 'application/vnd.api+json',
      ...(key && { 'Idempotency-Key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerWithinMs),
  })
}

/** The disk writes again, and the database is intact. */
async function isWell(house: House): Promise<void> {
  await eventually(
    'all is well',
    async () => {
      const { data } = await found(house, '/api/v2/status')
      const { checks } = data.attributes
      return ['storage:writes', 'storage:integrity'].flatMap((name) => checks[name] as { status: string }[])
    },
    (found) => found.every(({ status }) => status === 'pass'),
  )
}
