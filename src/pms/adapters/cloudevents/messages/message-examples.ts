import type { SharedReservation } from '../../../sync/shared-reservation.ts'
import type { Message } from './envelope.ts'
import type * as of from './message-data.ts'

const house = 'urn:property:019faa00-0000-7000-8000-000000000001'
const pms = 'urn:pms:example'
const configurationId = '019faa00-0000-7000-8000-000000000002'
const localId = '019faa00-0000-7000-8000-000000000003'
const stayLocalId = '019faa00-0000-7000-8000-000000000004'
const requestId = '019faa00-0000-7000-8000-000000000005'

function message<Data extends object>(
  type: string,
  source: string,
  subject: string,
  data: Data,
  place: Pick<Message, 'sequence' | 'previous'> = {},
): Message<Data> {
  return {
    specversion: '1.0',
    id: `${type}-1`,
    source,
    type,
    subject,
    time: '2026-07-01T14:03:09.120Z',
    datacontenttype: 'application/json',
    ...place,
    data,
  }
}

const request = <Data extends object>(type: string, data: Data) =>
  message(type, house, `pms/${configurationId}`, data)
const reply = <Data extends object>(type: string, data: Data) =>
  message(type, pms, `pms/${configurationId}`, data)

const reservation: SharedReservation = {
  externalId: 'R-4711',
  channel: 'Website',
  purpose: 'Leisure',
  stays: [
    {
      externalId: 'R-4711-1',
      status: 'Confirmed',
      startDate: '2026-07-01',
      startTime: null,
      endDate: '2026-07-03',
      personCount: { adults: 2 },
      units: [{ unitTypeCode: 'DBL', unitName: null }],
      reservationIds: [{ type: 'Confirmation', value: 'R-4711' }],
      ratePlanCode: 'BAR',
      amount: { currency: 'EUR', amountWithTax: 218 },
      guests: [
        {
          externalId: 'G-815',
          role: 'PrimaryGuest',
          firstName: 'Sofía',
          lastName: 'García',
          languageCode: 'es',
          emails: [{ address: 'sofia@example.com' }],
        },
      ],
    },
  ],
}

const paid = {
  id: '019faa00-0000-7000-8000-00000000000f',
  stayLocalId,
  currency: 'EUR',
  amount: 21_800,
  brand: 'Visa',
  recordedAt: '2026-07-01T14:02:58Z',
  voidedAt: null,
}

const asCheckedIn: SharedReservation = {
  ...reservation,
  localId,
  stays: reservation.stays.map((stay) => ({
    ...stay,
    localId: stayLocalId,
    status: 'InHouse' as const,
    units: [{ unitTypeCode: 'DBL', unitName: '201' }],
  })),
  payments: [paid],
}

export const reservationChanged = message<of.ReservationChanged>(
  'pms.reservation.changed',
  pms,
  'reservations/R-4711',
  { externalId: 'R-4711', revision: 7, changedAt: '2026-07-01T14:03:08Z', reservation },
  { sequence: '00000000000000000042', previous: '00000000000000000041' },
)

export const reservationDeleted = message<of.ReservationDeleted>(
  'pms.reservation.deleted',
  pms,
  'reservations/R-4712',
  { externalId: 'R-4712', revision: 3, changedAt: '2026-07-01T14:04:00Z' },
  { sequence: '00000000000000000043', previous: '00000000000000000042' },
)

export const leaseChanged = message<of.LeaseChanged>(
  'pms.lease.changed',
  pms,
  'leases/L-1',
  {
    leaseId: 'L-1',
    revision: 1,
    unitNames: ['201', '202'],
    startDate: '2026-07-01',
    endDate: '2026-07-07',
    validUntil: '2026-07-08T10:00:00Z',
  },
  { sequence: '00000000000000000044', previous: '00000000000000000043' },
)

export const housekeepingChanged = message<of.HousekeepingChanged>(
  'pms.housekeeping.changed',
  pms,
  'units/201',
  { unitName: '201', revision: 4, status: 'Clean' },
  { sequence: '00000000000000000045', previous: '00000000000000000044' },
)

export const changesRequested = request<of.ChangesRequested>('pms.changes.requested', {
  after: '00000000000000000041',
  limit: 500,
})

export const changesReplied = reply<of.ChangesReplied>('pms.changes.replied', {
  changes: [reservationChanged, reservationDeleted],
  cursor: '00000000000000000043',
  more: false,
  contract: 2,
})

export const reservationsOffered = request<of.ReservationsOffered>('pms.reservations.offered', {
  offers: [
    {
      id: '019faa00-0000-7000-8000-00000000000a',
      localId,
      externalId: 'R-4711',
      baseRevision: 7,
      reservation: asCheckedIn,
      changed: ['/stays/0/status', '/stays/0/units', '/payments'],
      leaseIds: ['L-1'],
      intents: [
        {
          id: '019faa00-0000-7000-8000-00000000000d.3',
          group: 'units',
          stayLocalId,
          stayExternalId: 'R-4711-1',
          from: { units: [{ unitTypeCode: 'DBL', unitName: null }] },
          to: { units: [{ unitTypeCode: 'DBL', unitName: '201' }] },
        },
        {
          id: '019faa00-0000-7000-8000-00000000000e.3',
          group: 'status',
          stayLocalId,
          stayExternalId: 'R-4711-1',
          from: { status: 'Confirmed' },
          to: { status: 'InHouse' },
        },
      ],
      facts: [{ id: paid.id, is: 'payment', payment: paid }],
    },
  ],
})

export const offersAnswered = reply<of.OffersAnswered>('pms.offers.answered', {
  answers: [
    {
      id: '019faa00-0000-7000-8000-00000000000a',
      is: 'accepted',
      externalId: 'R-4711',
      revision: 8,
      results: [
        {
          id: '019faa00-0000-7000-8000-00000000000f',
          is: 'refused',
          code: 'not-enabled',
          reason: 'Visa is not enabled at this property.',
        },
      ],
    },
  ],
})

export const capabilitiesRequested = request<of.CapabilitiesRequested>('pms.capabilities.requested', {
  requestId,
  configurationId,
  adapter: 'cloudevents',
  adapterVersion: '1.0.0',
  interfaceVersion: '2.0',
  deadline: '2026-07-01T14:03:19.120Z',
})

export const capabilitiesReplied = reply<of.CapabilitiesReplied>('pms.capabilities.replied', {
  requestId,
  capabilities: {
    flags: ['reservations.read', 'reservations.write', 'units.assign', 'sync.full', 'sync.delta'],
    extensions: [{ name: 'unit-types', methods: ['GET'], description: 'The unit types that are sold.' }],
    rateLimit: { requests: 120, seconds: 60 },
    timeZone: 'Europe/Madrid',
  },
  ttlSeconds: 1_800,
})

export const unitAssignmentRequested = request<of.UnitAssignmentRequested>('pms.unit-assignment.requested', {
  reservationExternalId: 'R-4711',
  reservationLocalId: localId,
  stayExternalId: 'R-4711-1',
  stayLocalId,
  startDate: '2026-07-01',
  endDate: '2026-07-03',
  unitTypeCodes: ['DBL'],
  preferredUnitName: '201',
  notes: null,
})

export const unitAssignmentReplied = reply<of.UnitAssignmentReplied>('pms.unit-assignment.replied', {
  is: 'chosen',
  unitNames: ['201'],
})

export const extensionInvoked = request<of.ExtensionInvoked>('pms.extension.invoked', {
  name: 'unit-types',
  method: 'GET',
  query: '',
  body: null,
})

export const extensionReplied = reply<of.ExtensionReplied>('pms.extension.replied', {
  is: 'answered',
  payload: [{ code: 'DBL', name: 'Double', quantity: 16 }],
})

export const requestFailed = reply<of.RequestFailed>('pms.request.failed', {
  code: 'busy',
  reason: 'The night audit is running.',
  retryAfterSeconds: 120,
})
