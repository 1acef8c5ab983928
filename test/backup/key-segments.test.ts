import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { keySegments } from '../../src/backup/keys/key-segments.ts'
import { openSegment } from '../../src/backup/keys/segment.ts'
import { type SegmentTask, sendSegment } from '../../src/backup/keys/send-segment.ts'
import { restoreBackup } from '../../src/backup/restore/restore.ts'
import { segmentName, segmentsAmong } from '../../src/backup/segment-name.ts'
import { backgroundWork } from '../../src/host/background-work.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { houseWithDoors, serve, until, withDoors } from '../access/house-with-doors.ts'
import { monday, startAppliance } from '../appliance.ts'
import { elapse } from '../test-clock.ts'
import { copyingTo, folderFor, identity, recipient, withKey } from './recovery.ts'

const minute = 60_000

it('lets a box that lost its disk know all cards up to the last minute', async (t) => {
  const stick = folderFor(t)
  const house = await houseWithDoors({ backup: copyingTo(stick) })
  t.after(() => house.stop())
  withKey(house.data)
  const before = await serve(house, '101')
  const order = {
    data: house.data,
    folder: stick,
    now: house.clock.now(),
    version: '1.0.0',
    reason: 'asked',
  } as const
  const { name } = await makeBackup(order)
  house.clock.advance(minute)
  const after = await serve(house, '102')
  const second = await serve(house, '101')
  const known = await sentSince(house, house.clock.now())
  const inTwoBoxes = await house.key(after.id)
  await house.stop()

  const data = folderFor(t)
  const { keysUntil } = await restoreBackup(data, join(stick, name), identity)
  assert.equal(new Date(keysUntil!).toISOString(), known)
  const now = house.clock.now() + 5 * minute
  const box = await startAppliance({ data, now })
  t.after(() => box.stop())
  const restored = { ...box, ...(await withDoors(box, data, box.clock.now)) }
  const { status, mayOpen, uid, unitName } = await restored.key(after.id)
  assert.deepEqual(
    { status, mayOpen, uid, unitName },
    {
      status: 'live',
      mayOpen: true,
      uid: inTwoBoxes.uid,
      unitName: '102',
    },
  )
  assert.equal((await restored.key(before.id)).status, 'superseded')
  assert.equal((await restored.key(second.id)).status, 'live')
  assert.deepEqual((await box.ask('GET', '/api/config/v1/units-to-check')).body.data, [])
  assert.match(box.appliance.notes.join(' '), /Segments of keys beside it contain each key up to/)
  assert.ok(!existsSync(join(data, 'restored-keys.json')))
})

it('has the units checked when the replaced property had made keys after the last segment', async (t) => {
  const [stick, saved] = [folderFor(t), folderFor(t)]
  const house = await houseWithDoors({ backup: copyingTo(stick) })
  t.after(() => house.stop())
  withKey(house.data)
  const order = { data: house.data, folder: stick, version: '1.0.0', reason: 'asked' } as const
  const { name } = await makeBackup({ ...order, now: house.clock.now() })
  house.clock.advance(minute)
  await sentSince(house, house.clock.now())
  cpSync(stick, saved, { recursive: true })
  house.clock.advance(1_000)
  const unknown = await serve(house, '102')
  let keysUntil: number | null = null
  const close = house.appliance.close.bind(house.appliance)
  house.appliance.close = async () => {
    await close()
    keysUntil = (await restoreBackup(house.data, join(saved, name), identity)).keysUntil
  }
  await house.restart()
  assert.notEqual(keysUntil, null)
  assert.equal((await house.ask('GET', `/api/v2/access/keys/${unknown.id}`)).status, 404)
  const units = (await house.ask('GET', '/api/config/v1/units-to-check?filter[unitName]=102')).body.data
  assert.equal(units.length, 1, 'its card still opens')
})

/** Waits until the status says that the keys of this moment are on the second medium. */
function sentSince(house: Awaited<ReturnType<typeof houseWithDoors>>, at: number): Promise<string> {
  return until(
    'a segment',
    async () => {
      const { body } = await house.ask('GET', '/api/v2/status')
      return String(body.data.attributes.checks['storage:keys'][0].observedValue)
    },
    (seen) => Date.parse(seen) >= at,
  )
}

/** Segments of a journal that the test writes, with a stick that can be pulled out. */
function segments(t: TestContext) {
  const [data, folder] = [folderFor(t), join(folderFor(t), 'stick')]
  mkdirSync(folder)
  withKey(data)
  const clock = virtualClock(monday)
  const journal: { sequence: number; key: string }[] = []
  const reported: (string | null)[] = []
  const sent: Promise<void>[] = []
  const place = { name: 'Stick', kind: 'folder', url: pathToFileURL(folder).href } as SegmentTask['place']
  const own = keySegments({
    data,
    clock,
    background: backgroundWork({ clock, failed: (error) => assert.fail(String(error)) }),
    house: 'h',
    lastSequence: () => journal.at(-1)?.sequence ?? 0,
    sequenceBefore: () => 0,
    erased: () => [],
    keysChanged: (after, to) =>
      journal.filter(({ sequence }) => sequence > after && sequence <= to).map(({ key }) => ({ id: key })),
    count: () => 1,
    media: () => [place],
    send: (task, signal) => {
      const work = sendSegment(task, signal)
      sent.push(work)
      return work
    },
    changed: (_, problem) => reported.push(problem),
    failed: (error) => assert.fail(String(error)),
  })
  t.after(own.close)
  return {
    own,
    clock,
    data,
    folder,
    journal,
    reported,
    names: () => segmentsAmong(readdirSync(folder)).map(({ name }) => name),
    async minutes(count: number) {
      for (let done = 0; done < count; done++) {
        elapse(clock, minute)
        await Promise.allSettled(sent)
        while (own.isUnderWay()) await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

it('writes what has changed, and without changes only a sign of life', async (t) => {
  const { own, folder, journal, names, minutes } = segments(t)
  await minutes(1)
  assert.equal(names().length, 1, 'the first segment, of a new chain')
  await minutes(10)
  assert.equal(names().length, 1)
  journal.push({ sequence: 4, key: 'a' }, { sequence: 7, key: 'b' })
  await minutes(1)
  const [, newest] = names()
  const found = await openSegment(readFileSync(join(folder, newest!)), identity)
  assert.deepEqual([found!.from, found!.to, found!.keys], [0, 7, [{ id: 'a' }, { id: 'b' }]])
  await minutes(15)
  assert.equal(names().length, 3)
  assert.equal(own.state().verifiedAt, monday + 27 * minute)
})

it('bounds the files: one segment replaces those of an hour', async (t) => {
  const { journal, names, minutes } = segments(t)
  for (let at = 1; at <= 61; at++) {
    journal.push({ sequence: at, key: `k${at}` })
    await minutes(1)
  }
  const [only] = names()
  assert.deepEqual([names().length, only?.endsWith('-0-61.age')], [1, true])
})

it('says after five minutes that a medium lags, and sends all to it when it is back', async (t) => {
  const { own, folder, journal, reported, names, minutes } = segments(t)
  await minutes(1)
  renameSync(folder, `${folder}-away`)
  journal.push({ sequence: 1, key: 'a' })
  await minutes(5)
  assert.equal(own.state().problem, null)
  await minutes(1)
  assert.match(String(own.state().problem), /does not exist. Plug in the stick/)
  renameSync(`${folder}-away`, folder)
  await minutes(1)
  assert.deepEqual([own.state().problem, reported.length, reported.at(-1)], [null, 2, null])
  assert.match(names().at(-1)!, /-0-1\.age$/)
})

it('does not count a segment that could not be written, and leaves nothing in the data folder', async (t) => {
  const { own, data, folder, journal, minutes } = segments(t)
  journal.push({ sequence: 1, key: 'a' })
  const at = monday + minute
  mkdirSync(join(folder, segmentName({ at, from: 0, to: 1 })))
  await minutes(1)
  assert.equal(own.state().verifiedAt, null)
  await minutes(1)
  assert.equal(own.state().verifiedAt, at + minute)
  assert.ok(!existsSync(join(data, 'keys.part')))
})

it('continues a backup without a gap only, by segments of this property', async (t) => {
  const { keysInto } = await import('../../src/backup/keys/gather-keys.ts')
  const { sealSegment } = await import('../../src/backup/keys/segment.ts')
  const { makeKey, openVault } = await import('../../src/host/vault.ts')
  const [into, folder] = [folderFor(t), folderFor(t)]
  makeKey(join(into, 'secret.key'))
  const house = openVault(join(into, 'secret.key')).fingerprint
  const put = async (from: number, to: number, at: number, more = {}) => {
    const keys = [{ id: `${from}-${to}` }]
    const segment = { format: 1, house, from, to, at, keys, ...more } as const
    writeFileSync(join(folder, segmentName(segment)), await sealSegment(segment, [recipient]))
  }
  const backup = { sequence: 10, takenAt: new Date(monday).toISOString() }
  const gathered = async () => {
    const known = await keysInto(into, [folder], identity, backup)
    const file = join(into, 'restored-keys.json')
    const found = known === null ? [] : JSON.parse(readFileSync(file, 'utf8')).keys
    return [known, found.map(({ id }: { id: string }) => id)]
  }
  await put(12, 14, 3)
  assert.deepEqual(await gathered(), [null, []], 'lines 11 and 12 are missing')
  await put(0, 5, 1)
  await put(4, 12, 2)
  await put(14, 15, 4, { house: 'another' })
  await put(16, 20, 5)
  assert.deepEqual(await gathered(), [3, ['4-12', '12-14']])
  // The clock was ahead for a while, and then set back.
  await put(14, 15, monday + 30 * 24 * 60 * minute)
  await put(15, 16, 4)
  assert.deepEqual(await gathered(), [5, ['4-12', '12-14', '14-15', '15-16', '16-20']])
})

it('keeps the segments of its chain when the clock is a month ahead', async (t) => {
  const { clock, journal, names, minutes } = segments(t)
  journal.push({ sequence: 1, key: 'a' })
  await minutes(1)
  clock.set(monday + 30 * 24 * 60 * minute)
  journal.push({ sequence: 2, key: 'b' })
  await minutes(1)
  assert.deepEqual(
    segmentsAmong(names()).map(({ from, to }) => [from, to]),
    [
      [0, 1],
      [1, 2],
    ],
  )
})
