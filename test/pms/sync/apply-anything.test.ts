import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { differences } from '../../../src/pms/sync/merge/same.ts'
import type { SharedReservation, SharedStay } from '../../../src/pms/sync/shared-reservation.ts'
import { Problem } from '../../../src/resource/problem.ts'
import fc from '../../seed.ts'
import { openSyncHouse, type SyncHouse } from './house.ts'
import { guestFixture, named } from './reservation-samples.ts'

let house: SyncHouse
before(async () => {
  house = await openSyncHouse()
})
after(() => house.stop())

const units = ['211', '212', '213', '401', '999', null]
const statuses = [
  'Tentative',
  'Waitlisted',
  'Confirmed',
  'InHouse',
  'CheckedOut',
  'Canceled',
  'NoShow',
] as const
const guests = ['Ada', 'Bea', 'Cy']

const nights = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 3 }))
  .map(([from, count]) => ({
    startDate: `2026-07-0${1 + from}`,
    endDate: `2026-07-0${1 + from + count}`,
  }))

/** A stay as a PMS may tell it, whatever the house makes of that. */
const stay = (name: string): fc.Arbitrary<SharedStay> =>
  fc
    .record({
      dates: nights,
      status: fc.constantFrom(...statuses),
      unitName: fc.constantFrom(...units),
      code: fc.constantFrom('DBL', 'STE'),
      comment: fc.constantFrom('one', 'two', '', null),
      adults: fc.integer({ min: 1, max: 9 }),
      price: fc.constantFrom(100, 200.5, null),
      currency: fc.constantFrom('EUR', 'USD'),
      names: fc.uniqueArray(fc.constantFrom(...guests)),
      services: fc.uniqueArray(fc.constantFrom('SPA', 'DOG')),
    })
    .map(({ dates, status, unitName, code, comment, adults, price, currency, names, services }) => ({
      externalId: name,
      ...dates,
      status,
      units: [{ unitTypeCode: code, unitName }],
      comment,
      personCount: { adults },
      amount: price === null ? null : { currency, amountWithTax: price },
      services: services.map((serviceCode) => ({ serviceCode, count: 1 })),
      guests: names.map((firstName) => guestFixture({ externalId: `${name}-${firstName}`, firstName })),
    }))

const value = (name: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(stay(`${name}-1`), fc.option(stay(`${name}-2`))) },
    { weight: 1, arbitrary: fc.constant(null) },
  )

/** Something the desk does; it may be refused. */
const deed = fc.oneof(
  fc.constantFrom(...statuses).map((status) => ({ status })),
  fc.constantFrom('desk', 'kiosk').map((comment) => ({ comment })),
  nights,
  fc.constantFrom('211', '212', '401').map((unit) => ({ unit })),
)

let count = 0

describe('Whatever a PMS tells, and whatever is done here meanwhile', () => {
  it('is taken in, and both are in step when the PMS has taken what the house offers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(value('X'), fc.array(deed, { maxLength: 2 })), { minLength: 2, maxLength: 6 }),
        async (rounds) => {
          const name = `X${++count}`
          await house.report(named(name, { externalId: 'X-1', units: [{ unitTypeCode: 'DBL' }] }))
          for (const [reported, deeds] of rounds) {
            for (const each of deeds) await tried(name, each)
            const whole: SharedReservation | null = reported && {
              externalId: name,
              stays: reported.filter((each) => each !== null) as SharedStay[],
            }
            await house.report(whole, { externalId: name })
          }
          await agreed(name)
        },
      ),
      { numRuns: 15 },
    )
  })
})

const idOf = (name: string): string =>
  house.reader.rows(house.resource('reservation'), {
    filters: [{ path: 'externalId', operator: 'eq', value: name }],
    sort: [],
    page: { size: 1 },
  })[0]!.id

/** What the rules of the house refuse is not done. */
async function tried(name: string, deed: Record<string, string>): Promise<void> {
  const { unit, ...fields } = deed
  const id = idOf(name)
  const code = unit === '401' ? 'STE' : 'DBL'
  const given = unit ? { units: [{ unitTypeId: house.typeIds[code], unitId: house.unitIds[unit] }] } : fields
  try {
    await house.change(id, given)
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
  }
}

/** The PMS takes what it is offered, and reports it back. */
async function agreed(name: string): Promise<void> {
  const id = idOf(name)
  const offered = house.offered(id)
  const revision = house.recordOf(id).upstreamRevision! + 1
  const offer = await house.message(id)
  if (offer) await house.answer(offer, { is: 'accepted', externalId: name, revision })
  const { is, conflictIds } = await house.report(offered, { externalId: name, revision: revision + 1 })
  assert.ok(['merged', 'unchanged'].includes(is))
  assert.deepEqual(conflictIds, [])
  assert.deepEqual(differences(house.recordOf(id).base!, house.offered(id)), [])
  const second = await house.report(offered, { externalId: name, revision: revision + 1 })
  assert.equal(second.is, 'duplicate')
}
