import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { reservations, resources, shapeOf } from '../../src/composition/api.ts'
import { forgetPlace } from '../../src/reservation/property/epoch.ts'
import { type Connection, openReader, openWritingConnection } from '../../src/store/connection.ts'
import { migrations } from '../../src/store/migrate.ts'
import { toText } from '../../src/store/uuid.ts'
import { transactions } from '../../src/store/writer/transaction.ts'
import { noLimits } from '../no-limits.ts'
import { appliance } from './appliance.ts'
import { askOnce, requestText } from './load.ts'
import { repeatRows } from './repeat-rows.ts'
import { searchAnew } from './search-anew.ts'

export interface House {
  /** A data folder of its own, to be written to and thrown away. */
  data: string
  /** A token of an administrator, which the gate looks up like any other. */
  token: string
  /** Ids of reservations, from the first to the last made. */
  ids: string[]
  facts: Facts
  remove(): void
}

/** What bodies point at. */
export interface Facts {
  unitTypeId: string
  profileIds: string[]
}

const kept = join(tmpdir(), 'nightporter-bench')
const block = 10_000
const actor = { by: 'bench', requestId: null }
/** More than the appliance caches. */
const idsKept = 100_000

/** A copy of the sample property with `size` reservations of two stays, a multiple of 10,000. */
export function filledHouse(size: number): Promise<House> {
  return houseWith(`${size}`, (path, facts) => addReservations(path, size, facts))
}

/** A copy of the sample property with what `add` puts into its database. It is made once under each name. */
export async function houseWith(name: string, add: (path: string, facts: Facts) => void): Promise<House> {
  const source = join(kept, `${name}-${stateOfSource()}`)
  if (!existsSync(source)) await fill(source, name, add)
  mkdirSync(kept, { recursive: true })
  const data = mkdtempSync(join(kept, 'run-'))
  // The flight recorder's folder stays behind: what passed before is no part of a house.
  for (const entry of readdirSync(source, { withFileTypes: true }))
    if (entry.isFile()) copyFileSync(join(source, entry.name), join(data, entry.name))
  writeFileSync(join(data, 'nightporter.json'), JSON.stringify({ rateLimits: noLimits }))
  const house = JSON.parse(readFileSync(join(source, 'house.json'), 'utf8')) as Omit<House, 'data' | 'remove'>
  return { ...house, data, remove: () => rmSync(data, { recursive: true, force: true }) }
}

/** Tables and what changes do decide what is in the house, and the way in which it is filled. */
function stateOfSource(): string {
  const text = ['placeless', String(idsKept), ...migrations().map(({ sql }) => sql)]
  return createHash('sha256').update(text.join()).digest('hex').slice(0, 8)
}

async function fill(source: string, name: string, add: (path: string, facts: Facts) => void): Promise<void> {
  process.stderr.write(`Filling the house ${name}, once ...\n`)
  const unfinished = `${source}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const token = await foundedBy(unfinished)
  const path = join(unfinished, 'nightporter.db')
  const facts = guestsAndTypes(path)
  add(path, facts)
  await settle(unfinished)
  leavePlace(path)
  writeFileSync(join(unfinished, 'house.json'), JSON.stringify({ token, facts, ids: someIds(path) }))
  renameSync(unfinished, source)
}

/** Until the appliance has done the work of its first start, such as forgetting guests of years ago: no measure is of that. */
async function settle(data: string): Promise<void> {
  const server = await appliance(data)
  let before = 0
  do {
    before = server.cpuMs()
    await pause(2_000)
  } while (server.cpuMs() - before > 100)
  await server.stop()
}

/** The house forgets where its data are: a copy of them would be fenced, and make no keys. */
function leavePlace(path: string): void {
  const db = openWritingConnection(path)
  const { begin } = transactions(db, resources, shapeOf)
  db.transaction(() => forgetPlace(begin(Date.now(), actor)))()
  db.close()
}

/** The appliance itself founds the house; its answer is a token. */
async function foundedBy(data: string): Promise<string> {
  const server = await appliance(data)
  const body = JSON.stringify({ name: 'bench', role: 'admin' })
  const answer = await askOnce(server.port, requestText('POST', '/api/config/v1/tokens', 'demo', body))
  // More is sold here than any house has: whoever books is asked about availability, and never refused.
  const told = JSON.stringify([{ startDate: dayOf(0), endDate: dayOf(days - 1), quantity: 1_000_000 }])
  await askOnce(server.port, requestText('PATCH', '/api/v2/availability/unit-types/FAM', 'demo', told))
  await server.stop()
  return (JSON.parse(answer) as { meta: { token: string } }).meta.token
}

function guestsAndTypes(path: string): Facts {
  const db = openReader(path)
  const [unitTypeId = ''] = idsBy(db, `SELECT id FROM unit_type WHERE code = 'FAM'`)
  const profileIds = idsBy(db, 'SELECT id FROM profile')
  db.close()
  return { unitTypeId, profileIds }
}

/** Through the change of the appliance, many in one commit; of a great house the first block, which is then repeated. */
function addReservations(path: string, size: number, facts: Facts): void {
  const db = openWritingConnection(path)
  const { begin } = transactions(db, resources, shapeOf)
  db.transaction(() => {
    for (let index = 0; index < block; index++) {
      const input = { source: 'Import' as const, ...reservationBody(index, facts, 2) }
      reservations.createReservation.run(begin(Date.now(), actor), input)
    }
  })()
  repeatRows(db, size / block - 1)
  searchAnew(db)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

/** A reservation as a client would send it: `index` makes it another one, a day after a day over some years. */
export function reservationBody(
  index: number,
  { unitTypeId, profileIds }: Facts,
  stays: number,
  arrival = dayOf(index),
) {
  return {
    attributes: { externalId: `bench-${index}`, channel: `Channel ${index % 20}`, comment: 'Quiet room' },
    stays: Array.from({ length: stays }, (_, place) => ({
      startDate: arrival,
      endDate: new Date(Date.parse(arrival) + 3 * day).toISOString().slice(0, 10),
      status: 'Confirmed' as const,
      personCount: { adults: 2 },
      units: [{ unitTypeId }],
      reservationIds: [{ type: 'Confirmation' as const, value: `B${index}-${place}` }],
      externalId: `bench-${index}-${place}`,
      amount: { currency: 'EUR', amountWithTax: 327 },
      profiles: [{ id: profileIds[index % profileIds.length]!, role: 'PrimaryGuest' }],
    })),
  }
}

const day = 86_400_000
const days = 2_000

export function dayOf(index: number): string {
  return new Date(Date.UTC(2024, 0, 1) + (index % days) * day).toISOString().slice(0, 10)
}

function someIds(path: string): string[] {
  const db = openReader(path)
  const total = db.prepare('SELECT max(rid) FROM reservation').pluck().get() as number
  const step = Math.max(1, Math.floor(total / idsKept))
  const sql = `SELECT id FROM reservation WHERE rid % ${step} = 0 AND (externalId LIKE 'bench-%' OR externalId LIKE 'ext-%')`
  const ids = idsBy(db, sql)
  db.close()
  return ids
}

function idsBy(db: Connection, sql: string): string[] {
  return (db.prepare(sql).pluck().all() as Buffer[]).map(toText)
}
