import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { outOfOrder, type Running, served } from '../../cli/command-line.ts'
import { eventually } from '../../eventually.ts'
import { type FaultyDisk, faultyDisk } from './faulty-disk.ts'

const [ENOSPC, EIO, EREMOTEIO] = [28, 5, 121]
const clients = 64
/** A text of 50 kB: the pages of some rows fill the memory of SQLite. */
const names = Object.fromEntries(
  Array.from({ length: 50 }, (_, at) => [
    `${'abcdefghijklmnopqrstuvwxyz'[at % 26]}${'ab'[at % 2]}`,
    '\u{1f511}'.repeat(250),
  ]),
)

const made = faultyDisk()
const skip = made ? false : 'no C compiler is installed'
const disk = made as FaultyDisk
after(() => made?.remove())

interface Reply {
  status: number
  code: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
  body: any
}

/** Asks, and fails when there is no answer within the deadline of a request and five seconds. */
async function askAt(url: string, method: string, path: string, body?: object, key?: string): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    headers: {
      Authorization: 'Bearer demo',
      'Content-Type': 'application/vnd.api+json',
      ...(key && { 'Idempotency-Key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(35_000),
  })
  const text = await response.text()
  const found = text === '' ? null : JSON.parse(text)
  return { status: response.status, code: found?.errors?.[0].code, body: found }
}

describe('a disk that fails for a while', { skip }, () => {
  let house: Running & { url: string }
  let number = 0
  const ask = (...values: Parameters<typeof askAt> extends [string, ...infer Rest] ? Rest : never) =>
    askAt(house.url, ...values)
  const amenity = (code: string) => ask('POST', '/api/v2/amenities', { code, name: code, names }, code)
  const health = async () => (await ask('GET', '/api/v2/status')).body.data.attributes
  const writes = async () => (await health()).checks['storage:writes'][0]
  const isWell = () => eventually('all is well', writes, ({ status }) => status === 'pass')

  before(async () => {
    house = await served(disk.data)
  })
  after(() => house?.stop())
  beforeEach(async () => {
    disk.heal()
    await isWell()
  })

  const faults: [what: string, fail: () => void, code: string][] = [
    [
      'a read in a command',
      () => disk.fail('reads', EREMOTEIO, { passing: 10, failing: 1, threads: true }),
      'storage-failing',
    ],
    [
      'a read in a command, which looks like damage',
      () => disk.fail('reads', EIO, { passing: 10, failing: 1, threads: true }),
      'storage-failing',
    ],
    [
      'every read of the writer',
      () => disk.fail('reads', EREMOTEIO, { passing: 10, threads: true }),
      'storage-failing',
    ],
    ['a write', () => disk.fail('writes', EIO, { passing: 100, failing: 1 }), 'storage-failing'],
    ['every write for want of room', () => disk.fail('writes', ENOSPC, { passing: 100 }), 'storage-full'],
    ['a flush', () => disk.fail('flushes', EIO, { passing: 2, failing: 1 }), 'storage-failing'],
  ]
  for (const [what, fail, expected] of faults)
    it(`answers each of ${clients} clients when it fails at ${what}`, async () => {
      const before = Array.from({ length: 2 * clients }, () => `B${number++}`)
      const ids: string[] = []
      for (const code of before) ids.push((await amenity(code)).body.data.id)
      fail()
      const codes = Array.from({ length: clients / 2 }, () => `C${number++}`)
      // The rows that are changed lie behind those that SQLite has in its memory.
      const [changed, added] = await Promise.all([
        Promise.all(
          ids.slice(0, clients / 2).map((id) => ask('PATCH', `/api/v2/amenities/${id}`, { name: 'changed' })),
        ),
        Promise.all(codes.map(amenity)),
      ])
      assert.ok(disk.failedInThreads() > 0)
      disk.heal()
      for (const { status, code } of [...changed, ...added])
        if (![201, 204].includes(status)) assert.deepEqual([status, code], [503, expected])
      await isWell()
      // What was answered is there, what was refused is not, and a repeat does it once.
      for (const [at, { status }] of added.entries()) {
        const { body } = await ask('GET', `/api/v2/amenities?filter[code]=${codes[at]}`)
        assert.equal(body.data.length, Number(status === 201), `${codes[at]} was answered with ${status}`)
        assert.equal((await amenity(codes[at]!)).status, 201)
        assert.equal((await amenity(codes[at]!)).status, 201)
      }
    })

  it('is not called damaged when nothing can be read, and is well again by itself', async () => {
    await amenity('LAST')
    disk.fail('reads', EIO)
    const paths = ['reservations', 'stays', 'profiles', 'rate-plans', 'amenities']
    for (let round = 0; round < 5; round++)
      for (const path of paths) {
        const { status, code } = await ask('GET', `/api/v2/${path}?page[size]=50&sort=-createdAt`)
        if (status !== 200) assert.deepEqual([status, code], [503, 'storage-failing'])
      }
    await eventually('a check cannot read it either', disk.failedInThreads)
    const found = await writes()
    assert.deepEqual([found.observedValue, found.messages[0].code], ['unreadable', 'disk-unreadable'])
    disk.heal()
    await isWell()
    assert.equal((await health()).storage.integrity, 'ok')
    assert.equal((await ask('GET', '/readyz')).status, 200)
    assert.equal((await ask('GET', '/api/v2/reservations?page[size]=50')).status, 200)
  })
})

it('a start on a disk that reads nothing for a while is no damage, and goes on by itself', {
  skip,
}, async (t) => {
  await (await served(disk.data)).stop()
  disk.fail('reads', EIO, { passing: 30 })
  t.after(disk.heal)
  const broken = await outOfOrder(disk.data)
  t.after(() => broken.stop())
  assert.match(broken.said, /could not read a part of the database/)
  const { status, code } = await askAt(broken.url, 'GET', '/api/v2/units')
  assert.deepEqual([status, code], [503, 'storage-failing'])
  disk.heal()
  await broken.says(/nightporter listens on/)
})
