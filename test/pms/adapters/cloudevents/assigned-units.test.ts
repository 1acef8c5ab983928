import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { virtualClock } from '../../../../src/host/virtual-clock.ts'
import type { WireAnswer, WireOffer } from '../../../../src/pms/adapters/cloudevents/messages/message-data.ts'
import type { SharedReservation, SharedStay } from '../../../../src/pms/sync/shared-reservation.ts'
import { type SimulatedPms, simulatedPms } from '../../../../src/simulators/cloudevents/simulated-pms.ts'
import { monday } from '../../../appliance.ts'
import { anOffer, aReservation } from '../adapter-contract.ts'

let pms: SimulatedPms
beforeEach(() => {
  pms = simulatedPms({ clock: virtualClock(monday), units: { DBL: ['201', '202', '203'] } })
})

/** From 3 to 5 June unless said otherwise. */
function guestIn(unitName: string | null, more: Partial<SharedStay> = {}): SharedReservation {
  const { stays, ...rest } = aReservation('')
  return { ...rest, stays: [{ ...stays[0]!, units: [{ unitTypeCode: 'DBL', unitName }], ...more }] }
}

const book = (value: SharedReservation) => pms.book.make(value).externalId

/** Of a reservation that is there, based on what is there; of one that was made in the house without a name. */
function offer(
  externalId: string | null,
  value: SharedReservation,
  more: Partial<WireOffer> = {},
): WireOffer {
  const { value: reservation, ...rest } = anOffer(value)
  const baseRevision = externalId === null ? null : pms.book.reservations.get(externalId)!.revision
  return { ...rest, externalId, baseRevision, reservation, ...more }
}

async function answers(...offers: WireOffer[]): Promise<WireAnswer[]> {
  const { reply } = await pms.answer({ type: 'pms.reservations.offered', data: { offers } })
  return (reply!.data as { answers: WireAnswer[] }).answers
}

const verdicts = async (...offers: WireOffer[]) => (await answers(...offers)).map(({ is }) => is)
const unitThere = (externalId: string) =>
  pms.book.reservations.get(externalId)!.value!.stays[0]!.units![0]!.unitName

describe('a unit that a simulated PMS has given to one', () => {
  it('is refused to another who has it offered on the same nights, with whose it is', async () => {
    const holder = book(guestIn('201'))
    const other = book(guestIn(null))
    const late = { startDate: '2026-06-04', endDate: '2026-06-06' }
    const [answer, made] = await answers(
      offer(other, guestIn('201')),
      offer(null, guestIn('201', { ...late, status: 'InHouse' })),
    )
    const reason = `201 is given to ${holder} from 2026-06-03 to 2026-06-05.`
    assert.partialDeepStrictEqual(answer, { is: 'refused', reason })
    assert.partialDeepStrictEqual(made, { is: 'refused', reason })
    assert.equal(unitThere(other), null)
    assert.equal(pms.book.reservations.size, 2)
  })

  it('is free before and after, and when who had it comes no more', async () => {
    book(guestIn('201'))
    book(guestIn('202', { status: 'Canceled' }))
    const before = guestIn('201', { startDate: '2026-06-01', endDate: '2026-06-03' })
    const after = guestIn('201', { startDate: '2026-06-05', endDate: '2026-06-07' })
    const instead = guestIn('202')
    assert.deepEqual(await verdicts(offer(null, before), offer(null, after), offer(null, instead)), [
      'accepted',
      'accepted',
      'accepted',
    ])
  })

  it('stays with who had it there already, and is not prolonged into the nights of the next', async () => {
    const one = book(guestIn('201'))
    const other = book(guestIn('201'))
    const commented = { ...guestIn('201'), comment: 'Late.' }
    assert.deepEqual(await verdicts(offer(one, commented), offer(other, commented)), ['accepted', 'accepted'])
    const next = book(guestIn('202', { startDate: '2026-06-05', endDate: '2026-06-06' }))
    const last = book(guestIn('202'))
    assert.deepEqual(await verdicts(offer(last, guestIn('202', { endDate: '2026-06-06' }))), ['refused'])
    assert.equal(unitThere(next), '202')
  })

  it('is given by what it was lent for', async () => {
    pms.book.lend({
      leaseId: 'L1',
      unitNames: ['201'],
      startDate: '2026-06-01',
      endDate: '2026-06-09',
      validUntil: '2026-06-09T12:00:00Z',
    })
    book(guestIn('201'))
    assert.deepEqual(await verdicts(offer(null, guestIn('201'), { leaseIds: ['L1'] })), ['accepted'])
  })

  it('goes to another when who had it lets it go in the same batch, and so two swap theirs', async () => {
    const [one, other] = [book(guestIn('201')), book(guestIn('202'))]
    assert.deepEqual(await verdicts(offer(one, guestIn('202')), offer(other, guestIn('201'))), [
      'accepted',
      'accepted',
    ])
    assert.deepEqual([one, other].map(unitThere), ['202', '201'])
  })

  it('stays with who cannot let it go because where he was to be is taken', async () => {
    const [one, other] = [book(guestIn('201')), book(guestIn('202'))]
    book(guestIn('203'))
    assert.deepEqual(await verdicts(offer(one, guestIn('202')), offer(other, guestIn('203'))), [
      'refused',
      'refused',
    ])
    assert.deepEqual([one, other].map(unitThere), ['201', '202'])
  })
})
