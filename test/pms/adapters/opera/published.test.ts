import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Fact, Intent, IntentValues } from '../../../../src/pms/sync-contract.ts'
import { nextUuid } from '../../../uuid.ts'
import { anOffer, aReservation, calling, pullAll } from '../adapter-contract.ts'
import { type OperaBench, operaBench, reservationsIn } from './bench.ts'
import { leftOut, wrongWith } from './published.ts'

/** Carries out one message; OPERA must have taken all of it. */
async function done(
  { side, there }: OperaBench,
  externalId: string,
  wanted: [Intent['group'], IntentValues, IntentValues?][],
  facts: Fact[] = [],
): Promise<void> {
  const stay = { stayLocalId: nextUuid(), stayExternalId: externalId }
  const intents = wanted.map(
    ([group, to, from = {}]): Intent => ({ id: nextUuid(), group, ...stay, from, to }),
  )
  const offer = anOffer(aReservation(''), { externalId, baseRevision: there.now(), intents, facts })
  const [answer] = await side.push!([offer], calling())
  assert.ok(answer?.is === 'accepted', JSON.stringify(answer))
  assert.ok(
    answer.results!.every((each) => each.is === 'done'),
    JSON.stringify(answer.results),
  )
}

const unit = (unitName: string | null): IntentValues => ({ units: [{ unitTypeCode: 'DBL', unitName }] })

it('asks and is answered as Oracle has published it', { skip: leftOut }, async (t) => {
  const bench = await operaBench({ cashierId: 9, cancellationCode: 'HOTEL', paymentMethods: { Cash: 'CA' } })
  t.after(() => bench.close())
  const { there } = bench
  there.profiles.set('P77', { id: 'P77', givenName: 'Mia', surname: 'Bru', email: 'm@example.com' })
  const id = there.book({ channel: 'WEB', children: 1, balance: 5_000 })
  const stay = there.stays.get(id)!
  stay.guests.push('P77')
  there.rooms.get('201')!.status = 'Clean'
  bench.units.set('201', 'Inspected')
  const guests = reservationsIn(await pullAll(bench.side, null))[0]!.value!.stays[0]!.guests!
  const renamed = [{ ...guests[0]!, title: 'Dr', middleName: 'A.', birthDate: '1990-02-03' }, guests[1]!]
  await done(bench, id, [
    ['guests', { guests: renamed }, { guests }],
    ['dates', { endDate: '2026-06-04', startTime: '16:00' }],
    ['units', unit('201')],
    ['status', { status: 'InHouse' }],
  ])
  await done(bench, id, [['units', unit('202')]])
  await done(bench, id, [['status', { status: 'Confirmed' }]])
  await done(bench, id, [['units', unit(null)]])
  await done(bench, id, [
    ['units', unit('203')],
    ['status', { status: 'InHouse' }],
  ])
  const recordedAt = '2026-06-01T16:00:00Z'
  const payment = {
    id: nextUuid(),
    stayLocalId: null,
    currency: 'EUR',
    amount: 5_000,
    brand: 'Cash',
    recordedAt,
    voidedAt: null,
  }
  await done(bench, id, [['status', { status: 'CheckedOut' }]], [{ id: nextUuid(), is: 'payment', payment }])
  await done(bench, id, [['status', { status: 'InHouse' }]])
  await done(bench, there.book(), [['status', { status: 'Canceled' }]])
  assert.deepEqual(
    there.asked.flatMap((exchange) => wrongWith(exchange)),
    [],
  )
  const operations = new Set(there.asked.map(({ operation }) => operation))
  assert.equal(operations.size, 17, [...operations].join('\n'))
})
