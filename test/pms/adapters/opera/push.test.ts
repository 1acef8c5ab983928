import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { DeviceFault } from '../../../../src/devices/fault.ts'
import type { Fact, Intent, IntentValues, Offer, OfferAnswer } from '../../../../src/pms/sync-contract.ts'
import { nextUuid } from '../../../uuid.ts'
import { anOffer, calling, pullAll } from '../adapter-contract.ts'
import { type OperaBench, operaBench, reservationsIn } from './bench.ts'

let bench: OperaBench
before(async () => {
  bench = await operaBench({
    cashierId: 9,
    cancellationCode: 'HOTEL',
    paymentMethods: { Cash: 'CA', Visa: 'XX' },
  })
})
after(() => bench.close())
beforeEach(() => {
  bench.there.faults.length = 0
  bench.there.asked.length = 0
  bench.units.clear()
  for (const room of bench.there.rooms.values()) room.status = 'Inspected'
  for (const stay of bench.there.stays.values()) stay.roomId = null
})

type Group = Intent['group']
type Wanted = [group: Group, to: IntentValues, from?: IntentValues]

/** A message about a reservation as OPERA has it now. */
async function message(externalId: string, wanted: Wanted[], facts: Fact[] = []): Promise<Offer> {
  const all = reservationsIn(await pullAll(bench.side, null))
  const { value, revision } = all.find((each) => each.externalId === externalId)!
  const stayLocalId = nextUuid()
  const intents = wanted.map(
    ([group, to, from = {}]): Intent => ({
      id: nextUuid(),
      group,
      stayLocalId,
      stayExternalId: externalId,
      from,
      to,
    }),
  )
  bench.there.asked.length = 0
  return anOffer(value!, { externalId, baseRevision: revision, intents, facts })
}

const unit = (unitName: string | null): IntentValues => ({ units: [{ unitTypeCode: 'DBL', unitName }] })

async function push(offer: Offer): Promise<OfferAnswer> {
  return (await bench.side.push!([offer], calling()))[0]!
}

/** The outcome of each step, with the reason of a refusal. */
async function outcomes(offer: Offer): Promise<string[]> {
  const answer = await push(offer)
  assert.ok(answer.is === 'accepted', JSON.stringify(answer))
  return answer.results!.map((each) => (each.is === 'refused' ? `refused: ${each.reason}` : each.is))
}

const operations = () => bench.there.asked.map(({ operation }) => operation.replace(/\/.*\//, '…/'))
const stayOf = (id: string) => bench.there.stays.get(id)!
const cash = (amount: number): Fact => ({
  id: nextUuid(),
  is: 'payment',
  payment: {
    id: nextUuid(),
    stayLocalId: null,
    currency: 'EUR',
    amount,
    brand: 'Cash',
    recordedAt: '2026-06-01T16:00:00Z',
    voidedAt: null,
  },
})

describe('A guest at the desk', () => {
  it('gets a room and is checked in, in this order', async () => {
    const id = bench.there.book()
    const results = await outcomes(
      await message(
        id,
        [
          ['status', { status: 'InHouse' }],
          ['units', unit('201')],
        ].reverse() as Wanted[],
      ),
    )
    assert.deepEqual(results, ['done', 'done'])
    assert.deepEqual([stayOf(id).status, stayOf(id).roomId], ['InHouse', '201'])
  })

  it('has the room although OPERA cannot be read afterwards', async () => {
    const id = bench.there.book()
    const offer = await message(id, [['units', unit('201')]])
    const { changed } = bench.there
    bench.there.changed = (stay) => (stay.roomType = '')
    const answer = await push(offer)
    bench.there.changed = changed
    stayOf(id).roomType = 'DBL'
    assert.ok(answer.is === 'accepted' && answer.value === undefined, JSON.stringify(answer))
    assert.deepEqual(
      answer.results?.map(({ is }) => is),
      ['done'],
    )
  })

  it('is not checked in without a room, and the desk gets the sentence of OPERA', async () => {
    const id = bench.there.book()
    const results = await outcomes(await message(id, [['status', { status: 'InHouse' }]]))
    assert.deepEqual(results, ['refused: No room is assigned.'])
  })

  it('is not checked into a room that is not inspected', async () => {
    const id = bench.there.book({ roomId: '201' })
    bench.there.rooms.get('201')!.status = 'Clean'
    const results = await outcomes(await message(id, [['status', { status: 'InHouse' }]]))
    assert.deepEqual(results, ['refused: Room 201 is not inspected: it is Clean.'])
  })

  it('is checked into a room that was inspected here: OPERA receives that before', async () => {
    const id = bench.there.book({ roomId: '201' })
    bench.there.rooms.get('201')!.status = 'Clean'
    bench.units.set('201', 'Inspected')
    assert.deepEqual(await outcomes(await message(id, [['status', { status: 'InHouse' }]])), ['done'])
    assert.equal(bench.there.rooms.get('201')!.status, 'Inspected')
  })

  it('is not checked in where OPERA only warns: what it has afterwards counts', async () => {
    const id = bench.there.book({ roomId: '201' })
    const offer = await message(id, [['status', { status: 'InHouse' }]])
    bench.there.faults.push({
      at: '/checkIns',
      does: 'warn',
      message: 'The guest is on the restricted list.',
    })
    assert.deepEqual(await outcomes(offer), ['refused: The guest is on the restricted list.'])
  })

  it('moves in house, extends, leaves and comes back', async () => {
    const id = bench.there.book({ status: 'InHouse', roomId: '201' })
    assert.deepEqual(await outcomes(await message(id, [['units', unit('202')]])), ['done'])
    assert.ok(operations().includes('PUT …/roomMoves'))
    assert.deepEqual(await outcomes(await message(id, [['dates', { endDate: '2026-06-05' }]])), ['done'])
    assert.deepEqual([stayOf(id).roomId, stayOf(id).departure], ['202', '2026-06-05'])
    assert.deepEqual(await outcomes(await message(id, [['status', { status: 'CheckedOut' }]])), ['done'])
    assert.deepEqual([stayOf(id).status, stayOf(id).departure], ['CheckedOut', '2026-06-01'])
    assert.deepEqual(await outcomes(await lateMessage(id, [['status', { status: 'InHouse' }]])), ['done'])
    assert.equal(stayOf(id).status, 'InHouse')
  })

  /** As `message`, for a stay that is over: the first round does not report it. */
  async function lateMessage(id: string, wanted: Wanted[]): Promise<Offer> {
    const { status } = stayOf(id)
    stayOf(id).status = 'InHouse'
    const offer = await message(id, wanted)
    stayOf(id).status = status
    return offer
  }

  it('pays before leaving, and does not leave with an open balance', async () => {
    const id = bench.there.book({
      status: 'InHouse',
      roomId: '201',
      departure: '2026-06-01',
      arrival: '2026-05-30',
      balance: 12_050,
    })
    const leaves: Wanted[] = [['status', { status: 'CheckedOut' }]]
    const results = await outcomes(await message(id, leaves, [cash(10_000)]))
    assert.deepEqual(results, ['done', 'refused: The folio has an open balance.'])
    assert.deepEqual(await outcomes(await message(id, leaves, [cash(2_050)])), ['done', 'done'])
    assert.deepEqual([stayOf(id).status, stayOf(id).balance], ['CheckedOut', 0])
  })

  it('is canceled with the code of the property, and never set to no-show from here', async () => {
    const id = bench.there.book()
    assert.deepEqual(await outcomes(await message(id, [['status', { status: 'NoShow' }]])), [
      'not-expressible',
    ])
    assert.deepEqual(await outcomes(await message(id, [['status', { status: 'Canceled' }]])), ['done'])
    assert.equal(stayOf(id).status, 'Cancelled')
  })

  it('gets a new name on the profile; what a profile needs codes for stays here', async () => {
    const id = bench.there.book()
    const { value } = await message(id, [])
    const [guest] = value.stays[0]!.guests!
    const renamed = { ...guest!, firstName: 'Sofia', birthDate: '1990-02-03' }
    const from = { guests: [guest!] }
    assert.deepEqual(await outcomes(await message(id, [['guests', { guests: [renamed] }, from]])), ['done'])
    const profile = bench.there.profiles.get(stayOf(id).guests[0]!)!
    assert.deepEqual([profile.givenName, profile.birthDate], ['Sofia', '1990-02-03'])
    assert.deepEqual(await outcomes(await message(id, [['guests', { guests: [renamed] }, from]])), [
      'already-done',
    ])
    const reached = { ...renamed, emails: [{ address: 'a@example.com' }] }
    const reachable: Wanted = ['guests', { guests: [reached] }, { guests: [renamed] }]
    assert.deepEqual(await outcomes(await message(id, [reachable])), ['not-expressible'])
  })
})

describe('A guest of OPERA with one name', () => {
  for (const givenName of [undefined, '', '-', '\u00A0'])
    it(`has no first name where the given name is ${JSON.stringify(givenName)}, and OPERA gets none`, async () => {
      const id = bench.there.book()
      const profile = bench.there.profiles.get(stayOf(id).guests[0]!)!
      Object.assign(profile, { givenName, surname: 'Aulia' })
      const [guest] = (await message(id, [])).value.stays[0]!.guests!
      assert.deepEqual([guest!.firstName, guest!.lastName], ['', 'Aulia'])
      const changed = { guests: [{ ...guest!, title: 'Dr' }] }
      assert.deepEqual(await outcomes(await message(id, [['guests', changed, { guests: [guest!] }]])), [
        'done',
      ])
      const body = JSON.stringify(bench.there.asked.find(({ operation }) => operation.startsWith('PUT /crm')))
      assert.match(body, /Aulia/)
      assert.doesNotMatch(body, /givenName/)
    })
})

describe('A message to OPERA', () => {
  it('is outdated where OPERA has a newer state, and nothing is sent', async () => {
    const id = bench.there.book()
    const offer = await message(id, [['units', unit('201')]])
    bench.there.change(id, { adults: 1 })
    const answer = await push(offer)
    assert.ok(answer.is === 'outdated')
    assert.equal(answer.change.value?.stays[0]?.personCount?.adults, 1)
    assert.deepEqual(operations(), ['GET …/reservations'])
  })

  it('is refused for a reservation that was made here, and for one that OPERA does not have', async () => {
    const offer = await message(bench.there.book(), [])
    assert.equal((await push({ ...offer, externalId: null })).is, 'refused')
    assert.equal((await push({ ...offer, externalId: '1' })).is, 'refused')
  })

  it('that is repeated after a lost answer changes nothing twice', async () => {
    const id = bench.there.book({ status: 'InHouse', roomId: '201', balance: 5_000 })
    const offer = await message(id, [], [cash(5_000)])
    bench.there.faults.push({ at: '/payments', does: 'cut-after' })
    await assert.rejects(
      push(offer),
      (error: unknown) => error instanceof DeviceFault && error.outcomeUnknown,
    )
    // The state is newer now, by the payment itself.
    const again = { ...offer, baseRevision: stayOf(id).modifiedAt }
    assert.deepEqual(await outcomes(again), ['already-done'])
    assert.equal(bench.there.payments.filter(({ stayId }) => stayId === id).length, 1)
  })

  it('with a payment that the property has no method for is refused with what to do', async () => {
    const id = bench.there.book({ status: 'InHouse' })
    const fact = cash(100)
    assert.ok(fact.is === 'payment')
    for (const [brand, says] of [
      ['Amex', /paymentMethods of the connection has no method for Amex/],
      ['Visa', /The payment method XX is not valid/],
    ] as const) {
      const payment = { ...fact.payment, id: nextUuid(), brand }
      const [result = ''] = await outcomes(await message(id, [], [{ ...fact, payment }]))
      assert.match(result, says)
    }
  })
})
