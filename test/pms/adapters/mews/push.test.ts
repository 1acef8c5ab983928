import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { FieldGroup } from '../../../../src/pms/resources/conflict-policy.ts'
import type { SharedReservation, SharedStay } from '../../../../src/pms/sync/shared-reservation.ts'
import type { Fact, Intent, Offer, OfferAnswer, StepResult } from '../../../../src/pms/sync-contract.ts'
import { nextUuid } from '../../../uuid.ts'
import { anOffer, calling, pullAll } from '../adapter-contract.ts'
import { type MewsBench, mewsBench, reservationsIn, roomId } from './bench.ts'

let bench: MewsBench
before(async () => {
  bench = await mewsBench(({ rateId }) => ({ openBalanceNote: 'Paid at the kiosk.', rateId }))
})
after(() => bench.close())
beforeEach(() => {
  const { there } = bench
  for (const list of [there.faults, there.asked, there.notes, there.payments]) list.length = 0
  there.reservations.clear()
  there.companionships.length = 0
  for (const name of there.rooms.keys()) there.clean(name, 'Inspected')
  bench.isInspected = false
})

const members: Partial<Record<FieldGroup, (keyof SharedStay)[]>> = {
  dates: ['startDate', 'startTime', 'endDate', 'endTime'],
  units: ['units'],
  status: ['status'],
  guests: ['guests', 'personCount'],
}
const stayLocalId = '99999999-0000-4000-8000-000000000001'

async function reported(id: string) {
  const found = reservationsIn(await pullAll(bench.side, null)).find(({ externalId }) => externalId === id)
  assert.ok(found?.value, 'it was not reported')
  return { revision: found.revision, value: found.value }
}

/** A message of what the house has made of a reservation that it knows. */
async function messageOf(
  id: string,
  make: (stay: SharedStay, whole: SharedReservation) => void,
): Promise<Offer> {
  const { value, revision } = await reported(id)
  const wanted = structuredClone(value)
  make(wanted.stays[0]!, wanted)
  const [before, stay] = [value.stays[0]!, wanted.stays[0]!]
  const intents = Object.entries(members).flatMap(([group, names]): Intent[] => {
    const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(stay[name]))
    if (changed.length === 0) return []
    const picked = (from: SharedStay) => Object.fromEntries(changed.map((name) => [name, from[name]]))
    const named = { id: group, group: group as FieldGroup, stayLocalId, stayExternalId: id }
    return [{ ...named, from: picked(before), to: picked(stay) }]
  })
  if (wanted.comment !== value.comment) {
    const ids = { id: 'comments', stayLocalId: null, stayExternalId: null }
    intents.push({
      ...ids,
      group: 'comments',
      from: { comment: value.comment! },
      to: { comment: wanted.comment! },
    })
  }
  return anOffer(wanted, { baseRevision: revision, intents })
}

async function pushed(...offers: Offer[]): Promise<OfferAnswer[]> {
  bench.there.asked.length = 0
  return [...(await bench.side.push!(offers, calling()))]
}

async function offered(id: string, make: Parameters<typeof messageOf>[1]): Promise<OfferAnswer> {
  const [answer] = await pushed(await messageOf(id, make))
  return answer!
}

/** What became of the steps, by their ids. */
function outcomes(answer: OfferAnswer | undefined): Record<string, string> {
  assert.ok(answer?.is === 'accepted', JSON.stringify(answer))
  const said = (each: StepResult) => (each.is === 'refused' ? each.reason : each.is)
  return Object.fromEntries((answer.results ?? []).map((each) => [each.id, said(each)]))
}

const changesAsked = () =>
  bench.there.asked.filter(({ operation }) => !operation.includes('getAll')).map(({ operation }) => operation)
const bodyOf = (name: string) => bench.there.asked.find(({ operation }) => operation === name)?.body
const record = (id: string) => bench.there.reservations.get(id)!
const arrives = (unitName: string) => (stay: SharedStay) => {
  stay.units = [{ unitTypeCode: 'DBL', unitName }]
  stay.status = 'InHouse'
}

describe('a stay that was changed here', () => {
  it('gets its room and dates in one request, and then its check-in', async () => {
    const id = bench.there.book()
    const answer = await offered(id, (stay) => {
      arrives('202')(stay)
      stay.endDate = '2026-06-04'
    })
    assert.deepEqual(outcomes(answer), { dates: 'done', units: 'done', status: 'done' })
    assert.deepEqual(changesAsked(), ['reservations/update', 'reservations/start'])
    const { State, AssignedResourceId, ScheduledEndUtc, UpdatedUtc } = record(id)
    assert.deepEqual(
      [State, AssignedResourceId, ScheduledEndUtc],
      ['Started', roomId('202'), '2026-06-04T16:00:00.000Z'],
    )
    assert.ok(answer.is === 'accepted')
    assert.equal(answer.revision, Date.parse(UpdatedUtc))
    assert.equal(answer.value?.stays[0]?.status, 'InHouse')
  })

  it('may begin and end earlier than planned', async () => {
    const soon = new Date(bench.there.now() + 3_600_000).toISOString()
    const id = bench.there.book({ room: '201', ScheduledStartUtc: soon })
    assert.deepEqual(outcomes(await offered(id, (stay) => (stay.status = 'InHouse'))), { status: 'done' })
    bench.there.owing.set(id, 10)
    assert.deepEqual(outcomes(await offered(id, (stay) => (stay.status = 'CheckedOut'))), { status: 'done' })
    assert.deepEqual(bodyOf('reservations/process'), {
      ReservationId: id,
      CloseBills: false,
      AllowOpenBalance: true,
      Notes: 'Paid at the kiosk.',
    })
    assert.equal(record(id).State, 'Processed')
  })

  it('may have begun and ended while the line was down', async () => {
    const id = bench.there.book({ room: '201' })
    assert.deepEqual(outcomes(await offered(id, (stay) => (stay.status = 'CheckedOut'))), { status: 'done' })
    assert.deepEqual(changesAsked(), ['reservations/start', 'reservations/update', 'reservations/process'])
  })

  it('keeps its planned end when Mews refuses the early departure', async () => {
    const again = await mewsBench()
    try {
      const id = again.there.book({ room: '201', State: 'Started' })
      again.there.owing.set(id, 10)
      const { ScheduledEndUtc } = again.there.reservations.get(id)!
      const [known] = reservationsIn(await pullAll(again.side, null))
      const value = structuredClone(known!.value!)
      value.stays[0]!.status = 'CheckedOut'
      const named = { id: 'status', group: 'status' as const, stayLocalId, stayExternalId: id }
      const intents = [
        { ...named, from: { status: 'InHouse' as const }, to: { status: 'CheckedOut' as const } },
      ]
      const offer = anOffer(value, { baseRevision: known!.revision, intents })
      const [answer] = await again.side.push!([offer], calling())
      assert.deepEqual(outcomes(answer), { status: 'The bill has an open balance.' })
      assert.equal(again.there.reservations.get(id)?.ScheduledEndUtc, ScheduledEndUtc)
    } finally {
      await again.close()
    }
  })

  it('is canceled without a message to the guest', async () => {
    const id = bench.there.book()
    assert.deepEqual(outcomes(await offered(id, (stay) => (stay.status = 'Canceled'))), { status: 'done' })
    assert.deepEqual([record(id).State, bodyOf('reservations/cancel')?.SendEmail], ['Canceled', false])
  })

  it('has been carried out already where Mews has it', async () => {
    const id = bench.there.book({ room: '201' })
    const message = await messageOf(id, arrives('202'))
    bench.there.change(id, { AssignedResourceId: roomId('202'), State: 'Started' })
    const [answer] = await pushed({ ...message, baseRevision: Date.parse(record(id).UpdatedUtc) })
    assert.deepEqual(outcomes(answer), { units: 'already-done', status: 'already-done' })
    assert.deepEqual(changesAsked(), [])
  })

  it('exchanges its room with another of the same messages', async () => {
    const ids = ['201', '202'].map((room) => bench.there.book({ room }))
    const messages = await Promise.all(
      ids.map((id, at) =>
        messageOf(id, (stay) => (stay.units = [{ unitTypeCode: 'DBL', unitName: ['202', '201'][at]! }])),
      ),
    )
    for (const answer of await pushed(...messages)) assert.deepEqual(outcomes(answer), { units: 'done' })
    assert.deepEqual(
      ids.map((id) => record(id).AssignedResourceId),
      [roomId('202'), roomId('201')],
    )
  })
})

describe('a change here after which the reservation cannot be read', () => {
  it('is done, and what Mews had before is not what it has now', async () => {
    const id = bench.there.book({ room: '201' })
    const moved = [{ unitTypeCode: 'DBL', unitName: '202' }]
    const message = await messageOf(id, (stay) => (stay.units = moved))
    const { change } = bench.there
    // A clerk gives it a room at the same time that is not known yet.
    bench.there.change = (named, over) => change(named, { ...over, AssignedResourceId: roomId('299') })
    const [answer] = await pushed(message)
    bench.there.change = change
    assert.deepEqual(outcomes(answer), { units: 'done' })
    assert.ok(answer?.is === 'accepted' && answer.value === undefined, JSON.stringify(answer))
  })
})

describe('a change here that Mews refuses', () => {
  it('keeps nothing else back, in its own message or in another', async () => {
    bench.there.book({ room: '203', State: 'Started' })
    const [refused, other] = [bench.there.book(), bench.there.book()]
    const messages = [
      await messageOf(refused, (stay) => {
        stay.units = [{ unitTypeCode: 'DBL', unitName: '203' }]
        stay.endDate = '2026-06-05'
      }),
      await messageOf(other, arrives('201')),
    ]
    const [one, two] = await pushed(...messages)
    assert.equal(outcomes(one).dates, 'done')
    assert.match(outcomes(one).units!, /^The space is taken by reservation/)
    assert.deepEqual(outcomes(two), { units: 'done', status: 'done' })
  })

  for (const [what, room, make, reason] of [
    ['a room that is not there', undefined, arrives('999'), /no room 999/],
    ['no room', undefined, (stay: SharedStay) => (stay.status = 'InHouse'), /^No room is assigned\.$/],
    ['a way back', undefined, (stay: SharedStay) => (stay.status = 'Tentative'), /Confirmed to Tentative/],
    ['a no-show', undefined, (stay: SharedStay) => (stay.status = 'NoShow'), /Change it in Mews/],
  ] as [string, string | undefined, (stay: SharedStay) => void, RegExp][])
    it(`is reported with its sentence: ${what}`, async () => {
      const answer = await offered(bench.there.book({ ...(room && { room }) }), make)
      assert.ok(
        Object.values(outcomes(answer)).some((said) => reason.test(said)),
        JSON.stringify(answer),
      )
      assert.ok(!changesAsked().some((operation) => operation === 'reservations/update'))
    })

  it('is the check-in to a room that is not inspected, unless it is inspected here', async () => {
    const id = bench.there.book({ room: '201' })
    bench.there.clean('201', 'Clean')
    const refused = await offered(id, (stay) => (stay.status = 'InHouse'))
    assert.deepEqual(outcomes(refused), { status: 'The assigned space is Clean, not inspected.' })
    bench.isInspected = true
    assert.deepEqual(outcomes(await offered(id, (stay) => (stay.status = 'InHouse'))), { status: 'done' })
    assert.equal(bench.there.rooms.get('201')?.state, 'Inspected')
  })

  it('is not the check-in of a guest who has left since, and whose room is dirty again', async () => {
    const id = bench.there.book({ room: '201' })
    bench.there.clean('201', 'Dirty')
    assert.deepEqual(outcomes(await offered(id, (stay) => (stay.status = 'CheckedOut'))), { status: 'done' })
    assert.equal(bench.there.rooms.get('201')?.state, 'Dirty')
  })

  it('is not carried out when the reservation has changed there since; its state there is reported', async () => {
    const id = bench.there.book()
    const message = await messageOf(id, (stay) => (stay.status = 'Canceled'))
    bench.there.change(id, { ChannelManager: 'changed there' })
    const [answer] = await pushed(message)
    assert.ok(answer?.is === 'outdated', JSON.stringify(answer))
    assert.equal(answer.change.value?.channel, 'changed there')
    assert.deepEqual(changesAsked(), [])
  })
})

describe('more changes than the rate limit allows within a deadline', () => {
  it('are carried out in part, and the others when they are sent again', async () => {
    const again = await mewsBench()
    try {
      const ids = Array.from({ length: 100 }, () => again.there.book())
      const known = reservationsIn(await pullAll(again.side, null))
      const offers = ids.map((id) => {
        const { value, revision } = known.find(({ externalId }) => externalId === id)!
        const named = { id: `${id}.status`, group: 'status' as const, stayLocalId, stayExternalId: id }
        const intents = [{ ...named, from: {}, to: { status: 'Canceled' as const } }]
        return anOffer({ ...value!, comment: null }, { baseRevision: revision, intents })
      })
      const first = await again.side.push!(offers, calling())
      const left = offers.filter((_, at) => Object.values(outcomes(first[at])).includes('unknown'))
      assert.ok(left.length > 0 && left.length < 100, `${left.length} are left`)
      await again.side.push!(left, calling())
      const states = new Set([...again.there.reservations.values()].map(({ State }) => State))
      assert.deepEqual([...states], ['Canceled'])
    } finally {
      await again.close()
    }
  })
})

describe('guests who were changed here', () => {
  it('are changed, added and removed there', async () => {
    const id = bench.there.book()
    await offered(id, (stay) => {
      Object.assign(stay.guests![0]!, { lastName: 'García Ruiz', emails: [{ address: 'sofia@example.com' }] })
      stay.guests!.push({
        role: 'AdditionalGuest',
        firstName: 'Jean',
        lastName: 'Dupont',
        birthDate: '1990-05-06',
      })
    })
    assert.deepEqual(bodyOf('customers/update'), {
      CustomerId: record(id).AccountId,
      LastName: 'García Ruiz',
      Email: 'sofia@example.com',
    })
    const { value } = await reported(id)
    assert.deepEqual(
      value.stays[0]?.guests?.map(({ lastName, birthDate }) => [lastName, birthDate]),
      [
        ['García Ruiz', undefined],
        ['Dupont', '1990-05-06'],
      ],
    )
    const gone = await offered(id, (stay) => stay.guests!.pop())
    assert.deepEqual([outcomes(gone), bench.there.companionships], [{ guests: 'done' }, []])
  })

  for (const firstName of ['', '-', '\u00A0'])
    it(`have no first name at Mews where it is ${JSON.stringify(firstName)} here, and are the same when they come back`, async () => {
      const id = bench.there.book()
      const add = (stay: SharedStay) =>
        stay.guests!.push({ role: 'AdditionalGuest', firstName, lastName: 'Aulia' })
      assert.deepEqual(outcomes(await offered(id, add)), { guests: 'done' })
      assert.deepEqual(bodyOf('customers/add'), { OverwriteExisting: false, LastName: 'Aulia' })
      const { value } = await reported(id)
      const [, aulia] = value.stays[0]!.guests!
      assert.deepEqual([aulia?.firstName, aulia?.lastName], ['', 'Aulia'])
    })

  it('are no more than the persons of the reservation, which are sent before', async () => {
    const id = bench.there.book()
    const add =
      (...names: string[]) =>
      (stay: SharedStay) => {
        for (const lastName of names)
          stay.guests!.push({ role: 'AdditionalGuest', firstName: 'Ana', lastName })
      }
    const refused = await offered(id, add('One', 'Two', 'Three'))
    assert.match(outcomes(refused).guests!, /no place for another companion/)
    const answer = await offered(id, (stay) => {
      stay.personCount = { adults: 3, children: 1 }
      add('Three')(stay)
    })
    assert.deepEqual(outcomes(answer), { guests: 'done' })
    assert.equal(
      record(id).PersonCounts.reduce((sum, { Count }) => sum + Count, 0),
      4,
    )
  })

  it('do not lose the owner of the reservation', async () => {
    const answer = await offered(bench.there.book(), (stay) => (stay.guests = []))
    assert.match(outcomes(answer).guests!, /does not remove the owner/)
  })
})

describe('a comment from here', () => {
  it('is a note of its own, beside those of Mews', async () => {
    const id = bench.there.book()
    bench.there.note(id, 'Quiet room')
    await offered(id, (_, whole) => (whole.comment = 'Quiet room; Has a dog'))
    await offered(id, (_, whole) => (whole.comment = 'Quiet room; Has two dogs'))
    const texts = bench.there.notes.map(({ Text }) => Text.replace(/ ?\[.*/, ''))
    assert.deepEqual(texts, ['Quiet room', 'Has two dogs'])
    assert.equal((await reported(id)).value.comment, 'Quiet room; Has two dogs')
  })
})

describe('a payment from here', () => {
  const payment = { currency: 'EUR', amount: 1999, brand: 'Cash', recordedAt: '2026-06-01T15:00:00.000Z' }
  const factOf = (is: 'payment' | 'void', id: string, more = {}): Fact => ({
    id: is === 'void' ? `${id}.void` : id,
    is,
    payment: { id, stayLocalId, voidedAt: null, ...payment, ...more },
  })
  const paid = async (id: string, ...facts: Fact[]) => ({ ...(await messageOf(id, () => {})), facts })

  it('is recorded once, though its answer was lost', async () => {
    const message = await paid(bench.there.book(), factOf('payment', nextUuid()))
    bench.there.faults.push({ at: 'payments/addExternal', does: 'cut-after' })
    await assert.rejects(pushed(message), { code: 'adapter-timeout', outcomeUnknown: true })
    const [answer] = await pushed(message)
    assert.deepEqual(Object.values(outcomes(answer)), ['already-done'])
    const [recorded, ...others] = bench.there.payments
    assert.deepEqual([recorded?.Amount, others], [{ Currency: 'EUR', GrossValue: 19.99 }, []])
  })

  it('is recorded once by a house whose clock is ahead', async () => {
    const recordedAt = new Date(bench.there.now() + 20 * 60_000).toISOString()
    const message = await paid(bench.there.book(), factOf('payment', nextUuid(), { recordedAt }))
    bench.there.faults.push({ at: 'payments/addExternal', does: 'cut-after' })
    await assert.rejects(pushed(message))
    await pushed(message)
    assert.equal(bench.there.payments.length, 1)
  })

  it('that was voided before is not recorded; one that was recorded is voided in Mews', async () => {
    const id = bench.there.book()
    const one = nextUuid()
    const [unknown] = await pushed(await paid(id, factOf('payment', one), factOf('void', one)))
    assert.deepEqual([Object.values(outcomes(unknown)), bench.there.payments], [['done', 'already-done'], []])
    await pushed(await paid(id, factOf('payment', one)))
    const [answer] = await pushed(await paid(id, factOf('void', one)))
    assert.match(outcomes(answer)[`${one}.void`]!, /Void it in Mews/)
  })

  it('of a type that the property has not enabled is refused', async () => {
    const fact = factOf('payment', nextUuid(), { brand: 'Invoice' })
    const [answer] = await pushed(await paid(bench.there.book(), fact))
    assert.deepEqual(Object.values(outcomes(answer)), ['The payment type Invoice is not enabled.'])
  })
})

describe('a reservation that was made here', () => {
  function walkIn(status: SharedStay['status'] = 'InHouse'): Offer {
    const localId = nextUuid()
    const stay: SharedStay = {
      externalId: null,
      localId: stayLocalId,
      status,
      startDate: '2026-06-01',
      endDate: '2026-06-02',
      units: [{ unitTypeCode: 'DBL', unitName: '203' }],
      personCount: { adults: 2, children: 0 },
      guests: [
        { role: 'PrimaryGuest', firstName: 'Inês', lastName: 'Costa' },
        { role: 'AdditionalGuest', firstName: 'Rui', lastName: 'Costa' },
      ],
    }
    const value = { externalId: null, localId, comment: 'Walked in', stays: [stay] }
    return anOffer(value, { localId, facts: [{ id: localId, is: 'creation', stayLocalId: null }] })
  }

  it('is made there with its guests, and checked in to its room', async () => {
    const offer = walkIn()
    const [answer] = await pushed(offer)
    assert.ok(answer?.is === 'accepted', JSON.stringify(answer))
    const { State, AssignedResourceId } = record(answer.externalId)
    assert.deepEqual([State, AssignedResourceId], ['Started', roomId('203')])
    const { localId, comment, stays } = answer.value!
    assert.deepEqual([localId, comment, stays[0]?.guests?.length], [offer.localId, 'Walked in', 2])
    assert.equal(bodyOf('reservations/add')?.SendConfirmationEmail, false)
  })

  it('is made once, though its answer was lost', async () => {
    const offer = walkIn()
    bench.there.faults.push({ at: 'reservations/add', does: 'cut-after' })
    await assert.rejects(pushed(offer), { code: 'adapter-timeout' })
    const [answer] = await pushed(offer)
    assert.equal(answer?.is, 'accepted')
    assert.equal(bench.there.reservations.size, 1)
  })

  it('is continued where it was half done', async () => {
    const offer = walkIn()
    bench.there.clean('203', 'Dirty')
    const [refused] = await pushed(offer)
    assert.ok(refused?.is === 'refused', JSON.stringify(refused))
    assert.match(refused.reason, /Dirty, not inspected/)
    bench.there.clean('203', 'Inspected')
    assert.equal((await pushed(offer))[0]?.is, 'accepted')
    assert.deepEqual(
      [...bench.there.reservations.values()].map(({ State }) => State),
      ['Started'],
    )
  })

  it('is refused without a rate', async () => {
    const again = await mewsBench()
    try {
      const [answer] = await again.side.push!([walkIn()], calling())
      assert.ok(answer?.is === 'refused')
      assert.match(answer.reason, /names no rate/)
    } finally {
      await again.close()
    }
  })
})

for (const when of ['cut-before', 'cut-after'] as const)
  it(`what became of a change is read when the line was cut and it is sent again: ${when}`, async () => {
    const id = bench.there.book({ room: '201' })
    const message = await messageOf(id, (stay) => (stay.status = 'InHouse'))
    bench.there.faults.push({ at: 'reservations/start', does: when })
    await assert.rejects(pushed(message), { code: 'adapter-timeout', outcomeUnknown: true })
    const [answer] = await pushed(message)
    assert.equal(answer?.is, when === 'cut-after' ? 'outdated' : 'accepted')
    assert.equal(record(id).State, 'Started')
  })
