import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { plain, sync } from '../../../src/composition/api.ts'
import { openSyncHouse, type SyncHouse } from './house.ts'
import { named } from './reservation-samples.ts'

let house: SyncHouse
beforeEach(async () => {
  house = await openSyncHouse()
})
afterEach(() => house.stop())

const plainGuest = { externalId: 'G', role: 'PrimaryGuest' as const, firstName: 'Anna', lastName: 'Kern' }
const free = { units: [{ unitTypeCode: 'DBL', unitName: null }] }
const intents = (id: string) =>
  house
    .intentsOf(id)
    .map(({ stayId, fieldGroup, members }) => [stayId ? 'stay' : null, fieldGroup, [...members].sort()])
const offers = async () =>
  house.write(sync.takeOffers, { configurationId: house.configurationId, limit: 10, accepts: null })

describe('An intent', () => {
  it('is written by the command that changes a stay, one for each group of fields', async () => {
    const id = await house.arrives(named('A', free))
    assert.deepEqual(intents(id), [])
    await house.change(id, { endDate: '2026-07-06', comment: 'Late.' })
    await house.change(id, { endDate: '2026-07-07' })
    await house.write(plain.patch, { type: 'reservation', id, attributes: { channel: 'Phone' } })
    assert.deepEqual(intents(id), [
      ['stay', 'dates', ['endDate']],
      ['stay', 'comments', ['comment']],
      [null, 'rates', ['channel']],
    ])
    const [offer] = await offers()
    assert.deepEqual([...offer!.changed].sort(), ['/channel', '/stays/0/comment', '/stays/0/endDate'])
    assert.partialDeepStrictEqual(offer!.value, {
      channel: 'Phone',
      stays: [{ endDate: '2026-07-07', comment: 'Late.' }],
    })
  })

  it('is none where the PMS has reported the change, or a command was refused', async () => {
    const id = await house.arrives(named('B', free))
    await house.report(named('B', { ...free, comment: 'There.', endDate: '2026-07-08' }))
    await assert.rejects(house.change(id, { comment: 'Here.', endDate: '2026-06-01' }))
    assert.deepEqual([intents(id), await offers()], [[], []])
  })

  it('is none of a price that follows the dates, and the PMS may state the former price anew', async () => {
    const amount = { currency: 'EUR', amountWithTax: 300 }
    const priced = { ...free, amount, startDate: '2026-07-01', endDate: '2026-07-04' }
    const id = await house.arrives(named('P', priced))
    await house.change(id, { endDate: '2026-07-05' })
    assert.deepEqual(intents(id), [['stay', 'dates', ['endDate']]])
    assert.equal(house.staysOf(id)[0]!.amount?.amountWithTax, 400)
    await house.report(named('P', { ...priced, endDate: '2026-07-05' }))
    assert.equal(house.staysOf(id)[0]!.amount?.amountWithTax, 300)
  })

  it('of dates keeps the price that followed them, or that the desk has set, while the PMS repeats the former one', async () => {
    const booked = { ...free, startDate: '2026-07-01', endDate: '2026-07-04' }
    const stated = { ...booked, amount: { currency: 'EUR', amountWithTax: 300 } }
    for (const [name, price, expected] of [
      ['P1', null, 400],
      ['P2', 240, 320],
    ] as const) {
      const id = await house.arrives(named(name, stated))
      if (price) await house.change(id, { amount: { currency: 'EUR', amountWithTax: price } })
      await house.change(id, { endDate: '2026-07-05' })
      const open = intents(id)
      const isKept = () => {
        assert.equal(house.staysOf(id)[0]!.amount?.amountWithTax, expected)
        assert.deepEqual([intents(id), house.conflictsOf(id)], [open, []])
      }
      await house.report(named(name, stated))
      isKept()
      assert.ok(await house.message(id))
      await house.report(named(name, { ...stated, comment: 'Not yet.' }))
      isKept()
    }
  })

  it('is one of a price that is stated with new dates, also where it is the one that would have followed', async () => {
    const amount = { currency: 'EUR', amountWithTax: 300 }
    const id = await house.arrives(
      named('P3', { ...free, amount, startDate: '2026-07-01', endDate: '2026-07-04' }),
    )
    await house.change(id, { endDate: '2026-07-05', amount: { ...amount, amountWithTax: 400 } })
    const sent = await house.message(id)
    assert.deepEqual([...sent!.changed].sort(), ['/stays/0/amount', '/stays/0/endDate'])
    assert.equal(sent!.value.stays[0]!.amount?.amountWithTax, 400)
  })

  it('of a guest names the member of that guest', async () => {
    const id = await house.arrives(named('C', free))
    const [guest] = house.staysOf(id)[0]!.profiles!
    await house.write(plain.patch, { type: 'profile', id: guest!.id, attributes: { lastName: 'Wed' } })
    assert.deepEqual(intents(id), [['stay', 'guests', [`guests/${guest!.id}/lastName`]]])
    assert.deepEqual((await offers())[0]!.changed, ['/stays/0/guests/0/lastName'])
  })

  it('is done when the PMS reports the same, and is not sent when it was taken back', async () => {
    const id = await house.arrives(named('D', free))
    await house.change(id, { comment: 'Same.' })
    await house.report(named('D', { ...free, comment: 'Same.' }))
    assert.deepEqual(intents(id), [])
    await house.change(id, { comment: 'Other.' })
    await house.change(id, { comment: 'Same.' })
    assert.deepEqual([await offers(), intents(id)], [[], []])
  })

  it('stays when the PMS changes another group, and gives way to the policy in the same', async () => {
    const id = await house.arrives(named('E', free))
    await house.change(id, { comment: 'Here.', endDate: '2026-07-09' })
    await house.report(named('E', { ...free, endDate: '2026-07-08' }))
    assert.deepEqual(intents(id), [['stay', 'comments', ['comment']]])
    assert.partialDeepStrictEqual(house.staysOf(id)[0], { comment: 'Here.', endDate: '2026-07-08' })
    assert.deepEqual(
      house.conflictsOf(id).map(({ fieldGroup, counts }) => [fieldGroup, counts]),
      [['dates', 'Pms']],
    )
  })

  it('is made of what a program before the intents has left in the outbox', async () => {
    const id = await house.arrives(named('F', { ...free, comment: 'Before.', guests: [plainGuest] }))
    await house.change(id, { comment: 'Here.', guestComment: 'Towels.' })
    for (const { id: intent } of house.intentsOf(id))
      await house.write(plain.remove, { type: 'sync-intent', id: intent })
    const [row] = house.offersOf(id)
    await house.write(plain.patch, { type: 'sync-offer', id: row!.id, attributes: { capturedMarks: null } })
    const [offer] = await offers()
    assert.deepEqual([...offer!.changed].sort(), ['/stays/0/comment', '/stays/0/guestComment'])
  })
})
