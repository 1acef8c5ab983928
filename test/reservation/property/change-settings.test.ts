import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { reservations, resources, shapeOf } from '../../../src/composition/api.ts'
import { localInstant } from '../../../src/host/zone.ts'
import { changingSettings } from '../../../src/reservation/property/change-settings.ts'
import { settings } from '../../../src/reservation/resources/settings.ts'
import { stay } from '../../../src/reservation/resources/stay.ts'
import { unitType } from '../../../src/reservation/resources/unit-type.ts'
import type { Transaction } from '../../../src/resource/command.ts'
import { type Connection, openWritingConnection } from '../../../src/store/connection.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { transactions } from '../../../src/store/writer/transaction.ts'

const now = localInstant('2026-06-01', '16:00', 'Europe/Lisbon', 'start')
const overLongAgo = 300

describe(`A change of the hours of a property with ${overLongAgo} stays long past`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-settings-'))
  let db: Connection
  let begin: () => Transaction
  let settingsId: string
  let unitTypeId: string
  before(() => {
    const path = join(folder, 'nightporter.db')
    db = openWritingConnection(path)
    migrate(db, path)
    const store = transactions(db, resources, shapeOf)
    begin = () => store.begin(now, { by: 'test', requestId: null })
    const hours = { checkInTime: '15:00', checkOutTime: '11:00', timeZone: 'Europe/Lisbon', country: 'PT' }
    settingsId = begin().insert(settings, hours).id
    unitTypeId = begin().insert(unitType, { code: 'A', name: 'A' }).id
    db.transaction(() => {
      for (let at = 0; at < overLongAgo; at++) book({ startDate: '2025-03-01', endDate: '2025-03-03' })
    })()
  })
  after(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => change({ checkInTime: '15:00', checkOutTime: '11:00' }))

  function book(fields: object): string {
    const { id } = reservations.createReservation.run(begin(), {
      source: 'Api',
      attributes: {},
      stays: [
        {
          status: 'Confirmed',
          personCount: { adults: 1 },
          units: [{ unitTypeId }],
          reservationIds: [],
          ...fields,
        },
      ],
    })
    return begin().select(stay, [{ path: 'reservationId', operator: 'eq', value: id }])[0]!.id
  }

  /** How many stays are read and written. */
  function change(attributes: object): { read: number; written: number } {
    const tx = begin()
    const counts = { read: 0, written: 0 }
    const [select, patch] = [tx.select.bind(tx), tx.patch.bind(tx)] as [typeof tx.select, typeof tx.patch]
    tx.select = (resource, ...asked) => {
      const rows = select(resource, ...asked)
      if (resource.type === 'stay') counts.read += rows.length
      return rows
    }
    tx.patch = (resource, ...changes) => {
      if (resource.type === 'stay') counts.written++
      return patch(resource, ...changes)
    }
    changingSettings(() => false).run(tx, { id: settingsId, attributes: { ...attributes } })
    return counts
  }
  const planned = (id: string) => new Date(begin().find(stay, id).plannedStartsAt!).toISOString()

  it('reads those alone that it can still move: who is in house, and who leaves yesterday or later', () => {
    const inHouse = book({ startDate: '2026-01-01', endDate: '2026-02-01' })
    db.prepare("UPDATE stay SET status = 'InHouse' WHERE id = unhex(replace(?, '-', ''))").run(inHouse)
    const [left, today, later] = [
      ['2026-05-30', '2026-05-31'],
      ['2026-05-31', '2026-06-01'],
      ['2026-07-01', '2026-07-02'],
    ].map(([startDate, endDate]) => book({ startDate, endDate }))
    assert.deepEqual(change({ checkInTime: '16:00' }), { read: 4, written: 4 })
    assert.deepEqual(
      [inHouse, left!, today!, later!].map(planned),
      ['2026-01-01T16', '2026-05-30T15', '2026-05-31T15', '2026-07-01T15'].map(
        (each) => `${each}:00:00.000Z`,
      ),
    )
  })

  it('writes none whose own times say when it begins and ends', () => {
    const before = change({ checkInTime: '17:00' }).written
    change({ checkInTime: '15:00' })
    book({ startDate: '2026-08-01', startTime: '09:00', endDate: '2026-08-02', endTime: '10:00' })
    assert.equal(change({ checkInTime: '17:00' }).written, before)
  })
})
