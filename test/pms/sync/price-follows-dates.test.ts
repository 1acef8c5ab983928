import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sync } from '../../../src/composition/api.ts'
import { pmsActor } from '../../../src/pms/pms-actor.ts'
import type { SharedStay } from '../../../src/pms/sync/shared-reservation.ts'
import { openBareProperty } from './bare-property.ts'
import { reservationSample, staySample, usual } from './shared-samples.ts'

const now = Date.UTC(2026, 6, 1, 12)
const property = openBareProperty(now)
after(() => property.close())
const { db, run, configurationId } = property
let revision = 0

/** What became of a report of a stay, and the price that it has then. */
function told(name: string, stay: Partial<SharedStay>) {
  const sample = staySample({ externalId: `${name}-S`, localId: null, guests: [], services: [], ...stay })
  const value = reservationSample([sample], { externalId: name, localId: null })
  const changes = [
    { is: 'reservation' as const, externalId: name, revision: ++revision, changedAt: now, value },
  ]
  const rules = { configurationId, policy: usual, direction: 'Both' as const }
  const [outcome] = run(sync.applyChanges, { ...rules, changes }, { by: pmsActor(configurationId) })
  assert.ok(outcome && 'is' in outcome, JSON.stringify(outcome))
  const sql = 'SELECT amount, endDate FROM stay WHERE externalId = ?'
  const row = db.prepare<string, { amount: string; endDate: string }>(sql).get(`${name}-S`)!
  const { amountWithTax, perNight = [] } = JSON.parse(row.amount)
  const nights = perNight.map((night: { amountWithTax: number }) => night.amountWithTax)
  return { endDate: row.endDate, total: amountWithTax, nights }
}

const nightly = (...prices: number[]) => ({
  currency: 'EUR',
  amountWithTax: prices.reduce((sum, price) => sum + price, 0),
  perNight: prices.map((amountWithTax, at) => ({ date: `2026-07-0${1 + at}`, amountWithTax })),
})
const days = (endDate: string) => ({ startDate: '2026-07-01', endDate })
/** A member that the report does not have. */
const unsaid = (stay: Partial<SharedStay>) =>
  ({ ...stay, amount: undefined }) as unknown as Partial<SharedStay>

for (const path of ['where nothing was changed here', 'by the merge'] as const) {
  const settle = () => path === 'by the merge' && db.exec('UPDATE sync_record SET pending = 1')
  const tell = (name: string, stay: Partial<SharedStay>) => {
    settle()
    return told(`${name} ${path}`, stay)
  }

  describe(`A PMS that changes the dates of a stay, ${path}`, () => {
    it('and states no price: the price follows the dates', () => {
      tell('A', { ...days('2026-07-03'), amount: nightly(80, 120) })
      const longer = tell('A', unsaid(days('2026-07-04')))
      assert.deepEqual(longer, { endDate: '2026-07-04', total: 320, nights: [80, 120, 120] })
      // The former price, stated with the new dates, is one that the PMS means.
      const stated = tell('A', { ...days('2026-07-04'), amount: { currency: 'EUR', amountWithTax: 200 } })
      assert.deepEqual(stated, { endDate: '2026-07-04', total: 200, nights: [] })
    })

    it('of a stay with only a total: in proportion', () => {
      tell('B', { ...days('2026-07-03'), amount: { currency: 'EUR', amountWithTax: 100 } })
      assert.equal(tell('B', unsaid(days('2026-07-06'))).total, 250)
      assert.equal(tell('B', unsaid(days('2026-07-02'))).total, 50)
      // The PMS states the former price anew, with the dates that it has now.
      const amount = { currency: 'EUR', amountWithTax: 100 }
      assert.equal(tell('B', { ...days('2026-07-02'), amount }).total, 100)
    })

    it('and states the same price: it is that of the new dates', () => {
      const amount = { currency: 'EUR', amountWithTax: 100 }
      tell('C', { ...days('2026-07-03'), amount })
      assert.equal(tell('C', { ...days('2026-07-04'), amount }).total, 100)
    })

    it('and states the nights of the former dates: their total is kept', () => {
      const amount = nightly(80, 120)
      tell('D', { ...days('2026-07-03'), amount })
      assert.deepEqual(tell('D', { ...days('2026-07-04'), amount }), {
        endDate: '2026-07-04',
        total: 200,
        nights: [],
      })
    })

    it('with nights that it has rounded one by one: the last one carries the rest', () => {
      const amount = { ...nightly(33.33, 33.33, 33.33), amountWithTax: 100 }
      assert.deepEqual(tell('E', { ...days('2026-07-04'), amount }).nights, [33.33, 33.33, 33.34])
    })
  })
}
