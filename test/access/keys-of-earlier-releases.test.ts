import assert from 'node:assert/strict'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { copyStore } from '../../src/store/disk/copy.ts'
import { folderFor } from '../backup/recovery.ts'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { sampleStay, serve, settledKey } from './house-with-doors.ts'

async function opened(test: TestContext): Promise<HouseWithDesk> {
  const house = await houseWithDesk()
  test.after(() => house.stop())
  return house
}

/** Starts the house again after a change of its files, as an earlier release would have left them. */
async function restarted(house: HouseWithDesk, change: (path: string) => void): Promise<void> {
  const close = house.appliance.close.bind(house.appliance)
  house.appliance.close = async () => {
    await close()
    change(join(house.data, 'nightporter.db'))
  }
  await house.restart()
}

function inStore(path: string, ...statements: string[]): void {
  const db = new Database(path)
  db.function('fold', (text: unknown) => text as string)
  for (const sql of statements) db.exec(sql)
  db.close()
}

/** A copy of the database, which `restarted` puts back. */
function copyOf(test: TestContext, house: HouseWithDesk): (path: string) => void {
  const copy = join(folderFor(test), 'copy.db')
  copyStore(join(house.data, 'nightporter.db'), copy, house.clock.now())
  return (path) => {
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
    cpSync(copy, path)
  }
}

const idSql = (id: string) => `x'${id.replaceAll('-', '')}'`

/** A card that was being written when the power went. */
const cutWhile = (step: string, id: string) => [
  `UPDATE card_run SET step = '${step}', ending = NULL, endedAt = NULL WHERE keyId = (SELECT rid FROM key WHERE id = ${idSql(id)})`,
  `UPDATE key SET status = 'pendingWrite' WHERE id = ${idSql(id)}`,
]

it('a superseded key comes back also where its door does not say what has ended it', async (test) => {
  const house = await opened(test)
  const one = await serve(house, '101')
  const { id: two } = await house.desk.inDoubt(() => house.desk.make('101'))
  await restarted(house, (path) =>
    inStore(path, ...cutWhile('asked', two), 'UPDATE key_door SET endedById = NULL'),
  )
  assert.deepEqual([(await house.key(one.id)).status, (await house.key(two)).status], ['live', 'failed'])
})

it('a key without doors keeps its number when the start writes it first', async (test) => {
  const house = await opened(test)
  const { id, card } = await house.desk.inDoubt(() => house.desk.make('101'))
  await restarted(house, (path) => inStore(path, ...cutWhile('writing', id), 'DELETE FROM key_door'))
  assert.equal((await house.desk.read(card)).status, 200)
  assert.equal((await house.key(id)).status, 'live')
  assert.match(house.present(card, '101'), /^opened/)
  const copy = blank()
  house.desk.card = copy
  assert.equal((await house.desk.make('101', { original: false })).status, 201)
  assert.match(house.present(copy, '101'), /^opened/)
})

it('a key without doors keeps its number in a restore that ends its issuance', async (test) => {
  const house = await opened(test)
  const one = await serve(house, '101')
  const open = "UPDATE card_run SET step = 'presented', ending = NULL, endedAt = NULL"
  await restoredWith(test, house, [], open, 'DELETE FROM key_door')
  const copy = await serve(house, '101', { original: false })
  for (const card of [one.card, copy.card]) assert.match(house.present(card, '101'), /^opened/)
})

const [first, second] = ['018f2a3c-0000-7000-8000-000000000101', '018f2a3c-0000-7000-8000-000000000102']

/** A key of a segment that lies beside a backup. */
function sent(house: HouseWithDesk, id: string, more: object) {
  const now = house.clock.now()
  return {
    id,
    familyId: id,
    providerId: house.providerId,
    unitName: '103',
    lock: '103',
    keyType: 'keyCard',
    original: true,
    startDate: '2026-06-01',
    endDate: '2026-06-03',
    validFrom: now - 1_000,
    validUntil: now + 86_400_000,
    ...more,
  }
}

/** Restores a copy of now that these statements change, with segments that know these keys beside it. */
async function restoredWith(
  test: TestContext,
  house: HouseWithDesk,
  keys: object[],
  ...statements: string[]
): Promise<void> {
  const put = copyOf(test, house)
  const takenAt = house.clock.now()
  await restarted(house, (path) => {
    put(path)
    inStore(path, ...statements)
    writeFileSync(join(house.data, 'restored-keys.json'), JSON.stringify({ takenAt, until: takenAt, keys }))
  })
}

it('a segment says at the key what has superseded it, and the key comes back', async (test) => {
  const house = await opened(test)
  const card = blank()
  const uid = Buffer.from(card.uid).toString('hex').toUpperCase()
  const doorOf = (number: number) => [{ name: '103', lock: '103', number, endedById: null, proof: null }]
  await restoredWith(test, house, [
    sent(house, first, {
      credential: 7,
      status: 'superseded',
      supersededById: second,
      lockSequence: 5,
      doorRows: doorOf(5),
    }),
    sent(house, second, { credential: 8, uid, status: 'unknown', lockSequence: 6, doorRows: doorOf(6) }),
  ])
  assert.equal((await house.key(first)).status, 'superseded')
  // The card is blank: the newer key was never made.
  assert.equal((await house.desk.read(card)).status, 200)
  assert.deepEqual([(await house.key(first)).status, (await house.key(second)).status], ['live', 'failed'])
})

it('a key of a segment without doors has its number', async (test) => {
  const house = await opened(test)
  await restoredWith(test, house, [sent(house, first, { credential: 7, status: 'live', lockSequence: 5 })])
  const copy = blank()
  house.desk.card = copy
  const made = await house.desk.make('103', { original: false })
  assert.equal(made.status, 201, made.text)
  const db = new Database(join(house.data, 'nightporter.db'), { readonly: true })
  const numbers = db.prepare("SELECT number FROM key_door WHERE lock = '103'").pluck().all()
  db.close()
  assert.deepEqual(numbers, [5, 5])
})

it('a key that a PMS ordered before its stay was known ends with the stay', async (test) => {
  const house = await opened(test)
  const { path, unitName } = await sampleStay(house, 1001)
  await house.ask('PATCH', path, { body: { externalId: '4711' } })
  const dates = { startDate: '2026-06-01', endDate: '2026-06-02' }
  const { body } = await house.issue(unitName, { externalId: '4711', ...dates })
  const { id } = body.data
  await settledKey(house, id)
  const ordered = `UPDATE key SET externalId = 'fias:4711', stayName = NULL, stayId = NULL WHERE id = ${idSql(id)}`
  await restarted(house, (file) => inStore(file, ordered))
  assert.equal(
    (await house.ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes.stayId,
    path.split('/').at(-1),
  )
  assert.equal((await house.ask('PATCH', path, { body: { status: 'Confirmed' } })).status, 204)
  assert.equal((await house.key(id)).status, 'revocationPending')
})
