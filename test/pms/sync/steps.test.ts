import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { plain, sync } from '../../../src/composition/api.ts'
import { isCarriedOut, stepsOf } from '../../../src/pms/message-steps.ts'
import { syncFact } from '../../../src/pms/resources/sync-fact.ts'
import { snapshot } from '../../../src/pms/sync/snapshot.ts'
import type { Offer, OfferAnswer, StepResult } from '../../../src/pms/sync-contract.ts'
import {
  recordStayPayment,
  recordStayRefund,
  voidPayment,
} from '../../../src/reservation/payments/payment-commands.ts'
import { openSyncHouse, type SyncHouse } from './house.ts'
import { guestFixture, stayFixture } from './reservation-samples.ts'
import { usual } from './shared-samples.ts'

let house: SyncHouse
let revision = 1_000
before(async () => {
  house = await openSyncHouse()
})
after(() => house.stop())

/** The message about a reservation that is sent now; null for none. */
async function messageOf(reservationId: string, accepts: null | ['dates'] = null): Promise<Offer | null> {
  const { configurationId } = house
  const offers = await house.write(sync.takeOffers, { configurationId, limit: 100, accepts })
  return offers.find(({ localId }) => localId === reservationId) ?? null
}

async function answered({ localId, id: offerId }: Offer, answer: OfferAnswer): Promise<void> {
  const { configurationId } = house
  const rules = { policy: usual, direction: 'Both' } as const
  await house.write(sync.settleOffer, { configurationId, reservationId: localId, offerId, answer, ...rules })
}

const accepted = (offer: Offer, results: StepResult[] = []) =>
  answered(offer, { is: 'accepted', externalId: offer.externalId!, revision: revision++, results })

const arrival = (externalId: string) => {
  const units = [{ unitTypeCode: 'DBL' }]
  const stay = stayFixture({ externalId: `${externalId}-S`, units, endDate: '2026-07-04', comment: 'Quiet.' })
  return house.arrives({ externalId, stays: [{ ...stay, guests: [guestFixture({ externalId: null })] }] })
}
const groups = (offer: Offer | null) => offer?.intents.map(({ group }) => group) ?? null
const intent = (offer: Offer, group: string) => offer.intents.find((each) => each.group === group)!

/** The id of a payment of 50 EUR for the first stay. */
async function paid(reservationId: string): Promise<string> {
  const payment = { currency: 'EUR', amount: 5_000, brand: 'Cash' } as const
  const stayId = house.staysOf(reservationId)[0]!.id
  return (await house.write(recordStayPayment, { reservationId, stayId, payment })).document.id
}

describe('The steps of a message', () => {
  it('are one for each stay and group, from the shadow to today, in the order in which a PMS needs them', async () => {
    const id = await arrival('S1')
    await house.change(id, { comment: 'Late.' })
    await house.change(id, { endDate: '2026-07-08' })
    await house.change(id, { endDate: '2026-07-09', personCount: { adults: 1 } })
    const paymentId = await paid(id)
    const offer = (await messageOf(id))!
    assert.deepEqual(groups(offer), ['guests', 'dates', 'comments'])
    const [stay] = house.staysOf(id)
    assert.partialDeepStrictEqual(intent(offer, 'dates'), {
      stayLocalId: stay!.id,
      from: { endDate: house.recordOf(id).base!.stays[0]!.endDate },
      to: { endDate: '2026-07-09' },
    })
    assert.deepEqual(
      offer.facts.map(({ id, is }) => [id, is]),
      [[paymentId, 'payment']],
    )
    assert.deepEqual(isCarriedOut(intent(offer, 'dates'), house.recordOf(id).base!), false)
    assert.deepEqual(isCarriedOut(intent(offer, 'dates'), offer.value), true)
    await accepted(offer)
    assert.equal(await messageOf(id), null)
    assert.deepEqual([house.intentsOf(id), house.recordOf(id).state], [[], 'Synced'])
  })

  it('are a creation where the PMS has nothing, and the payments', async () => {
    const stay = {
      startDate: '2026-11-01',
      endDate: '2026-11-03',
      status: 'Confirmed' as const,
      personCount: { adults: 1 },
      reservationIds: [],
      units: [{ unitTypeId: house.typeIds.DBL! }],
      amount: { currency: 'EUR', amountWithTax: 100 },
    }
    const attributes = { integrationId: house.configurationId }
    const input = { attributes, stays: [stay], source: 'Kiosk' as const }
    const { id } = await house.write(house.reservations.createReservation, input)
    await paid(id)
    const offer = (await messageOf(id))!
    assert.deepEqual(
      stepsOf(offer).map((step) => (step.is === 'fact' ? step.fact.is : step.intent.group)),
      ['creation', 'payment'],
    )
    await answered(offer, { is: 'accepted', externalId: 'S-NEW', revision: revision++ })
    assert.equal(await messageOf(id), null)
  })

  it('put payments before a check-out', () => {
    const step = (status: string) =>
      ({
        id: status,
        group: 'status',
        stayLocalId: status,
        stayExternalId: null,
        from: {},
        to: { status },
      }) as never
    const facts = [{ id: 'P', is: 'payment', payment: {} as never }] as const
    const order = stepsOf({ intents: [step('CheckedOut'), step('InHouse')], facts })
    assert.deepEqual(
      order.map((each) => (each.is === 'fact' ? each.fact.id : each.intent.id)),
      ['InHouse', 'P', 'CheckedOut'],
    )
  })

  it('are a payment and its void where it was voided before the PMS had it', async () => {
    const id = await arrival('S3')
    const paymentId = await paid(id)
    await house.write(voidPayment, { id: paymentId })
    const { facts } = (await messageOf(id))!
    assert.deepEqual(
      facts.map((fact) => [fact.id, fact.is, 'payment' in fact && fact.payment.voidedAt !== null]),
      [
        [paymentId, 'payment', false],
        [`${paymentId}.void`, 'void', true],
      ],
    )
  })

  it('are no refunds, and no voids of refunds: a PMS would take them for payments', async () => {
    const id = await arrival('S5')
    const paymentId = await paid(id)
    await accepted((await messageOf(id))!)
    const stayId = house.staysOf(id)[0]!.id
    await house.change(id, { amount: { currency: 'EUR', amountWithTax: 40 } })
    const priced = await messageOf(id)
    if (priced) await accepted(priced)
    const payment = { currency: 'EUR', amount: 400, brand: 'Cash' } as const
    const refund = await house.write(recordStayRefund, { reservationId: id, stayId, payment })
    assert.equal(await messageOf(id), null)
    await house.write(voidPayment, { id: refund.document.id })
    assert.equal(await messageOf(id), null)
    await house.write(recordStayRefund, { reservationId: id, stayId, payment })
    await house.change(id, { comment: 'Got 4 EUR back.' })
    const { facts, value } = (await messageOf(id))!
    assert.deepEqual(facts, [])
    assert.deepEqual(
      snapshot(house.reader, id)?.payments?.map((each) => each.id),
      [paymentId],
    )
    assert.ok((value.payments ?? []).every((each) => each.id === paymentId))
  })

  it('are payments as well that a program before the facts has left in the outbox, with or without a message', async () => {
    const id = await arrival('S4')
    const paymentId = await paid(id)
    const { reader, write } = house
    const [fact] = reader.rows(syncFact, {
      filters: [{ path: 'reservationId', operator: 'eq', value: id }],
      sort: [],
      page: { size: 10 },
    })
    await write(plain.remove, { type: 'sync-fact', id: fact!.id })
    const [row] = house.offersOf(id)
    const patch = (attributes: object) =>
      write(plain.patch, {
        type: 'sync-offer',
        id: row!.id,
        attributes: attributes as Record<string, unknown>,
      })
    await patch({ capturedMarks: null })
    const { intents: _, facts, ...before } = (await messageOf(id))!
    assert.deepEqual(facts[0]?.id, paymentId)
    await patch({ offer: before })
    const kept = (await messageOf(id))!
    assert.deepEqual([kept.id, kept.facts[0]?.id], [before.id, paymentId])
  })

  it('that a PMS does not accept are kept here', async () => {
    const id = await arrival('S2')
    await house.change(id, { comment: 'Only here.' })
    await paid(id)
    assert.equal(await messageOf(id, ['dates']), null)
    assert.deepEqual([await messageOf(id), house.intentsOf(id), house.conflictsOf(id)], [null, [], []])
  })
})

describe('The result of a step', () => {
  async function changed(externalId: string) {
    const id = await arrival(externalId)
    await house.change(id, { comment: 'Here.', endDate: '2026-07-09' })
    return { id, offer: (await messageOf(id))! }
  }

  it('“refused” leaves it to the desk, and does not keep the others', async () => {
    const { id, offer } = await changed('R1')
    await accepted(offer, [
      { id: intent(offer, 'dates').id, is: 'refused', code: 'closed', reason: 'Closed.' },
    ])
    const { base, state } = house.recordOf(id)
    assert.deepEqual([base!.stays[0]!.comment, base!.stays[0]!.endDate], ['Here.', '2026-07-04'])
    assert.equal(state, 'Conflict')
    const [conflict] = house.conflictsOf(id)
    assert.partialDeepStrictEqual(conflict, { reason: 'refused-by-pms', fieldGroup: 'dates', state: 'open' })
    assert.match(conflict!.sentence, /Closed\./)
    assert.equal(await messageOf(id), null)
    await house.change(id, { comment: 'Again.' })
    const other = (await messageOf(id))!
    assert.deepEqual(groups(other), ['comments'], 'the refused one waits for a change of its group')
    assert.equal(other.value.stays[0]!.endDate, '2026-07-04')
    await accepted(other)
    assert.equal(house.conflictsOf(id)[0]!.state, 'open')
    await house.change(id, { endDate: '2026-07-08' })
    const third = (await messageOf(id))!
    assert.deepEqual(groups(third), ['dates'])
    await accepted(third)
    assert.deepEqual([house.conflictsOf(id)[0]!.state, house.recordOf(id).state], ['settled', 'Synced'])
  })

  it('“refused” is sent again when a person asks', async () => {
    const { id, offer } = await changed('R2')
    await accepted(offer, [{ id: intent(offer, 'dates').id, is: 'refused', reason: 'Closed.' }])
    await house.write(sync.offerAgain, { configurationId: house.configurationId })
    assert.deepEqual(groups(await messageOf(id)), ['dates'])
  })

  it('“unknown” is sent again later under the same id', async () => {
    const { id, offer } = await changed('R3')
    const { id: step } = intent(offer, 'dates')
    await accepted(offer, [{ id: step, is: 'unknown' }])
    assert.equal(await messageOf(id), null, 'not at once')
    house.elapse(60_000)
    const again = (await messageOf(id))!
    assert.deepEqual([groups(again), intent(again, 'dates').id], [['dates'], step])
    await accepted(again, [{ id: step, is: 'already-done' }])
    assert.equal(house.recordOf(id).state, 'Synced')
  })

  it('“not-expressible” is kept here, and is no conflict', async () => {
    const { id, offer } = await changed('R4')
    await accepted(offer, [{ id: intent(offer, 'dates').id, is: 'not-expressible' }])
    assert.deepEqual([await messageOf(id), house.conflictsOf(id)], [null, []])
    assert.equal(house.staysOf(id)[0]!.endDate, '2026-07-09')
    assert.equal(house.recordOf(id).base!.stays[0]!.endDate, '2026-07-04')
    await house.report(
      { ...house.recordOf(id).base!, comment: 'Theirs.' },
      { externalId: 'R4', revision: revision++ },
    )
    assert.equal(house.staysOf(id)[0]!.endDate, '2026-07-09', 'a later report does not undo it')
  })

  it('“refused” leaves the conflict about what the PMS has changed itself', async () => {
    const id = await arrival('R6')
    await house.change(id, { comment: 'Here.' })
    const theirs = house.recordOf(id).base!
    const value = { ...theirs, stays: [{ ...theirs.stays[0]!, comment: 'Theirs.' }] }
    const policy = { ...usual, comments: 'Local' as const }
    await house.report(value, { externalId: 'R6', revision: revision++, policy })
    const offer = (await messageOf(id))!
    await accepted(offer, [{ id: intent(offer, 'comments').id, is: 'refused', reason: 'Too long.' }])
    assert.deepEqual(
      house.conflictsOf(id).map(({ reason, state }) => [reason, state]),
      [
        ['both-changed', 'open'],
        ['refused-by-pms', 'open'],
      ],
    )
  })

  it('“refused” for a payment is a conflict that does not undo it', async () => {
    const id = await arrival('R5')
    const paymentId = await paid(id)
    const offer = (await messageOf(id))!
    assert.deepEqual(offer.intents, [])
    await accepted(offer, [{ id: paymentId, is: 'refused', reason: 'Cash is not enabled.' }])
    const [conflict] = house.conflictsOf(id)
    assert.match(
      conflict!.sentence,
      /50\.00 EUR.*Cash is not enabled\. .*To do: .* record it at the PMS by hand/,
    )
    const choice = { id: conflict!.id, counts: 'Pms' } as const
    await assert.rejects(house.write(sync.chooseInConflict, choice), /stays/)
    await house.write(sync.chooseInConflict, { ...choice, counts: 'Local' })
    assert.deepEqual(
      (await messageOf(id))!.facts.map(({ id }) => id),
      [paymentId],
    )
  })

  it('“refused” for a check-in says what to do, and the guest stays in the house', async () => {
    const id = await arrival('R7')
    await house.change(id, { units: [{ unitTypeId: house.typeIds.DBL!, unitId: house.unitIds['215'] }] })
    await house.change(id, { status: 'InHouse' })
    const offer = (await messageOf(id))!
    await accepted(offer, [
      { id: intent(offer, 'status').id, is: 'refused', reason: 'The room is not inspected.' },
    ])
    const [conflict] = house.conflictsOf(id)
    assert.match(conflict!.sentence, /has happened here .*The room is not inspected\..*To do: /)
    assert.equal(house.staysOf(id)[0]!.status, 'InHouse')
  })
})
