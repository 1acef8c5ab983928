import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { restoreBackup } from '../../src/backup/restore/restore.ts'
import { type HouseWithDoors, houseWithDoors, serve, until } from '../access/house-with-doors.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import fc from '../seed.ts'
import { copyingTo, folderFor, identity, restoreCopy, storeCopy, withKey } from './recovery.ts'

const hour = 3_600_000

interface ToCheck {
  id: string
  attributes: { unitName: string; keysFrom: string; keysUntil: string }
}

const unitsToCheck = async (house: TestAppliance): Promise<ToCheck[]> =>
  (await house.ask('GET', '/api/config/v1/units-to-check?page[size]=100')).body.data
const names = (units: ToCheck[]) => units.map(({ attributes }) => attributes.unitName).sort()
const begins = (units: ToCheck[]) => [...new Set(units.map(({ attributes }) => attributes.keysFrom))]
const iso = (at: number) => new Date(at).toISOString()

/** Restores a copy with the segments beside it. */
const restored = (house: TestAppliance, copy: string, segments?: object) =>
  restoreCopy(house, copy, () => {
    if (segments) writeFileSync(join(house.data, 'restored-keys.json'), JSON.stringify(segments))
  })

/** A house that was restored without segments a day after its backup of `takenAt`. */
async function restoredOnce(
  t: TestContext,
): Promise<{ house: HouseWithDoors; takenAt: number; all: string[] }> {
  const house = await houseWithDoors()
  t.after(() => house.stop())
  const takenAt = house.clock.now()
  const first = storeCopy(t, house)
  house.clock.advance(24 * hour)
  await serve(house, '101', { startDate: '2026-06-02' })
  await restored(house, first)
  const all = names(await unitsToCheck(house))
  assert.ok(all.length > 10 && all.includes('101'))
  return { house, takenAt, all }
}

const being = (house: HouseWithDoors, unitName: string) => ({
  id: '018f2a3c-0000-7000-8000-000000000103',
  providerId: house.providerId,
  unitName,
  lock: unitName,
  keyType: 'keyCard',
  original: true,
  status: 'pendingWrite',
  startDate: '2026-06-02',
  endDate: '2026-06-03',
})

/** What is known at the second restore, an hour after the second backup. */
const second: Record<string, (house: HouseWithDoors, at: number) => object | undefined> = {
  'with segments up to the end': (_, takenAt) => ({ takenAt, until: takenAt + hour, keys: [] }),
  'with segments, while a key of one unit was made': (house, takenAt) => ({
    takenAt,
    until: takenAt + hour,
    keys: [being(house, '103')],
  }),
  'with segments that end before the last keys': (_, takenAt) => ({
    takenAt,
    until: takenAt + hour / 2,
    keys: [],
    areMissing: true,
  }),
  'with segments that are two days old': (house, takenAt) => {
    house.clock.advance(48 * hour)
    return { takenAt, until: takenAt + hour, keys: [] }
  },
  'without segments': () => undefined,
}
for (const [how, segmentsOf] of Object.entries(second))
  it(`a second restore ${how} forgets no unit that was to be checked`, async (t) => {
    const { house, takenAt, all } = await restoredOnce(t)
    house.clock.advance(hour)
    const at = house.clock.now()
    const backup = storeCopy(t, house)
    house.clock.advance(hour)
    await restored(house, backup, segmentsOf(house, at))
    const units = await unitsToCheck(house)
    assert.deepEqual(names(units), all)
    assert.deepEqual(begins(units), [iso(takenAt)], 'keys are unknown since the first backup')
    assert.match(
      house.appliance.notes.join(' '),
      new RegExp(`after ${iso(takenAt)} .*check ${all.length} rooms`),
    )
  })

it('a unit that was looked after between two restores, in any order, does not come back with complete segments', async (t) => {
  const { house, all } = await restoredOnce(t)
  const [done] = fc.sample(fc.uniqueArray(fc.constantFrom(...all), { minLength: 3, maxLength: 9 }), 1) as [
    string[],
  ]
  for (const { id, attributes } of await unitsToCheck(house))
    if (done.includes(attributes.unitName))
      assert.equal((await house.ask('DELETE', `/api/config/v1/units-to-check/${id}`)).status, 204)
  const takenAt = house.clock.now()
  const backup = storeCopy(t, house)
  house.clock.advance(hour)
  await restored(house, backup, { takenAt, until: takenAt + hour, keys: [being(house, done[0]!)] })
  const units = await unitsToCheck(house)
  assert.deepEqual(
    names(units),
    all.filter((name) => name === done[0] || !done.includes(name)),
  )
  const again = units.filter(({ attributes }) => attributes.unitName === done[0])
  assert.deepEqual(begins(again), [iso(takenAt + hour)], 'its unknown keys are those of the second restore')
})

it('a key that was made after the first restore takes its unit from the list after a second one, too', async (t) => {
  const { house, all } = await restoredOnce(t)
  const { id, card } = await serve(house, '101', { startDate: '2026-06-02' })
  const takenAt = house.clock.now()
  const backup = storeCopy(t, house)
  await restored(house, backup, { takenAt, until: takenAt, keys: [] })
  assert.match(house.present(card, '101'), /^opened/)
  assert.equal((await house.ask('POST', `/api/v2/access/keys/${id}/actions/seen-at-door`)).status, 200)
  assert.deepEqual(
    names(await unitsToCheck(house)),
    all.filter((name) => name !== '101'),
  )
})

it('a new box has the units of the backup to check, also of one that handed the property over', async (t) => {
  const { house, takenAt, all } = await restoredOnce(t)
  withKey(house.data)
  for (const isHandedOver of [false, true]) {
    if (isHandedOver)
      assert.equal((await house.ask('POST', '/api/config/v1/epoch/actions/hand-over')).status, 200)
    const folder = folderFor(t)
    const order = { data: house.data, folder, version: '1.0.0', reason: 'asked' } as const
    const { name } = await makeBackup({ ...order, now: house.clock.now() })
    const data = folderFor(t)
    await restoreBackup(data, join(folder, name), identity)
    const box = await startAppliance({ data, now: house.clock.now() + hour })
    t.after(() => box.stop())
    const units = await unitsToCheck(box)
    assert.deepEqual([names(units), begins(units)], [all, [iso(takenAt)]])
  }
})

it('the first backup restored again, beside the segments of the box that was restored from it', async (t) => {
  const [stick, alone] = [folderFor(t), folderFor(t)]
  const backup = copyingTo(stick)
  const house = await houseWithDoors({ backup })
  withKey(house.data)
  const takenAt = house.clock.now()
  const order = { data: house.data, folder: alone, version: '1.0.0', reason: 'asked' } as const
  const { name } = await makeBackup({ ...order, now: takenAt })
  house.clock.advance(60_000)
  await serve(house, '101')
  await house.stop()

  const second = folderFor(t)
  await restoreBackup(second, join(alone, name), identity)
  const other = folderFor(t)
  const now = house.clock.now() + hour
  const box = await startAppliance({ data: second, now, backup: { ...backup, copyTo: other } })
  const all = names(await unitsToCheck(box))
  assert.ok(all.includes('101'))
  const sentAt = async () =>
    String(
      (await box.ask('GET', '/api/v2/status')).body.data.attributes.checks['storage:keys'][0].observedValue,
    )
  await until('a segment', sentAt, (seen) => Date.parse(seen) >= now)
  await box.stop()

  for (const sticks of [[other], [stick, other]]) {
    const folder = folderFor(t)
    for (const from of [alone, ...sticks]) cpSync(from, folder, { recursive: true })
    const data = folderFor(t)
    await restoreBackup(data, join(folder, name), identity)
    const third = await startAppliance({ data, now: now + hour })
    const units = await unitsToCheck(third)
    await third.stop()
    assert.deepEqual(names(units), all)
  }
})
