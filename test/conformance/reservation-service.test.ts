import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { noLimits } from '../no-limits.ts'
import { type HouseWithPms, openHouseWithPms } from '../upstream/scripted-adapter.ts'
import { promised } from './document.ts'
import { another, factsOf } from './facts.ts'
import { type Facts, nameOf, play, type Row } from './row.ts'
import { availabilityRows } from './rows-of-availability.ts'
import { guestRows } from './rows-of-guests.ts'
import { paymentRows } from './rows-of-payments.ts'
import { providerRows } from './rows-of-providers.ts'
import { stayRows } from './rows-of-stays.ts'
import { unitRows } from './rows-of-units.ts'

const sections: Record<string, Row[]> = {
  'Profiles, property, rate plans, services, status': guestRows,
  'Reservations and stays': stayRows,
  'Unit types and units': unitRows,
  Payments: paymentRows,
  Availability: availabilityRows,
  'PMS extensions': providerRows,
}
const rows = Object.values(sections).flat()

/** Plays rows in one house, all of them with the same facts. */
function table(title: string, list: readonly Row[], open: () => Promise<[HouseWithPms, Facts]>): void {
  describe(title, () => {
    let house: HouseWithPms
    let shared: Facts
    before(async () => {
      ;[house, shared] = await open()
    })
    after(() => house.stop())
    for (const row of list) {
      const name = row.code ? `${nameOf(row)} ${row.code}` : nameOf(row)
      it(name, { ...(row.cannot && { skip: row.cannot }) }, async () => {
        const own = row.in === 'ruins' ? {} : await row.given?.(house)
        await play(house, row, { ...shared, fresh: another('F'), ...own })
      })
    }
  })
}

for (const [title, section] of Object.entries(sections)) {
  table(
    title,
    section.filter((row) => row.in === undefined),
    async () => {
      const house = await openHouseWithPms()
      return [house, await factsOf(house)]
    },
  )
}

table(
  'With more requests than one may make',
  rows.filter((row) => row.in === 'quotas'),
  async () => {
    const rateLimits = { ...noLimits, read: { quota: 1, seconds: 60 } }
    const house = await openHouseWithPms({ rateLimits })
    await house.ask('GET', '/api/v2/units')
    return [house, {}]
  },
)

/** Only a fault of our own gives a 500: here somebody has taken the tables away while the house is open. */
table(
  'With its tables gone',
  rows.filter((row) => row.in === 'ruins'),
  async () => {
    const house = await openHouseWithPms()
    const facts = await factsOf(house)
    takeTablesAway(join(house.data, 'nightporter.db'))
    return [house, facts]
  },
)

function takeTablesAway(path: string): void {
  const db = new Database(path)
  db.pragma('legacy_alter_table = on')
  const names = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'token'`
  for (const name of db.prepare(names).pluck().all()) db.exec(`ALTER TABLE ${name} RENAME TO gone_${name}`)
  db.close()
}

describe('The table of the document', () => {
  it('has a row for each code of each operation', () => {
    const played = new Set(rows.map(nameOf))
    assert.deepEqual(
      promised.filter((each) => !played.has(each)),
      [],
    )
  })

  it('has no row that the document does not have', () => {
    const known: readonly string[] = promised
    const operations = new Set(known.map((each) => each.replace(/ \d+$/, '')))
    assert.deepEqual(
      rows.filter(({ of }) => !operations.has(of)),
      [],
    )
  })
})
