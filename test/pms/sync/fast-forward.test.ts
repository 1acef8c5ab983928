import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { sync } from '../../../src/composition/api.ts'
import { pmsActor } from '../../../src/pms/pms-actor.ts'
import type { SharedReservation } from '../../../src/pms/sync/shared-reservation.ts'
import fc from '../../seed.ts'
import { openBareProperty } from './bare-property.ts'
import { edited, edits, guestSample, reservationSample, staySample, usual } from './shared-samples.ts'

const now = Date.UTC(2026, 6, 1, 12)

function openProperty() {
  const property = openBareProperty(now)
  const { db, run, create, configurationId } = property
  for (const code of ['BRK', 'SPA'])
    create('service', {
      code,
      name: code,
      pricingType: 24,
      count: 1,
      currencyCode: 'EUR',
      amountWithTax: 9,
      amountWithoutTax: 8,
    })
  const by = pmsActor(configurationId)
  const rules = { configurationId, policy: usual, direction: 'Both' as const }
  let revision = 0
  const tellAll = (values: readonly SharedReservation[]) => {
    const changes = values.map((value) => ({
      is: 'reservation' as const,
      externalId: value.externalId!,
      revision: ++revision,
      changedAt: now,
      value,
    }))
    const outcomes = run(sync.applyChanges, { ...rules, changes }, { by })
    // The two properties have ids of their own.
    return outcomes.map((each) => ('is' in each ? { is: each.is } : each))
  }
  return {
    /** What became of each report of a page. */
    tellAll,
    /** What became of a report. */
    tell: (value: SharedReservation) => tellAll([value])[0]!,
    /** From now on every report is merged: something waits for the PMS. */
    neverAgrees: () => db.exec('UPDATE sync_record SET pending = 1'),
    /** Everything that is known of reservations, without ids and moments. */
    all() {
      const queries = [
        'SELECT externalId, channel, comment, guestComment, status, arrival, departure, due FROM reservation ORDER BY rid',
        `SELECT externalId, status, startDate, endDate, personCount, amount, comment, guestComment, nights,
          (SELECT group_concat(coalesce((SELECT name FROM unit WHERE rid = unitId), '-')) FROM stay_unit WHERE owner = stay.rid),
          (SELECT group_concat(type || value) FROM stay_reservation_id WHERE owner = stay.rid),
          (SELECT group_concat(lastName || firstName || coalesce(title, '') || role) FROM stay_profile AS part
            JOIN profile ON profile.rid = part.id WHERE owner = stay.rid) FROM stay ORDER BY rid`,
        'SELECT externalId, upstreamRevision, digest, base FROM sync_record ORDER BY rid',
        'SELECT fieldGroup, reason, state, counts FROM sync_conflict ORDER BY rid',
        'SELECT (SELECT code FROM unit_type WHERE rid = unitTypeId), date, held FROM inventory_night ORDER BY 1, 2',
        'SELECT name, occupied, status FROM unit ORDER BY rid',
        'SELECT count(*) FROM sync_offer',
      ]
      const rows = queries.map((sql) => db.prepare(sql).all())
      return JSON.parse(
        JSON.stringify(rows).replaceAll(
          /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
          'id',
        ),
      )
    },
    close: property.close,
  }
}

const [forwarded, merged] = [openProperty(), openProperty()]
after(() => {
  forwarded.close()
  merged.close()
})

const named = (name: string): SharedReservation =>
  reservationSample(
    [
      staySample({
        externalId: `${name}-S`,
        localId: null,
        guests: [guestSample({ externalId: `${name}-G`, localId: null })],
      }),
    ],
    { externalId: name, localId: null },
  )

describe('A report of a reservation in which nothing was changed here', () => {
  it('comes to the same as by the merge, whatever the PMS has changed', () => {
    let number = 0
    let fast = 0
    fc.assert(
      fc.property(fc.array(edits('pms'), { minLength: 1, maxLength: 5 }), (steps) => {
        let value = named(`R${++number}`)
        for (const step of [[], ...steps]) {
          value = edited(value, step)
          if (value.stays.length === 0) return
          merged.neverAgrees()
          const [one, other] = [forwarded.tell(value), merged.tell(value)]
          assert.deepEqual(one, other)
          if ('is' in one && one.is !== 'inserted') fast++
        }
        assert.deepEqual(forwarded.all(), merged.all())
      }),
      { numRuns: 60 },
    )
    assert.ok(fast > 50, `${fast} reports of known reservations`)
  })

  it('takes 15 statements for a new reservation, 9 for a changed one, and 2 where nothing differs', () => {
    const reports = Array.from({ length: 40 }, (_, at) => named(`COUNTED${at}`))
    for (const { stays } of reports) Object.assign(stays[0]!, { ratePlanCode: null, services: [] })
    const changed = reports.map((value, at) => ({
      ...value,
      stays: [
        {
          ...value.stays[0]!,
          ...(at % 3 === 0 && { endDate: '2026-07-06' }),
          comment: 'Late.',
          amount: { currency: 'EUR', amountWithTax: 500 },
        },
      ],
    }))
    const perReport = (values: readonly SharedReservation[], kind: string) => {
      const count = statementsOf(() => {
        for (const outcome of forwarded.tellAll(values)) assert.deepEqual(outcome, { is: kind })
      })
      return count / values.length
    }
    const counts = [
      perReport(reports, 'inserted'),
      perReport(changed, 'merged'),
      perReport(changed, 'unchanged'),
    ]
    for (const [at, most] of [15, 9, 2].entries()) assert.ok(counts[at]! <= most, `${counts} statements`)
  })

  it('takes as many statements however many guests the unit was reported for', () => {
    const page = (number: number) =>
      Array.from({ length: 20 }, (_, at) => {
        const value = named(`SAME${number}-${at}`)
        Object.assign(value.stays[0]!, { units: [{ unitTypeCode: 'DBL', unitName: '103' }] })
        return value
      })
    const counts = [1, 2, 3].map((number) => statementsOf(() => forwarded.tellAll(page(number))))
    assert.equal(counts[2], counts[1], `${counts} statements`)
    const { reason } = forwarded.all()[3].at(-1)
    assert.equal(reason, 'double-booked')
  })
})

/** The prepared statements that run, with those of the whole page. */
function statementsOf(work: () => unknown): number {
  const memory = new Database(':memory:')
  const prototype = Object.getPrototypeOf(memory.prepare('SELECT 1')) as Record<string, unknown>
  memory.close()
  let count = 0
  const own = (['run', 'get', 'all'] as const).map((name) => [name, prototype[name]] as const)
  for (const [name, method] of own) {
    prototype[name] = function (this: Database.Statement, ...values: unknown[]) {
      count++
      return Reflect.apply(method as () => unknown, this, values)
    }
  }
  try {
    work()
  } finally {
    for (const [name, method] of own) prototype[name] = method
  }
  return count
}
