import { type HouseWithPms, silence } from '../pms/adapters/scripted-adapter.ts'
import { keptConflict } from '../pms/sync/kept-conflict.ts'
import { another, bodies, booked, nobody, overpaid, refundedPayment } from './facts.ts'
import type { Facts, Row } from './row.ts'
import { refusalRows } from './rows-of-refusals.ts'
import { requiredRows } from './rows-of-registrations.ts'

const stays = 'POST /reservations/{reservationId}/stays'
const stay = '/reservations/{reservationId}/stays/{stayId}'
const onStay = `POST ${stay}/actions/record-payment`
const onReservation = 'POST /reservations/{reservationId}/actions/record-payment'
const types = 'POST /unit-types'
const aType = { code: '{fresh}', name: 'Loft' }

/** A stay of its own, with a unit that nobody else has. */
const withUnit = async (house: HouseWithPms, more: object = {}): Promise<Facts> => {
  const { unitTypeId, unitId } = await house.rooms(2)
  const { path, id, reservation } = await house.stay({
    ...bodies.stay,
    units: [{ unitTypeId, unitId }],
    ...more,
  })
  return { unitTypeId, unitId, path, stayId: id, reservationId: reservation.split('/').at(-1)! }
}

const inHouse = async (house: HouseWithPms, more: object = {}): Promise<Facts> => {
  const facts = await withUnit(house, more)
  await house.ask('PATCH', facts.path!, { body: { status: 'InHouse' } })
  return facts
}

const newStay = (more: object) => ({ ...bodies.stay, ...more })

/** Bodies that say what cannot be, and what is wrong on the other side: 415 and on. */
const laterRows: Row[] = [
  {
    of: types,
    status: 415,
    body: 'a',
    headers: { 'Content-Type': 'text/csv' },
    code: 'unsupported-media-type',
  },
  { of: types, status: 422, body: {}, code: 'validation-failed' },
  { of: stays, status: 422, body: newStay({ ratePlanId: nobody }), code: 'reference-unknown' },
  {
    of: stays,
    status: 422,
    given: async ({ rooms }) => ({ unitTypeId: (await rooms(1, { maxOccupancy: 1 })).unitTypeId }),
    body: newStay({ personCount: { adults: 2 } }),
    code: 'person-count-exceeds-occupancy',
  },
  {
    of: 'POST /reservations',
    status: 422,
    given: async ({ rooms }) => ({ unitTypeId: (await rooms(1)).unitTypeId }),
    body: { stays: [bodies.stay, bodies.stay] },
    code: 'no-eligible-unit',
  },
  {
    of: `PATCH ${stay}`,
    status: 422,
    given: async (house) => {
      const { reservationId, id } = await booked(house)
      return { reservationId, stayId: id }
    },
    body: { status: 'InHouse' },
    code: 'unit-required',
  },
  { of: stays, status: 422, body: newStay({ endTime: '11:00:30' }), code: 'seconds-not-zero' },
  {
    of: 'PATCH /availability/unit-types/{unitTypeId}',
    status: 422,
    body: [
      { startDate: '2026-07-01', endDate: '2026-07-02', quantity: 2 },
      { startDate: '2026-07-03', endDate: '2026-07-04', quantity: 2 },
    ],
    code: 'availability-not-compact',
  },
  { of: stays, status: 422, body: newStay({ endDate: '2026-05-31' }), code: 'end-before-start' },
  {
    of: stays,
    status: 422,
    body: newStay({
      reservationIds: [
        { type: 'Master', value: '1' },
        { type: 'Master', value: '2' },
      ],
    }),
    code: 'reservation-id-duplicate-type',
  },
  {
    of: 'PUT /rate-plans/{ratePlanId}',
    status: 422,
    body: { ...bodies.ratePlan, parentId: '{ratePlanId}' },
    code: 'rate-plan-derivation',
  },
  {
    of: `PATCH ${stay}`,
    status: 422,
    given: inHouse,
    body: { status: 'CheckedOut' },
    code: 'balance-outstanding',
  },
  {
    of: onStay,
    status: 422,
    given: (house) => withUnit(house, { amount: null }),
    body: bodies.payment,
    code: 'payment-due-unknown',
  },
  { of: onReservation, status: 422, body: bodies.payment, code: 'payment-amount-mismatch' },
  {
    of: onStay,
    status: 422,
    body: { ...bodies.payment, amount: 10_000_000 },
    code: 'payment-exceeds-outstanding',
  },
  {
    of: `POST ${stay}/actions/record-refund`,
    status: 422,
    given: overpaid,
    body: { ...bodies.payment, amount: 1_001 },
    code: 'refund-exceeds-surplus',
  },
  {
    of: `POST ${stay}/actions/record-refund`,
    status: 422,
    given: overpaid,
    body: { ...bodies.payment, amount: 5_001, refundOf: '{paymentId}', reason: 'Wrong card' },
    code: 'refund-exceeds-payment',
  },
  { of: 'DELETE /payments/{paymentId}', status: 409, given: refundedPayment, code: 'payment-refunded' },
  {
    of: onStay,
    status: 422,
    body: { ...bodies.payment, currency: 'USD' },
    code: 'payment-currency-mismatch',
  },
  {
    of: onStay,
    status: 422,
    body: { ...bodies.payment, customerReceipt: 'CARD 4111 1111 1111 1111' },
    code: 'receipt-contains-pan',
  },
  {
    of: types,
    status: 422,
    given: async ({ ask }) => {
      const key = another('key-')
      await ask('POST', '/api/v2/unit-types', {
        body: { code: key, name: 'First' },
        headers: { 'Idempotency-Key': key },
      })
      return { key }
    },
    headers: { 'Idempotency-Key': '{key}' },
    body: aType,
    code: 'idempotency-key-reused',
  },
  {
    of: types,
    status: 428,
    code: 'precondition-required',
    cannot: 'If-Match is honoured, and never demanded.',
  },
  { of: 'GET /units', status: 429, in: 'quotas', code: 'rate-limited' },
  { of: 'GET /units', status: 500, in: 'ruins', code: 'internal' },
  {
    of: 'GET /pms/providers/{scriptedId}/extensions/sync',
    status: 502,
    given: async ({ pms }) => {
      pms.does({ extension: () => silence() })
      return {}
    },
    code: 'adapter-timeout',
  },
  {
    of: 'POST /api/config/v1/sync-conflicts/{conflictId}/actions/choose',
    status: 409,
    given: async ({ data }) => {
      const of = { configurationId: nobody, reservationId: nobody, stayId: nobody }
      return { conflictId: keptConflict(data, of, 'settled') }
    },
    body: { counts: 'Local' },
    code: 'conflict-resolved',
  },
  {
    of: 'POST /profiles/{profileId}/actions/erase',
    status: 409,
    given: async (house) => {
      const person = { firstName: 'Still', lastName: 'Here' }
      const profileId = await house.make('/api/v2/profiles', person)
      await inHouse(house, { profiles: [{ id: profileId, role: 'PrimaryGuest' }] })
      return { profileId }
    },
    code: 'personal-data-needed',
  },
  // Nobody has made a recovery key.
  {
    of: 'PUT /api/config/v1/certificate',
    status: 409,
    body: { certificate: 'a', key: 'b' },
    code: 'certificate-fixed',
  },
  { of: 'POST /api/config/v1/backups', status: 409, code: 'backup-refused' },
  {
    of: 'POST /api/config/v1/restores',
    status: 409,
    body: { place: 'nowhere', backup: 'none' },
    code: 'restore-refused',
  },
  { of: 'POST /api/config/v1/update/actions/confirm', status: 409, code: 'update-refused' },
  {
    of: 'POST /api/config/v1/network/actions/try',
    status: 409,
    body: { address: 'dhcp' },
    code: 'network-refused',
  },
  { of: 'POST /api/config/v1/support-console/actions/open', status: 409, code: 'support-refused' },
  { of: types, status: 503, in: 'held', body: aType, code: 'busy' },
  {
    of: types,
    status: 409,
    in: 'held',
    given: async ({ ask }) => {
      const headers = { 'Idempotency-Key': 'slow' }
      void ask('POST', '/api/v2/unit-types', { body: { code: 'SLOW', name: 'Slow' }, headers })
      return {}
    },
    headers: { 'Idempotency-Key': 'slow' },
    body: { code: 'SLOW', name: 'Slow' },
    code: 'idempotency-in-progress',
  },
  {
    of: types,
    status: 503,
    code: 'starting-up',
    cannot: 'It is answered in the moment between the last accepted change and the end of the program.',
  },
  {
    of: types,
    status: 503,
    code: 'storage-full',
    cannot: 'It takes a full disk. That SQLite says so is what the writer turns into this code.',
  },
  {
    of: types,
    status: 503,
    code: 'clock-implausible',
    cannot: 'It takes a wrong clock, and is answered to who wants a key: clock.test.ts has both.',
  },
  {
    of: types,
    status: 409,
    code: 'box-fenced',
    cannot: 'It takes a second box, and is answered to who wants a key: test/access/fence.test.ts has one.',
  },
  ...(['storage-read-only', 'storage-failing', 'storage-damaged'] as const).map((code) => ({
    of: types,
    status: 503 as const,
    code,
    cannot: 'It takes a disk that fails; test/store/disk/disk-trouble.real.test.ts has one.',
  })),
  { of: types, status: 503, code: 'maintenance', cannot: 'The box has no such mode.' },
]

/** Each code that a request to the reservation interface can be refused with, once. */
export const problemRows: Row[] = [...refusalRows, ...laterRows, ...requiredRows]
