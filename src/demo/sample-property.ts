import type { PaymentInput, recordReservationPayment } from '../reservation/payments/payment-commands.ts'
import type { ReservationCommands } from '../reservation/reservations/reservation-commands.ts'
import { service } from '../reservation/resources/service.ts'
import { type StayInput, stay } from '../reservation/resources/stay.ts'
import { toMinor } from '../reservation/values/money.ts'
import type { Transaction } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import type { PlainCommands } from '../resource/plain-commands.ts'

/** The counter that marks a store with the sample property. Only the first start increments it. */
export const sampleMark = 'sample-property'

/** The input of the sample property: the driver and the credentials of its locks, and the first arrival date. */
export interface SampleInput {
  lockDriver: string
  /** Sealed by the vault. */
  credentials: string
  /** The property's date, YYYY-MM-DD. */
  today: string
}

const types = [
  { code: 'SGL', name: 'Single', maxOccupancy: 1, floor: 1, units: 10, price: 79 },
  { code: 'DBL', name: 'Double', maxOccupancy: 2, floor: 2, units: 16, price: 109 },
  { code: 'FAM', name: 'Family room', maxOccupancy: 4, floor: 3, units: 10, price: 159 },
  { code: 'STE', name: 'Suite', maxOccupancy: 4, floor: 4, units: 4, price: 289 },
] as const

const guests = [
  ['Ines', 'Almeida'],
  ['Jonas', 'Weber'],
  ['Maja', 'Kowalska'],
  ['Oliver', 'Smith'],
  ['Chiara', 'Rossi'],
  ['Léa', 'Martin'],
  ['Sofía', 'García'],
  ['Noah', 'de Vries'],
  ['Emma', 'Lindström'],
  ['Yuki', 'Tanaka'],
  ['Amira', 'Haddad'],
  ['Tomás', 'Novák'],
] as const

/** Nobody can sign in as them but on the own machine of the sample property. */
const staff = [
  // She also plays the guests in the lobby.
  { name: 'Ana', role: 'frontdesk', scopes: ['simulate.run'] },
  { name: 'Ben', role: 'housekeeping' },
  { name: 'Ida', role: 'admin' },
]

interface Commands {
  plain: Pick<PlainCommands, 'create'>
  reservations: Pick<ReservationCommands, 'createReservation'>
  recordPayment: typeof recordReservationPayment
}

type Arrival = Parameters<ReservationCommands['createReservation']['run']>[1]
type Create = (type: string, attributes: Record<string, unknown>) => string

/** The guests from this one on have paid: the kiosk hands them a card at once. */
const firstPaid = 9

/** Returns a function that creates a small hotel with arrivals for today, a card dispenser and an encoder. */
export function fillWithSample({ plain, reservations, recordPayment }: Commands) {
  return (tx: Transaction, { lockDriver, credentials, today }: SampleInput): void => {
    const create: Create = (type, attributes) => plain.create.run(tx, { type, attributes }).id
    create('property', {
      name: 'Hotel Sample',
      code: 'SAMPLE',
      enabled: true,
      address: { line1: 'Rua do Porto 1', city: 'Lisboa', postalCode: '1100-001', country: 'PT' },
    })
    const { typeIds, unitNames } = addUnits(create)
    create('service', service.example!)
    const ratePlanId = addRatePlans(create, today)
    addDevices(create, { lockDriver, credentials, unitNames })
    for (const person of staff) create('account', person)
    for (const [index, arrival] of arrivals(typeIds, ratePlanId, today).entries()) {
      const { id } = reservations.createReservation.run(tx, arrival)
      if (index >= firstPaid) recordPayment.run(tx, { reservationId: id, payment: whole(arrival) })
    }
    tx.next(sampleMark)
  }
}

const flexible = {
  code: 'FLEX',
  name: 'Flexible',
  description: 'Free of charge until the day before arrival; then the first night.',
  tiers: [{ offset: 'P1D', fee: { percent: 100, of: 'FirstNight' } }],
}

const saver = {
  code: 'NONREF',
  name: 'Not refundable',
  description: 'The whole stay is charged when it is booked.',
  nonRefundable: true,
}

/**
 * Adds two rate plans for two years from today: the best available rate, and a plan derived from it. Returns the id of
 * the best available rate.
 */
function addRatePlans(create: Create, today: string): string {
  const sold = { startDate: today, endDate: dayAfter(today, 730), mealPlan: 'RoomOnly', currency: 'EUR' }
  const parentId = create('rate-plan', {
    ...sold,
    code: 'BAR',
    name: 'Best available rate',
    guaranteeType: 'CcRequired',
    cancellationPolicyId: create('cancellation-policy', flexible),
  })
  create('rate-plan', {
    ...sold,
    code: 'SAVER',
    name: 'Saver',
    guaranteeType: 'Prepay',
    parentId,
    derivedAdjustment: { type: 'Percent', value: -10 },
    cancellationPolicyId: create('cancellation-policy', saver),
  })
  return parentId
}

function addUnits(create: Create) {
  const amenity = create('amenity', { code: 'BALCONY', name: 'Balcony', category: 'Outdoor' })
  const typeIds: Record<string, string> = {}
  const unitNames: string[] = []
  for (const { code, name, maxOccupancy, floor, units } of types) {
    const amenities = code === 'STE' ? [amenity] : []
    const unitTypeId = create('unit-type', { code, name, maxOccupancy, amenities })
    typeIds[code] = unitTypeId
    for (let number = 1; number <= units; number++) {
      const unit = `${floor}${String(number).padStart(2, '0')}`
      unitNames.push(unit)
      const status = number % 5 === 0 ? 'Dirty' : number % 2 === 0 ? 'Clean' : 'Inspected'
      create('unit', { name: unit, floor: String(floor), unitTypeId, status })
    }
  }
  return { typeIds, unitNames }
}

function addDevices(
  create: Create,
  locks: { lockDriver: string; credentials: string; unitNames: string[] },
): void {
  const providerId = create('access-provider', {
    name: 'Door locks',
    driver: locks.lockDriver,
    connection: { siteId: 1, keyId: 1, commonDoors: { Entrance: 0, Pool: 1, Garage: 2 } },
    credentials: locks.credentials,
    unitMapping: locks.unitNames.map((unitName) => ({ unitName, externalCode: unitName })),
    defaultAuthorizations: ['Entrance'],
  })
  const dispenserId = create('dispenser', {
    name: 'Lobby dispenser',
    device: { driver: 'crt571', path: 'simulated:dispenser' },
    acceptReturns: true,
    estimatedCards: 120,
  })
  const controllerId = create('access-controller', {
    name: 'Lobby kiosk',
    location: 'Lobby',
    providerId,
    kind: 'dispenser-encoder',
    keyType: 'keyCard',
    device: { driver: 'twn4', path: 'simulated:encoder' },
    dispenserId,
  })
  create('payment-terminal', {
    name: 'Lobby terminal',
    driver: 'json-line',
    path: 'simulated:terminal',
    controllerId,
  })
}

function dayAfter(today: string, days: number): string {
  return new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

function arrivals(typeIds: Record<string, string>, ratePlanId: string, today: string): Arrival[] {
  return guests.map(([firstName, lastName], index) => {
    const { code, price } = types[index % 3 === 0 ? 1 : index % types.length]!
    const nights = 1 + (index % 4)
    const stay: StayInput = {
      startDate: today,
      endDate: dayAfter(today, nights),
      status: 'Confirmed',
      personCount: { adults: 1 },
      units: [{ unitTypeId: typeIds[code]! }],
      reservationIds: [{ type: 'Confirmation', value: `NP-${1001 + index}` }],
      externalId: `SAMPLE-STAY-${index + 1}`,
      ratePlanId,
      amount: { currency: 'EUR', amountWithTax: price * nights },
      profiles: [{ role: 'PrimaryGuest', profile: { firstName, lastName, languageCode: 'en' } }],
    }
    const attributes = { externalId: `SAMPLE-${index + 1}`, channel: 'Direct' }
    return { source: 'Import', attributes, stays: [stay] }
  })
}

function whole({ stays = [] }: Arrival): PaymentInput {
  const { currency = 'EUR', amountWithTax = 0 } = stays[0]?.amount ?? {}
  return { currency, amount: toMinor(amountWithTax, currency, '/amount'), brand: 'Visa' }
}

/**
 * Returns the confirmation number of a guest for the example commands: one who can be checked in today, or else one who
 * is in house. Guests who leave today are excluded. Returns null when there is no such guest.
 */
export function sampleGuest(reader: Reader, today: string): string | null {
  const guestsWith = (status: string) =>
    reader.rows(stay, {
      filters: [
        { path: 'status', operator: 'eq', value: status },
        { path: 'startDate', operator: 'lte', value: today },
        { path: 'endDate', operator: 'gt', value: today },
      ],
      sort: [],
      page: { size: 1 },
    })
  const [guest] = [...guestsWith('Confirmed'), ...guestsWith('InHouse')]
  return guest?.reservationIds[0]?.value ?? null
}
