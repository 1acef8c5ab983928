import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { validate } from '../../../../src/jsonapi/schemas/validate.ts'
import { mews } from '../../../../src/pms/adapters/mews/mews.ts'
import { sharedReservationSchema } from '../../../../src/pms/sync/shared-reservation.ts'
import type { ReservationChange } from '../../../../src/pms/sync-contract.ts'
import { simulatedAges } from '../../../../src/simulators/mews/simulated-property.ts'
import { calling, pullAll } from '../adapter-contract.ts'
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

async function reported(id: string): Promise<ReservationChange> {
  const all = reservationsIn(await pullAll(bench.side, null))
  const found = all.find(({ externalId }) => externalId === id)
  assert.ok(found, 'it was not reported')
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
    bench.there.note(id, 'Late arrival')
    bench.there.note(id, 'Quiet\nroom')
    const { value, revision } = await reported(id)
    await validate(sharedReservationSchema, value)
    const record = bench.there.reservations.get(id)!
    assert.equal(revision, Date.parse(record.UpdatedUtc))
    assert.deepEqual(value, {
      externalId: id,
      channel: 'AvailPro',
      purpose: 'Other',
      comment: 'Late arrival; Quiet room',
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
              firstName: '',
              lastName: 'Bru',
              phoneNumbers: [{ number: '+351912345678', primary: true }],
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
      const reported = reservationsIn(await pullAll(bench.side, cursor))
      assert.ok(reported.some(({ externalId }) => externalId === id))
      bench.there.reservations.clear()
    })

  it('is all that is not over, where the service was corrected after another was fetched', async () => {
    const other = await mewsBench()
    try {
      const id = other.there.book()
      const { cursor } = await pullAll(bench.side, null)
      other.there.reservations.get(id)!.UpdatedUtc = '2026-05-01T10:00:00Z'
      const found = reservationsIn(await pullAll(other.side, cursor))
      assert.deepEqual(
        found.map(({ externalId }) => externalId),
        [id],
      )
    } finally {
      await other.close()
    }
  })

  it('is quarantined where it cannot be understood, and the rest goes on', async () => {
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
      const busy = { code: 'adapter-timeout', retryAfterSeconds: 30 }
      await assert.rejects(async () => again.side.pull(null, calling()), busy)
      await assert.rejects(async () => again.side.pull(null, calling()), busy)
      assert.equal(again.there.asked.length, 1)
    } finally {
      await again.close()
    }
  })

  it('is of one property where the token is of a portfolio', async () => {
    const enterpriseId = roomId('100')
    const again = await mewsBench({ enterpriseId, chainId: roomId('101') })
    try {
      again.there.book({ room: '201' })
      await pullAll(again.side, null)
      const bodyOf = (name: string) => again.there.asked.find(({ operation }) => operation === name)?.body
      assert.deepEqual(bodyOf('reservations/getAll/2023-06-06')?.EnterpriseIds, [enterpriseId])
      assert.deepEqual(bodyOf('customers/getAll')?.ChainIds, [roomId('101')])
    } finally {
      await again.close()
    }
  })

  it('includes the states of rooms, once', async () => {
    const { cursor } = await pullAll(bench.side, null)
    bench.there.clean('202', 'Dirty')
    bench.heardOfRooms()
    const page = await pullAll(bench.side, cursor)
    const rooms = page.changes.flatMap((each) =>
      each.is === 'housekeeping' ? [[each.unitName, each.status]] : [],
    )
    assert.deepEqual(rooms, [['202', 'Dirty']])
    assert.deepEqual((await pullAll(bench.side, page.cursor)).changes, [])
    bench.there.clean('202', 'Inspected')
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

  it('of its WebSocket is not in clear either', () => {
    const connection = { platformAddress: 'https://api.mews.com', webSocketAddress: 'ws://ws.mews.com' }
    assert.throws(() => mews.check!({ transport: 'http', connection, credentials: null }), {
      code: 'validation-failed',
    })
  })

  for (const bad of ['http://api.mews.com', 'http://169.254.169.254', 'https://name:secret@api.mews.com'])
    it(`is not ${bad}: whoever listens there would have the tokens`, () => {
      assert.throws(checked(bad), { code: 'validation-failed' })
    })
})
