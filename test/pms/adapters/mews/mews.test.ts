import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { validate } from '../../../../src/jsonapi/validate.ts'
import { mews } from '../../../../src/pms/adapters/mews/mews.ts'
import { simulatedAges } from '../../../../src/pms/adapters/mews/simulator/simulated-mews.ts'
import { sharedReservationSchema } from '../../../../src/pms/sync/shared-reservation.ts'
import type { Offer, OfferAnswer, ReservationChange } from '../../../../src/pms/sync-contract.ts'
import { anOffer, calling, pullAll } from '../adapter-contract.ts'
import { integrationId, type MewsBench, mewsBench, reservationsIn, roomId } from './bench.ts'

let bench: MewsBench
before(async () => {
  bench = await mewsBench({ openBalanceNote: 'Paid at the kiosk.' })
})
after(() => bench.close())
beforeEach(() => {
  bench.there.faults.length = 0
  bench.there.asked.length = 0
})

async function told(id: string): Promise<ReservationChange> {
  const all = reservationsIn(await pullAll(bench.side, null))
  const found = all.find(({ externalId }) => externalId === id)
  assert.ok(found, 'it was not told')
  return found
}

describe('what Mews tells', () => {
  it('is a reservation of one stay, with its room, persons and guests', async () => {
    const id = bench.there.book({
      room: '201',
      ChannelNumber: '1337614414',
      ChannelManager: 'AvailPro',
      Purpose: 'Student',
      PersonCounts: [
        { AgeCategoryId: simulatedAges.adult, Count: 2 },
        { AgeCategoryId: simulatedAges.child, Count: 1 },
      ],
    })
    const companion = { Id: 'b22bf671-ccdf-40aa-a7e6-b20a4f91d79a', LastName: 'Bru', Phone: '00351912345678' }
    bench.there.customers.set(companion.Id, companion)
    bench.there.companionships.push({ CustomerId: companion.Id, ReservationId: id })
    const { value, revision } = await told(id)
    await validate(sharedReservationSchema, value)
    const record = bench.there.reservations.get(id)!
    assert.equal(revision, Date.parse(record.UpdatedUtc))
    assert.deepEqual(value, {
      externalId: id,
      channel: 'AvailPro',
      purpose: 'Other',
      stays: [
        {
          externalId: id,
          status: 'Confirmed',
          startDate: '2026-06-01',
          startTime: '17:00',
          endDate: '2026-06-03',
          endTime: '17:00',
          units: [{ unitTypeCode: 'DBL', unitName: '201' }],
          reservationIds: [
            { type: 'Confirmation', value: record.Number },
            { type: 'Channel', value: '1337614414' },
          ],
          personCount: { adults: 2, children: 1 },
          guests: [
            {
              externalId: record.AccountId,
              role: 'PrimaryGuest',
              firstName: 'Sofía',
              lastName: 'García',
              nationality: 'ES',
              languageCode: 'es',
            },
            {
              externalId: companion.Id,
              role: 'AdditionalGuest',
              firstName: '-',
              lastName: 'Bru',
              phoneNumbers: [{ number: '+351912345678' }],
            },
          ],
        },
      ],
    })
  })

  for (const [State, CancellationReason, status] of [
    ['Inquired', null, 'Tentative'],
    ['Optional', null, 'Tentative'],
    ['Requested', null, 'Waitlisted'],
    ['Started', null, 'InHouse'],
    ['Processed', null, 'CheckedOut'],
    ['Canceled', null, 'Canceled'],
    ['Canceled', 'NoShow', 'NoShow'],
  ] as const)
    it(`${State}${CancellationReason ? ` (${CancellationReason})` : ''} is ${status} here`, async () => {
      const { cursor } = await pullAll(bench.side, null)
      const id = bench.there.book({ State, CancellationReason })
      const [change] = reservationsIn(await pullAll(bench.side, cursor))
      assert.deepEqual([change?.externalId, change?.value?.stays[0]?.status], [id, status])
    })

  it('comes page by page, and what is over does not come at first', async () => {
    const over = bench.there.book({ State: 'Processed' })
    const open = Array.from({ length: 120 }, () => bench.there.book())
    const all = reservationsIn(await pullAll(bench.side, null)).map(({ externalId }) => externalId)
    assert.ok(open.every((id) => all.includes(id)))
    assert.ok(!all.includes(over))
    assert.equal(new Set(all).size, all.length)
    bench.there.reservations.clear()
  })

  for (const [what, from] of [
    ['what has changed', async () => (await pullAll(bench.side, null)).cursor],
    ['everything', async () => null],
  ] as const)
    it(`is not missed after the clock of the house was ahead for a moment, as it asked for ${what}`, async () => {
      const before = await from()
      bench.aheadMs = 86_400_000
      const { cursor } = await pullAll(bench.side, before)
      bench.aheadMs = 0
      const id = bench.there.book()
      const told = reservationsIn(await pullAll(bench.side, cursor))
      assert.ok(told.some(({ externalId }) => externalId === id))
      bench.there.reservations.clear()
    })

  it('is put aside where it cannot be understood, and the rest goes on', async () => {
    const { cursor } = await pullAll(bench.side, null)
    const strange = bench.there.book({ RequestedResourceCategoryId: roomId('999') })
    const broken = bench.there.book({ ScheduledEndUtc: 'soon' })
    const good = bench.there.book()
    const page = await pullAll(bench.side, cursor)
    assert.deepEqual(
      reservationsIn(page).map(({ externalId }) => externalId),
      [good],
    )
    assert.deepEqual(page.refused.map(({ externalId }) => externalId).sort(), [strange, broken].sort())
    assert.ok(page.refused.some(({ reason }) => reason.includes('is not a category of the service')))
    bench.there.reservations.clear()
  })

  it('is not asked for before the time that it names when it is asked too often', async () => {
    const again = await mewsBench()
    try {
      again.there.faults.push({ at: 'reservations/getAll/2023-06-06', does: 429 })
      const busy = { code: 'adapter-timeout' }
      await assert.rejects(async () => again.side.pull(null, calling()), busy)
      await assert.rejects(async () => again.side.pull(null, calling()), busy)
      assert.equal(again.there.asked.length, 1)
    } finally {
      await again.close()
    }
  })

  it('is a failure where the answer says nothing', async () => {
    const again = await mewsBench()
    try {
      again.there.faults.push({ at: 'reservations/getAll/2023-06-06', does: 'null' })
      await assert.rejects(async () => again.side.pull(null, calling()), { code: 'vendor-error' })
    } finally {
      await again.close()
    }
  })

  it('is a failure where our tokens are wrong', async () => {
    bench.there.accessToken = 'ANOTHER'
    await assert.rejects(async () => bench.side.pull(null, calling()), {
      code: 'vendor-error',
      vendorCode: '401',
    })
    bench.there.accessToken = 'ACCESS'
  })
})

/** An offer of what the house has made of a reservation that it knows. */
async function offered(
  id: string,
  make: (stay: NonNullable<ReservationChange['value']>['stays'][number]) => void,
  changed: string[],
  more: Partial<Offer> = {},
): Promise<OfferAnswer> {
  const { value, revision } = await told(id)
  make(value!.stays[0]!)
  bench.there.asked.length = 0
  const [answer] = await bench.side.push!(
    [anOffer(value!, { baseRevision: revision, changed, ...more })],
    calling(),
  )
  return answer!
}

const changesAsked = () =>
  bench.there.asked.filter(({ operation }) => !operation.includes('getAll')).map(({ operation }) => operation)

describe('what the house has changed', () => {
  it('is carried out there: room and dates first, then the check-in', async () => {
    const id = bench.there.book()
    const answer = await offered(
      id,
      (stay) => {
        stay.units = [{ unitTypeCode: 'DBL', unitName: '202' }]
        stay.endDate = '2026-06-04'
        stay.status = 'InHouse'
      },
      ['/stays/0/units', '/stays/0/endDate', '/stays/0/status'],
    )
    assert.ok(answer.is === 'accepted', JSON.stringify(answer))
    const record = bench.there.reservations.get(id)!
    assert.deepEqual(changesAsked(), ['reservations/update', 'reservations/start'])
    assert.deepEqual(
      [record.State, record.AssignedResourceId, record.ScheduledEndUtc],
      ['Started', roomId('202'), '2026-06-04T16:00:00.000Z'],
    )
    assert.equal(answer.revision, Date.parse(record.UpdatedUtc))
  })

  it('is a check-out with the reason for an open balance, where the house has one', async () => {
    const id = bench.there.book({ State: 'Started', room: '203' })
    const answer = await offered(id, (stay) => (stay.status = 'CheckedOut'), ['/stays/0/status'])
    assert.equal(answer.is, 'accepted')
    const { body } = bench.there.asked.find(({ operation }) => operation === 'reservations/process')!
    assert.deepEqual(body, {
      ReservationId: id,
      CloseBills: false,
      AllowOpenBalance: true,
      Notes: 'Paid at the kiosk.',
    })
  })

  it('is a cancellation', async () => {
    const id = bench.there.book()
    assert.equal(
      (await offered(id, (stay) => (stay.status = 'Canceled'), ['/stays/0/status'])).is,
      'accepted',
    )
    assert.equal(bench.there.reservations.get(id)?.State, 'Canceled')
  })

  it('is not carried out when it has changed there since; what it is there is told', async () => {
    const id = bench.there.book()
    const { revision } = await told(id)
    bench.there.change(id, { ChannelManager: 'changed there' })
    const answer = await offered(id, (stay) => (stay.status = 'Canceled'), ['/stays/0/status'], {
      baseRevision: revision,
    })
    assert.ok(answer.is === 'outdated', JSON.stringify(answer))
    assert.equal(answer.change.value?.channel, 'changed there')
    assert.deepEqual(changesAsked(), [])
  })

  it('is refused with the sentence of a rule there', async () => {
    const id = bench.there.book()
    const answer = await offered(id, (stay) => (stay.status = 'InHouse'), ['/stays/0/status'])
    assert.deepEqual(answer, { is: 'refused', reason: 'No room is assigned.' })
  })

  for (const [what, make, changed, reason] of [
    [
      'a room that is not there',
      (stay: { units?: unknown }) => (stay.units = [{ unitTypeCode: 'DBL', unitName: '999' }]),
      ['/stays/0/units'],
      /no room 999/,
    ],
    [
      'a way back',
      (stay: { status?: string }) => (stay.status = 'Tentative'),
      ['/stays/0/status'],
      /Confirmed to Tentative/,
    ],
  ] as [string, (stay: object) => void, string[], RegExp][])
    it(`is refused where Mews has no way for it: ${what}`, async () => {
      const answer = await offered(bench.there.book(), make, changed)
      assert.ok(answer.is === 'refused')
      assert.match(answer.reason, reason)
      assert.deepEqual(changesAsked(), [])
    })

  it('is refused where it was made here', async () => {
    const [answer] = await bench.side.push!([anOffer({ externalId: null, stays: [] })], calling())
    assert.deepEqual(answer, {
      is: 'refused',
      reason: 'Mews accepts no new reservations from here. Make the reservation in Mews.',
    })
  })

  for (const when of ['cut-before', 'cut-after'] as const)
    it(`is known to be done or not when the line was cut and it is offered again: ${when}`, async () => {
      const id = bench.there.book({ room: '201' })
      const { value, revision } = await told(id)
      value!.stays[0]!.status = 'InHouse'
      const offer = anOffer(value!, { baseRevision: revision, changed: ['/stays/0/status'] })
      bench.there.faults.push({ at: 'reservations/start', does: when })
      await assert.rejects(async () => bench.side.push!([offer], calling()), {
        code: 'adapter-timeout',
        outcomeUnknown: true,
      })
      const [answer] = await bench.side.push!([offer], calling())
      assert.equal(answer?.is, when === 'cut-after' ? 'outdated' : 'accepted')
      assert.equal(bench.there.reservations.get(id)?.State, 'Started')
      bench.there.change(id, { State: 'Processed' })
    })
})

describe('a webhook of Mews', () => {
  const heard = (text: string) => () => bench.open.callback!({ text, header: () => '' })

  it('has the house look, where it names our integration', () => {
    let nudges = 0
    const stop = bench.side.follow!({ changes() {}, poke: () => nudges++, line() {} })
    heard(JSON.stringify({ IntegrationId: integrationId, Events: [] }))()
    assert.equal(nudges, 1)
    stop()
  })

  for (const text of ['{}', 'no JSON', 'null', '{"IntegrationId":"c8bee838-0000-4f4e-8fac-ac87008b2f90"}'])
    it(`is refused otherwise: ${text}`, () => {
      assert.throws(heard(text), { code: 'unauthenticated' })
    })
})

describe('the address of Mews', () => {
  const checked = (platformAddress: string) => () =>
    mews.check!({ transport: 'http', connection: { platformAddress }, credentials: null })

  it('is spoken to over TLS, or within the house', () => {
    for (const good of ['https://api.mews.com', 'http://127.0.0.1:9000']) checked(good)()
  })

  for (const bad of ['http://api.mews.com', 'http://169.254.169.254', 'https://name:secret@api.mews.com'])
    it(`is not ${bad}: whoever listens there would have the tokens`, () => {
      assert.throws(checked(bad), { code: 'validation-failed' })
    })
})
