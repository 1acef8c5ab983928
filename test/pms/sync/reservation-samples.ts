import type { SharedGuest, SharedReservation, SharedStay } from '../../../src/pms/sync/shared-reservation.ts'

/** As a PMS tells it: without what it does not keep. */
export const guestFixture = (more: Partial<SharedGuest> = {}): SharedGuest => ({
  externalId: 'G1',
  role: 'PrimaryGuest',
  firstName: 'Anna',
  lastName: 'Kern',
  gender: 'Female',
  emails: [{ address: 'anna@example.com' }],
  phoneNumbers: [{ number: '912 345 678' }],
  ...more,
})

export const stayFixture = (more: Partial<SharedStay> = {}): SharedStay => ({
  externalId: 'S1',
  status: 'Confirmed',
  startDate: '2026-07-01',
  endDate: '2026-07-04',
  personCount: { adults: 2 },
  units: [{ unitTypeCode: 'DBL', unitName: '214' }],
  reservationIds: [{ type: 'Confirmation', value: 'C-1' }],
  amount: { currency: 'EUR', amountWithTax: 300 },
  guests: [guestFixture()],
  comment: 'Quiet.',
  ...more,
})

export const reservationFixture = (
  more: Partial<SharedReservation> = {},
  ...stays: Partial<SharedStay>[]
): SharedReservation => ({
  externalId: 'R1',
  channel: 'Direct',
  stays: stays.length > 0 ? stays.map(stayFixture) : [stayFixture()],
  ...more,
})

/** A reservation `name` with one stay, whose guest is its own. */
export const named = (name: string, stay: Partial<SharedStay> = {}): SharedReservation =>
  reservationFixture(
    { externalId: name },
    {
      externalId: `${name}-S`,
      guests: [guestFixture({ externalId: `${name}-G`, lastName: `Kern-${name}` })],
      ...stay,
    },
  )
