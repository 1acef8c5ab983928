import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { plain, resources } from '../../../src/composition/api.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { unitType } from '../../../src/reservation/resources/unit-type.ts'
import type { WriteOptions } from '../../../src/resource/command.ts'
import type { Reader } from '../../../src/resource/keeper.ts'
import { Problem } from '../../../src/resource/problem.ts'
import { type Connection, openReader } from '../../../src/store/connection.ts'
import { reader as openReading } from '../../../src/store/reader.ts'
import { noScans } from '../../../src/store/scan/scans.ts'
import { OpenWriter } from '../../../src/store/writer/writer.ts'
import { program as entry } from '../../program.ts'
import { refusal } from '../../reservation/refusal.ts'

const folder = mkdtempSync(join(tmpdir(), 'nightporter-door-'))
const path = join(folder, 'door.db')
const now = Date.UTC(2026, 5, 1)
const day = 86_400_000
/** How much time has gone by. */
let later = 0
const actor = { by: 'test', requestId: null }

let writer: OpenWriter
let connection: Connection
let reader: Reader
before(async () => {
  writer = new OpenWriter({
    path,
    entry,
    clock: { ...systemClock, now: () => now + later },
    lost: assert.fail,
  })
  await writer.ready
  connection = openReader(path)
  reader = openReading(connection, resources, {
    version: () => writer.version(),
    clock: systemClock,
    scans: noScans,
  })
})
after(async () => {
  await writer.close()
  connection.close()
  rmSync(folder, { recursive: true })
})

const create = (code: string, how: Partial<WriteOptions> = {}) =>
  writer.execute(plain.create, { type: 'unit-type', attributes: { code, name: code } }, { actor, ...how })

const isKept = (code: string) => reader.idOf(unitType, code) !== null

describe('commands that share a commit', () => {
  it('each fail alone', async () => {
    const codes = Array.from({ length: 40 }, (_, index) => `T${index % 30}`)
    const settled = await Promise.allSettled(codes.map((code) => create(code)))
    assert.deepEqual(
      settled.map(({ status }) => status),
      codes.map((_, index) => (index < 30 ? 'fulfilled' : 'rejected')),
    )
    for (const each of settled)
      if (each.status === 'rejected') refusal('validation-failed', '/code')(each.reason)
    assert.ok(codes.every(isKept))
  })

  it('run before those of low priority, and all of these complete too', async () => {
    const done: string[] = []
    const asked = (code: string, lowPriority: boolean) =>
      create(code, { lowPriority }).then(() => done.push(code))
    // The writer is at work until all of them have been sent.
    const items = Array.from({ length: 1_000 }, (_, index) => ({ code: `L${index}`, name: 'Long' }))
    const long = writer.execute(plain.createMany, { type: 'unit-type', items }, { actor })
    const lowPriority = Array.from({ length: 200 }, (_, index) => asked(`P${index}`, true))
    const waited = Array.from({ length: 40 }, (_, index) => asked(`W${index}`, false))
    await Promise.all([long, ...lowPriority, ...waited])
    assert.equal(done.length, 240)
    const before = done.slice(
      0,
      done.findLastIndex((code) => code.startsWith('W')),
    )
    const overtaken = 200 - before.filter((code) => code.startsWith('P')).length
    assert.ok(overtaken > 100, `${overtaken} of 200 were overtaken`)
  })

  it('leave the search index to be updated when no command waits', async () => {
    const items = Array.from({ length: 600 }, (_, at) => ({
      firstName: `Anna ${at}`,
      lastName: `Searched ${at}`,
      normalizedName: `ANNA ${at}`,
    }))
    const pending = () => connection.prepare('SELECT count(*) FROM search_pending').pluck().get()
    await writer.execute(plain.createMany, { type: 'profile', items: items.slice(0, 30) }, { actor })
    assert.equal(pending(), 90)
    await writer.execute(plain.createMany, { type: 'profile', items }, { actor })
    for (let turn = 0; pending() !== 0 && turn < 200; turn++) await pause(5)
    assert.equal(pending(), 0)
  })

  it('run in the order of their arrival', async () => {
    const { id } = await create('ORDER')
    const write = (name: string) =>
      writer.execute(plain.patch, { type: 'unit-type', id, attributes: { name } }, { actor })
    const revisions = await Promise.all(['first', 'second', 'third'].map(write))
    assert.deepEqual(
      revisions.map(({ revision }) => revision),
      [2, 3, 4],
    )
    assert.equal(reader.row(unitType, id)?.name, 'third')
  })

  it('leave nothing of one that failed halfway', async () => {
    const items = ['A1', 'A2', 'A1'].map((code) => ({ code, name: code }))
    const [batch, alone] = await Promise.allSettled([
      writer.execute(plain.createMany, { type: 'unit-type', items }, { actor }),
      create('A3'),
    ])
    assert.equal(batch.status, 'rejected')
    assert.ok(batch.reason instanceof Problem)
    assert.equal(batch.reason.options.item, 2)
    assert.equal(alone.status, 'fulfilled')
    assert.deepEqual(['A1', 'A2', 'A3'].map(isKept), [false, false, true])
  })
})

describe('an answer', () => {
  it('is visible to every reader as soon as it is sent', async () => {
    for (let round = 0; round < 20; round++) {
      await create(`READ${round}`)
      assert.ok(isKept(`READ${round}`))
    }
  })

  it('is a refusal when the revision has changed', async () => {
    const { id, revision } = await create('SEEN')
    const input = { type: 'unit-type', id, attributes: { name: 'other' } }
    await assert.rejects(
      writer.execute(plain.patch, { ...input, revision: revision + 1 }, { actor }),
      refusal('revision-mismatch'),
    )
    assert.equal(
      (await writer.execute(plain.patch, { ...input, revision }, { actor })).revision,
      revision + 1,
    )
  })

  it('with a fault of the program rejects with the reason, and affects no other command', async () => {
    const wrong = writer.execute(plain.create, { type: 'no-such-type', attributes: {} }, { actor })
    const right = create('RIGHT')
    await assert.rejects(wrong, /in the writer/)
    await right
    assert.ok(isKept('RIGHT'))
  })
})

describe('a dry run', () => {
  it('returns the output, and keeps nothing', async () => {
    const trial = await create('TRIAL', { dryRun: true, idempotency: { key: 'trial', fingerprint: 'f' } })
    assert.equal(JSON.parse(trial.text).attributes.code, 'TRIAL')
    assert.equal(isKept('TRIAL'), false)
    assert.equal(reader.answered('trial', 0), null)
    await assert.rejects(create('READ1', { dryRun: true }), refusal('validation-failed', '/code'))
  })
})

describe('the stored answer to an idempotency key', () => {
  it('is committed with the command', async () => {
    const document = await create('ONCE', { idempotency: { key: 'k1', fingerprint: 'f1' } })
    assert.partialDeepStrictEqual(reader.answered('k1', now), { fingerprint: 'f1', output: document })
  })

  it('is forgotten after a day, and the key may be used again', async () => {
    const mark = { key: 'k4', fingerprint: 'f4' }
    await create('DAY1', { idempotency: mark })
    assert.equal(reader.answered('k4', now + 1), null)
    await assert.rejects(create('DAY2', { idempotency: mark }), refusal('idempotency-in-progress'))
    later = day + 1
    await create('DAY3', { idempotency: { ...mark, fingerprint: 'f5' } })
    assert.equal(reader.answered('k4', now + later)?.fingerprint, 'f5')
    later = 0
  })

  it('is not stored when the command is refused', async () => {
    await assert.rejects(
      create('ONCE', { idempotency: { key: 'k2', fingerprint: 'f2' } }),
      refusal('validation-failed'),
    )
    assert.equal(reader.answered('k2', 0), null)
  })

  it('is stored by only one of two simultaneous commands', async () => {
    const mark = { key: 'k3', fingerprint: 'f3' }
    const settled = await Promise.allSettled([
      create('TWIN1', { idempotency: mark }),
      create('TWIN2', { idempotency: mark }),
    ])
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    )
    assert.deepEqual(['TWIN1', 'TWIN2'].map(isKept), [true, false])
  })
})
