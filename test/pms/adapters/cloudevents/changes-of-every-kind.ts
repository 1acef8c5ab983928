import type { SimulatedPms } from '../../../../src/simulators/cloudevents/simulated-pms.ts'
import { aReservation } from '../adapter-contract.ts'

/** The PMS changes and deletes a reservation, lends a unit, and reports the status of one. */
export function changesOfEveryKind({ book }: SimulatedPms): void {
  const { externalId } = book.make(aReservation('of the PMS'))
  book.remove(externalId)
  book.lend({
    leaseId: 'L-1',
    unitNames: ['201'],
    startDate: '2026-06-01',
    endDate: '2026-06-02',
    validUntil: '2026-06-03T10:00:00Z',
  })
  book.clean({ unitName: '201', revision: 1, status: 'Clean' })
}
