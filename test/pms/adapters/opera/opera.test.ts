import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { DeviceFault } from '../../../../src/devices/fault.ts'
import { validate } from '../../../../src/jsonapi/schemas/validate.ts'
import { sharedReservationSchema } from '../../../../src/pms/sync/shared-reservation.ts'
import type { ReservationChange } from '../../../../src/pms/sync-contract.ts'
import { calling, pullAll } from '../adapter-contract.ts'
import { type OperaBench, operaBench, reservationsIn } from './bench.ts'

let bench: OperaBench
before(async () => {
  bench = await operaBench()
})
after(() => bench.close())
beforeEach(() => {
  bench.there.faults.length = 0
  bench.there.asked.length = 0
})

async function reported(id: string): Promise<ReservationChange> {
  const found = reservationsIn(await pullAll(bench.side, null)).find(({ externalId }) => externalId === id)
  assert.ok(found, 'it was not reported')
  return found
}

const isFault = (code: string, detail: RegExp) => (error: unknown) =>
  error instanceof DeviceFault && error.code === code && detail.test(error.message)

describe('A reservation of OPERA', () => {
  it('is one of one stay, with its room, persons and guests', async () => {
    const companion = { id: 'P77', givenName: 'Mia', surname: 'Bru' }
    bench.there.profiles.set(companion.id, companion)
    const id = bench.there.book({ roomId: '201', channel: 'WEB', children: 1 })
    const stay = bench.there.stays.get(id)!
    stay.guests.push(companion.id)
    Object.assign(bench.there.profiles.get(stay.guests[0]!)!, {
      email: 's@example.com',
      phoneNumber: '00351 912 345 678',
      language: 'E',
    })
    const { value, revision } = await reported(id)
    await validate(sharedReservationSchema, value)
    assert.equal(revision, stay.modifiedAt)
    assert.deepEqual(value, {
      externalId: id,
      channel: 'WEB',
      stays: [
        {
          externalId: id,
          status: 'Confirmed',
          startDate: '2026-06-01',
          startTime: '15:00',
          endDate: '2026-06-03',
          units: [{ unitTypeCode: 'DBL', unitName: '201' }],
          reservationIds: [{ type: 'Confirmation', value: stay.confirmation }],
          personCount: { adults: 2, children: 1 },
          ratePlanCode: 'RACK',
          guests: [
            {
              externalId: stay.guests[0],
              role: 'PrimaryGuest',
              firstName: 'Sofía',
              lastName: 'García',
              nationality: 'ES',
              emails: [{ address: 's@example.com', type: 'Private', primary: true }],
              phoneNumbers: [{ number: '+351912345678', primary: true }],
            },
            { externalId: 'P77', role: 'AdditionalGuest', firstName: 'Mia', lastName: 'Bru' },
          ],
        },
      ],
    })
  })

  it('of several rooms has as many units, of which one may be named', async () => {
    const { value } = await reported(bench.there.book({ rooms: 3, roomId: '202' }))
    assert.deepEqual(
      value?.stays[0]?.units?.map(({ unitName }) => unitName),
      ['202', null, null],
    )
  })

  it('is read where OPERA writes lists of one item as that item', async () => {
    bench.there.writesSingles = true
    const [id] = bench.there.stays.keys()
    const { value } = await reported(id!)
    bench.there.writesSingles = false
    assert.equal(value?.stays[0]?.guests?.length, 2)
  })

  it('is quarantined where it cannot be read, and the others are reported', async () => {
    const wrong = bench.there.book({ roomType: '' })
    const right = bench.there.book()
    const page = await pullAll(bench.side, null)
    bench.there.stays.delete(wrong)
    assert.ok(reservationsIn(page).some(({ externalId }) => externalId === right))
    assert.equal(page.refused.length, 1)
    assert.equal(page.refused[0]?.externalId, wrong)
    assert.match(page.refused[0]?.reason ?? '', /roomType/)
  })
})

describe('In the hour that the clock of the property shows twice', () => {
  let now = Date.parse('2026-10-25T00:50:00Z')
  let night: OperaBench
  before(async () => {
    night = await operaBench({}, { startMs: now, timeZone: 'Europe/Lisbon', now: () => now })
  })
  after(() => night.close())

  it('every change is reported, each newer than the one before it', async () => {
    const ids = [night.there.book(), night.there.book()] as const
    let { cursor } = await pullAll(night.side, null)
    const revisions: number[] = []
    // 01:51 in summer time, then 01:10 and 01:20 in winter time, and 02:05.
    for (const at of ['00:51', '01:10', '01:20', '02:05']) {
      now = Date.parse(`2026-10-25T${at}:00Z`)
      for (const id of ids) night.there.change(id, { adults: revisions.length + 1 })
      const page = await pullAll(night.side, cursor)
      const changes = reservationsIn(page)
      assert.deepEqual(changes.map(({ externalId }) => externalId).sort(), ids.toSorted(), at)
      const revision = changes.find(({ externalId }) => externalId === ids[0])!.revision
      assert.ok(revision > (revisions.at(-1) ?? 0), at)
      revisions.push(revision)
      cursor = page.cursor
    }
  })
})

describe('Pulling from OPERA', () => {
  it('reads all pages, and stays that begin months ahead', async () => {
    const ids = Array.from({ length: 230 }, (_, at) =>
      bench.there.book({ arrival: '2026-08-01', departure: at % 2 ? '2026-08-02' : '2026-12-02' }),
    )
    const found = new Set(reservationsIn(await pullAll(bench.side, null)).map(({ externalId }) => externalId))
    assert.ok(ids.every((id) => found.has(id)))
    for (const id of ids) bench.there.stays.delete(id)
  })

  it('reports a departure of today at once, and a change of a stay far ahead with the next round of all', async () => {
    const leaves = bench.there.book({ arrival: '2026-05-20', departure: '2026-06-01', status: 'InHouse' })
    const far = bench.there.book({ arrival: '2026-09-01', departure: '2026-09-04' })
    let { cursor } = await pullAll(bench.side, null)
    bench.there.change(leaves, { status: 'CheckedOut' })
    bench.there.change(far, { departure: '2026-09-05' })
    const near = await pullAll(bench.side, cursor)
    assert.deepEqual(
      reservationsIn(near).map(({ externalId, value }) => [externalId, value?.stays[0]?.status]),
      [[leaves, 'CheckedOut']],
    )
    cursor = near.cursor
    bench.aheadMs = 16 * 60_000
    const all = await pullAll(bench.side, cursor)
    bench.aheadMs = 0
    const [change] = reservationsIn(all).filter(({ externalId }) => externalId === far)
    assert.equal(change?.value?.stays[0]?.endDate, '2026-09-05')
  })

  it('reports a stay that ended while the house was off for days', async () => {
    const left = bench.there.book({ arrival: '2026-05-30', departure: '2026-06-02', status: 'InHouse' })
    const { cursor } = await pullAll(bench.side, null)
    bench.there.change(left, { status: 'CheckedOut' })
    bench.inHouse = [{ externalId: left, endDate: '2026-06-02' }]
    bench.aheadMs = 5 * 86_400_000
    const found = reservationsIn(await pullAll(bench.side, cursor))
    bench.aheadMs = 0
    bench.inHouse = []
    assert.deepEqual(
      found.map(({ externalId, value }) => [externalId, value?.stays[0]?.status]),
      [[left, 'CheckedOut']],
    )
  })

  it('reports a stay that is over in the first round where it is in house here, as after a restore', async () => {
    const left = bench.there.book({ status: 'CheckedOut' })
    bench.inHouse = [{ externalId: left, endDate: '2026-06-02' }]
    assert.equal((await reported(left)).value?.stays[0]?.status, 'CheckedOut')
    bench.inHouse = []
  })

  it('does not report stays that were over before the first round', async () => {
    const id = bench.there.book({ status: 'Cancelled' })
    const found = reservationsIn(await pullAll(bench.side, null))
    assert.ok(!found.some(({ externalId }) => externalId === id))
  })

  it('begins anew with a cursor of another property', async () => {
    const { side, there, close } = await operaBench()
    try {
      there.book()
      const { cursor } = await pullAll(side, null)
      assert.equal(reservationsIn(await pullAll(side, cursor)).length, 0)
      const other = cursor.replace(there.hotelId, 'OTHER')
      assert.equal(reservationsIn(await pullAll(side, other)).length, 1)
    } finally {
      await close()
    }
  })

  it('begins anew with a cursor that it does not know', async () => {
    const id = bench.there.book()
    const found = reservationsIn(await pullAll(bench.side, '{"v":7}'))
    assert.ok(found.some(({ externalId }) => externalId === id))
  })
})

describe('A list of OPERA that is none', () => {
  const wrong: [what: string, answer: unknown][] = [
    ['a text', 'reservations'],
    ['an object without the list', {}],
    ['a list of nothing', { reservations: null }],
    ['one without end', { reservations: { reservationInfo: Array(50_001).fill({}), hasMore: true } }],
  ]
  for (const [what, answer] of wrong) {
    it(`is a failure: ${what}`, async () => {
      bench.there.faults.push({ at: '/reservations', does: 200, answer })
      await assert.rejects(bench.side.pull(null, calling()), isFault('vendor-error', /./))
    })
  }

  it('has its unreadable items quarantined', async () => {
    const items = [null, 5, {}, { reservationIdList: [null], lastModifyDateTime: 'soon' }]
    bench.there.faults.push({
      at: '/reservations',
      does: 200,
      answer: { reservations: { reservationInfo: items } },
    })
    const { changes, refused } = await bench.side.pull(null, calling())
    assert.deepEqual([changes.length, refused.length], [0, items.length])
  })
})

describe('The gateway', () => {
  it('is asked for a token once, and again shortly before it expires', async () => {
    bench.reopen()
    bench.there.tokens.length = 0
    await pullAll(bench.side, null)
    await pullAll(bench.side, null)
    assert.equal(bench.there.tokens.length, 1)
    bench.aheadMs = 3_545_000
    await pullAll(bench.side, null)
    bench.aheadMs = 0
    assert.equal(bench.there.tokens.length, 2)
  })

  it('refuses a token that it has withdrawn: another is requested', async () => {
    await pullAll(bench.side, null)
    bench.there.tokens.length = 0
    await pullAll(bench.side, null)
    assert.equal(bench.there.tokens.length, 1)
  })

  it('is not asked while it wants a pause', async () => {
    bench.there.faults.push({ at: '/reservations', does: 429, headers: { 'retry-after': '30' } })
    await assert.rejects(bench.side.pull(null, calling()), isFault('adapter-timeout', /429/))
    const before = bench.there.asked.length
    await assert.rejects(
      bench.side.pull(null, calling()),
      isFault('adapter-timeout', /no requests for another 30 s/),
    )
    assert.equal(bench.there.asked.length, before)
    bench.aheadMs = 31_000
    await pullAll(bench.side, null)
    bench.aheadMs = 0
  })

  it('refuses another hotel, and no secret is in the sentence', async () => {
    const other = await operaBench({ hotelId: 'OTHER' })
    const { clientSecret, applicationKey } = other.there
    await assert.rejects(other.side.pull(null, calling()), (error: Error) => {
      assert.match(error.message, /403/)
      assert.ok(![clientSecret, applicationKey, 'token-1'].some((secret) => error.message.includes(secret)))
      return true
    })
    await other.close()
  })
})
