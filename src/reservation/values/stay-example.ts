import { exampleId } from '../../resource/example-id.ts'

/** A typical new stay, for the examples of the OpenAPI document. */
export const stayExample = {
  startDate: '2027-06-01',
  endDate: '2027-06-04',
  status: 'Confirmed',
  personCount: { adults: 2, children: 1, childrenAges: [7] },
  units: [{ unitTypeId: exampleId('unit-type') }],
  reservationIds: [{ type: 'Confirmation', value: 'NP-2001' }],
  services: [{ serviceId: exampleId('service') }],
  amount: { currency: 'EUR', amountWithTax: 327 },
  profiles: [{ id: exampleId('profile'), role: 'PrimaryGuest' }],
}
