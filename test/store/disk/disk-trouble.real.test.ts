import assert from 'node:assert/strict'
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { Problem } from '../../../src/resource/problem.ts'
import { problemOf, troubleIn } from '../../../src/store/disk/disk-trouble.ts'
import { diskWatch } from '../../../src/store/disk/disk-watch.ts'
import { startAppliance } from '../../appliance.ts'
import { eventually } from '../../eventually.ts'

const failed = (code: string) => new Database.SqliteError('it failed', code)

const told: [code: string, is: string | undefined, problem: string | undefined][] = [
  ['SQLITE_FULL', 'full', 'storage-full'],
  ['SQLITE_READONLY', 'read-only', 'storage-read-only'],
  ['SQLITE_READONLY_DBMOVED', 'read-only', 'storage-read-only'],
  ['SQLITE_IOERR', 'failing', 'storage-failing'],
  ['SQLITE_IOERR_FSYNC', 'failing', 'storage-failing'],
  ['SQLITE_CANTOPEN', 'failing', 'storage-failing'],
  ['SQLITE_IOERR_READ', 'unreadable', 'storage-failing'],
  // SQLite says so of a disk that reports EIO, too.
  ['SQLITE_CORRUPT', 'unreadable', 'storage-failing'],
  ['SQLITE_CORRUPT_INDEX', 'unreadable', 'storage-failing'],
  ['SQLITE_CORRUPT_VTAB', 'failing', 'storage-failing'],
  ['SQLITE_NOTADB', 'unreadable', 'storage-failing'],
  ['SQLITE_BUSY', undefined, undefined],
  ['SQLITE_CONSTRAINT_UNIQUE', undefined, undefined],
  ['SQLITE_ERROR', undefined, undefined],
]

describe('the trouble that SQLite reports', () => {
  for (const [code, is, problem] of told)
    it(`is ${is ?? 'nothing'} with ${code}`, () => {
      const trouble = troubleIn(failed(code))
      assert.equal(trouble?.is, is)
      assert.equal(trouble ? problemOf(trouble).code : undefined, problem)
      if (trouble) assert.equal(problemOf(trouble).status, 503)
    })
})

describe('the disk watch', () => {
  function watched() {
    const disk = diskWatch()
    const said: (string | null)[] = []
    disk.subscribe((trouble) => said.push(trouble?.is ?? null))
    return { disk, said }
  }

  it('reports a change once, however often it is met', () => {
    const { disk, said } = watched()
    for (let time = 0; time < 5; time++)
      assert.equal(disk.problem(failed('SQLITE_IOERR_WRITE'))?.code, 'storage-failing')
    assert.equal(disk.problem(new Error('of our own')), null)
    assert.equal(disk.problem(new Problem('not-found', 'No.')), null)
    disk.well()
    disk.well()
    disk.problem(failed('SQLITE_FULL'))
    assert.deepEqual(said, ['failing', null, 'full'])
  })

  it('keeps a database unreadable although it can be written, until a check has read it', () => {
    const { disk, said } = watched()
    assert.equal(disk.problem(failed('SQLITE_CORRUPT'))?.code, 'storage-failing')
    disk.problem(failed('SQLITE_FULL'))
    disk.well()
    assert.equal(disk.trouble()?.is, 'unreadable')
    disk.intact()
    assert.deepEqual(said, ['unreadable', null])
  })

  it('says damage after a check alone, and from then on of each part that cannot be read', () => {
    const { disk, said } = watched()
    disk.is({ is: 'damaged', code: 'integrity_check' })
    assert.equal(disk.problem(failed('SQLITE_CORRUPT'))?.code, 'storage-damaged')
    disk.is({ is: 'unreadable', code: 'EIO' })
    disk.well()
    assert.equal(disk.trouble()?.is, 'damaged')
    disk.intact()
    assert.deepEqual(said, ['damaged', null])
  })

  it('rejects waiting calls while the disk hangs, and loses no outcome', async () => {
    const { disk, said } = watched()
    const work = Promise.withResolvers<string>()
    const asked = disk.within(work.promise)
    disk.hangs()
    await assert.rejects(asked, { code: 'storage-failing', message: /not known yet/ })
    disk.answers()
    assert.deepEqual(said, ['hanging', null])
    work.resolve('done')
    assert.equal(await disk.within(work.promise), 'done')
  })
})

it('calls are rejected while the writer does not answer, and its writes are there afterwards', async (t) => {
  const house = await startAppliance({ beatMs: 100 })
  t.after(() => house.stop())
  const ask = (method: string, path: string, body?: object, headers = {}) =>
    fetch(house.appliance.url + path, {
      method,
      headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/vnd.api+json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  const once = { 'Idempotency-Key': 'sea' }
  const seaView = { code: 'SEA', name: 'Sea view' }
  const shell = new Database(`${house.data}/nightporter.db`)
  shell.exec('BEGIN IMMEDIATE')
  const began = performance.now()
  const refused = await ask('POST', '/api/v2/amenities', seaView, once)
  assert.ok(performance.now() - began < 3_000)
  assert.equal(refused.status, 503)
  const [error] = ((await refused.json()) as { errors: { code: string; meta: object }[] }).errors
  assert.partialDeepStrictEqual(error, { code: 'storage-failing', meta: { outcomeUnknown: true } })
  assert.equal(house.appliance.isWriting(), false)
  assert.equal((await ask('GET', '/readyz')).status, 503)
  assert.equal((await ask('GET', '/api/v2/amenities')).status, 200)
  // What comes now is not even begun.
  const second = await ask('POST', '/api/v2/amenities', { code: 'SKY', name: 'Sky view' })
  assert.equal(second.status, 503)
  shell.exec('ROLLBACK')
  shell.close()
  while (!house.appliance.isWriting()) await pause(20)
  assert.equal((await ask('GET', '/readyz')).status, 200)
  const again = await ask('POST', '/api/v2/amenities', seaView, once)
  assert.equal(again.status, 201, await again.text())
  const codes = (
    (await (await ask('GET', '/api/v2/amenities?page[size]=50')).json()) as {
      data: { attributes: { code: string } }[]
    }
  ).data
  assert.deepEqual(
    codes.map(({ attributes }) => attributes.code).filter((code) => code.startsWith('S')),
    ['SEA'],
  )
})

it('a database that is found to be damaged is reported and is not ready', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const path = `${house.data}/nightporter.db`
  const shell = new Database(path)
  shell.pragma('wal_checkpoint(TRUNCATE)')
  shell.close()
  const file = openSync(path, 'r+')
  for (let page = 2; page < statSync(path).size / 1024; page++)
    writeSync(file, Buffer.alloc(1024, 0xa5), 0, 1024, page * 1024)
  closeSync(file)
  // Enough of it has to be read that is not remembered.
  const answers = []
  for (const path of ['reservations', 'stays', 'profiles', 'rate-plans', 'services', 'cancellation-policies'])
    answers.push(await house.ask('GET', `/api/v2/${path}?page[size]=50&sort=-createdAt`))
  const refused = answers.filter(({ status }) => status === 503)
  assert.ok(refused.length > 0, answers.map(({ status }) => status).join())
  assert.equal(refused[0]!.body.errors[0].code, 'storage-failing')
  await eventually('a check has found damage', house.appliance.trouble, (said) =>
    /damaged:/.test(String(said)),
  )
  const again = await house.ask('GET', '/api/v2/stays?page[size]=50&sort=-createdAt')
  assert.equal(again.body.errors[0].code, 'storage-damaged')
  const ready = await house.ask('GET', '/readyz', { token: null })
  assert.equal(ready.status, 503)
  assert.match(ready.body.output, /damaged/)
  // The screen of a box says it too.
  assert.match(String(house.appliance.trouble()), /damaged.*restore/)
})
