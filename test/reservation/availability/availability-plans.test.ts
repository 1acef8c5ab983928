import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { assignment, reservations, resources, shapeOf, stays } from '../../../src/composition/api.ts'
import { localInstant } from '../../../src/host/zone.ts'
import {
  blockUnit,
  setUnitTypeAvailability,
} from '../../../src/reservation/availability/availability-update.ts'
import { freeUnits, needOfPeriod } from '../../../src/reservation/availability/free-units.ts'
import { leftIn } from '../../../src/reservation/availability/inventory-nights.ts'
import { changingSettings } from '../../../src/reservation/property/change-settings.ts'
import { type Moment, momentOf } from '../../../src/reservation/resources/house.ts'
import { type Settings, settings } from '../../../src/reservation/resources/settings.ts'
import { stay } from '../../../src/reservation/resources/stay.ts'
import { unit } from '../../../src/reservation/resources/unit.ts'
import { unitType } from '../../../src/reservation/resources/unit-type.ts'
import type { Transaction } from '../../../src/resource/command.ts'
import type { Reader } from '../../../src/resource/keeper.ts'
import { type Connection, openReader, openWritingConnection } from '../../../src/store/connection.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { reader } from '../../../src/store/reader.ts'
import { noScans } from '../../../src/store/scan/scans.ts'
import { transactions } from '../../../src/store/writer/transaction.ts'
import { testClock } from '../../test-clock.ts'

const now = localInstant('2026-06-01', '16:00', 'Europe/Lisbon', 'start')

/**
 * Whatever is looked through but for the few rows of the house itself: a table, or an alias of one. `type` is
 * the unit type of a statement, and a json_each goes through a bound value.
 */
const scanned =
  /^SCAN (?!CONSTANT ROW|\(subquery|settings\b|sync_link\b|unit\b|unit_block\b|access_provider\b|type\b|\w+ VIRTUAL TABLE INDEX 1:)/

describe('However many stays are over', () => {
  let folder: string
  let db: Connection
  let reading: Connection
  let tx: Transaction
  let read: Reader
  let house: Settings
  let moment: Moment
  let typeId: string
  let unitId: string
  let asked = new Set<string>()

  /** Remembers what is asked on a connection. */
  function listened(connection: Connection): Connection {
    const prepare = connection.prepare.bind(connection)
    connection.prepare = ((sql: string) => {
      asked.add(sql)
      return prepare(sql)
    }) as typeof prepare
    return connection
  }

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'nightporter-plans-'))
    const path = join(folder, 'nightporter.db')
    db = openWritingConnection(path)
    migrate(db, path)
    db.exec('BEGIN')
    const open = transactions(db, resources, shapeOf).begin(now, { by: 'test', requestId: null })
    house = open.insert(settings, {
      timeZone: 'Europe/Lisbon',
      checkInTime: '15:00',
      checkOutTime: '11:00',
      country: 'PT',
      allowOpenBalance: true,
    })
    typeId = open.insert(unitType, { code: 'A', name: 'A' }).id
    unitId = open.insert(unit, { name: '1', unitTypeId: typeId, status: 'Clean' }).id
    open.insert(unit, { name: '2', unitTypeId: typeId, status: 'Clean' })
    db.exec('COMMIT')
    moment = momentOf(now, house)
    reading = openReader(path)
  })
  after(() => {
    db.close()
    reading.close()
    rmSync(folder, { recursive: true })
  })

  /** The plans of everything that the work asks for the first time, on connections of its own. */
  function plansOf(work: () => void): string[] {
    asked = new Set()
    db.exec('BEGIN')
    tx = transactions(listened(db), resources, shapeOf).begin(now, { by: 'test', requestId: null })
    read = reader(listened(reading), resources, { version: () => 0, clock: testClock(), scans: noScans })
    work()
    db.exec('ROLLBACK')
    const statements = [...asked].filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(sql))
    return statements.flatMap((sql) => {
      // Where an index is of one status alone, that has to be seen.
      const values = sql.replace(/'[^']*'/g, '').matchAll(/(status = )?\?/g)
      const plan = db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...[...values].map(([, status]) => (status ? 'InHouse' : null))) as { detail: string }[]
      return plan.map(({ detail }) => `${detail} in ${sql.slice(0, 200)}`)
    })
  }

  const body = (fields: object = {}) => ({
    startDate: '2026-06-01',
    endDate: '2026-06-03',
    status: 'Confirmed' as const,
    personCount: { adults: 1 },
    units: [{ unitTypeId: typeId }],
    reservationIds: [],
    ...fields,
  })
  const rights = { write: true, checkIn: true, checkOut: true, reinstate: true, overbook: false }
  const book = (fields: object = {}) => {
    const { id } = reservations.createReservation.run(tx, {
      source: 'Api',
      attributes: {},
      stays: [body(fields)],
    })
    const [made] = tx.select(stay, [{ path: 'reservationId', operator: 'eq', value: id }])
    return { reservationId: id, stayId: made!.id }
  }
  const change = (of: ReturnType<typeof book>, fields: object) =>
    stays.updateStay.run(tx, { ...of, stay: { ...fields }, whole: false, rights })

  const dates = { first: '2026-06-01', last: '2027-06-01' }
  const works: [name: string, work: () => void][] = [
    ['a booking', () => book()],
    ['a booking of a unit', () => book({ units: [{ unitTypeId: typeId, unitId }] })],
    ['a walk-in', () => book({ status: 'InHouse', units: [{ unitTypeId: typeId, unitId }] })],
    [
      'moving, canceling and coming back',
      () => {
        const made = book()
        change(made, { endDate: '2026-06-05' })
        change(made, { status: 'Canceled' })
        change(made, { status: 'Confirmed' })
      },
    ],
    [
      'assigning a unit, checking in and checking out',
      () => {
        const made = book()
        assignment.assignStay.run(tx, { ...made, picks: null, atKiosk: false })
        change(made, { status: 'InHouse' })
        change(made, { status: 'CheckedOut' })
      },
    ],
    [
      'telling a type',
      () => setUnitTypeAvailability.run(tx, { unitTypeId: typeId, periods: [{ quantity: 1 }] }),
    ],
    [
      'blocking a unit',
      () =>
        blockUnit.run(tx, {
          unitId,
          periods: [{ startDate: '2026-07-01', endDate: '2026-07-02', quantity: 0 }],
        }),
    ],
    [
      'a change of the hours',
      () => {
        book({ status: 'InHouse', units: [{ unitTypeId: typeId, unitId }] })
        changingSettings(() => false).run(tx, { id: house.id, attributes: { checkInTime: '16:00' } })
      },
    ],
    ['a list of unit types', () => leftIn(read, typeId, dates, moment)],
    ['a list of units', () => freeUnits(read, {}, needOfPeriod(dates, house), moment)],
  ]
  for (const [name, work] of works) {
    it(`${name} looks through none of them`, () => {
      const plans = plansOf(work)
      assert.ok(plans.length > 3)
      assert.deepEqual(
        plans.filter((plan) => scanned.test(plan)),
        [],
      )
    })
  }
})
