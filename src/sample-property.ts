import { reservations } from './api.ts'
import { lockDrivers } from './drivers.ts'
import { localDate } from './host/zone.ts'
import { stay } from './reservation/resources/stay.ts'
import type { Document, Door } from './resource/change.ts'
import type { Reader } from './resource/keeper.ts'
import type { PlainChanges } from './resource/plain-changes.ts'

/** The sample property is known by its code. */
export const sampleCode = 'SAMPLE'

const actor = { by: 'sample-property', requestId: null }

export interface SampleOptions {
  door: Door
  plain: PlainChanges
  seal(text: string, context: string): string
  now(): number
  timeZone: string
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

/** A small hotel with arrivals for today, a card dispenser and an encoder: enough to check a guest in. */
export async function loadSample({ door, plain, seal, now, timeZone }: SampleOptions): Promise<void> {
  const create = (type: string, attributes: Record<string, unknown>): Promise<Document> =>
    door.write(plain.create, { type, attributes }, { actor })

  await create('property', {
    name: 'Hotel Sample',
    code: sampleCode,
    enabled: true,
    address: { line1: 'Rua do Porto 1', city: 'Lisboa', postalCode: '1100-001', country: 'PT' },
  })
  const amenity = await create('amenity', { code: 'BALCONY', name: 'Balcony', category: 'Outdoor' })
  const typeIds: Record<string, string> = {}
  const unitNames: string[] = []
  for (const { code, name, maxOccupancy, floor, units } of types) {
    const amenities = code === 'STE' ? [amenity.id] : []
    const { id: unitTypeId } = await create('unit-type', { code, name, maxOccupancy, amenities })
    typeIds[code] = unitTypeId
    for (let number = 1; number <= units; number++) {
      const unit = `${floor}${String(number).padStart(2, '0')}`
      unitNames.push(unit)
      const status = number % 5 === 0 ? 'Dirty' : number % 2 === 0 ? 'Clean' : 'Inspected'
      await create('unit', { name: unit, floor: String(floor), unitTypeId, status })
    }
  }
  await create('service', {
    code: 'BREAKFAST',
    name: 'Breakfast',
    currencyCode: 'EUR',
    amountWithTax: 14.5,
    amountWithoutTax: 12.83,
    pricingType: 21,
    count: 1,
  })
  await addDevices(create, seal, unitNames)
  await addArrivals(door, typeIds, localDate(now(), timeZone))
}

async function addDevices(
  create: (type: string, attributes: Record<string, unknown>) => Promise<Document>,
  seal: SampleOptions['seal'],
  unitNames: string[],
): Promise<void> {
  const [locks] = lockDrivers
  const provider = await create('access-provider', {
    name: 'Door locks',
    driver: locks!.name,
    connection: { siteId: 1, keyId: 1, commonDoors: { Entrance: 0, Pool: 1, Garage: 2 } },
    credentials: seal(JSON.stringify(locks!.generate()), 'access-provider'),
    unitMapping: unitNames.map((unitName) => ({ unitName, externalCode: unitName })),
    defaultAuthorizations: ['Entrance'],
  })
  const dispenser = await create('dispenser', {
    name: 'Lobby dispenser',
    device: { driver: 'crt571', path: 'simulated:dispenser' },
    estimatedCards: 120,
  })
  await create('access-controller', {
    name: 'Lobby kiosk',
    location: 'Lobby',
    providerId: provider.id,
    kind: 'dispenser-encoder',
    keyType: 'keyCard',
    device: { driver: 'twn4', path: 'simulated:encoder' },
    dispenserId: dispenser.id,
  })
}

async function addArrivals(door: Door, typeIds: Record<string, string>, today: string): Promise<void> {
  const leave = (nights: number) =>
    new Date(Date.parse(`${today}T00:00:00Z`) + nights * 86_400_000).toISOString().slice(0, 10)
  for (const [index, [firstName, lastName]] of guests.entries()) {
    const { code, price } = types[index % 3 === 0 ? 1 : index % types.length]!
    const nights = 1 + (index % 4)
    const input = {
      source: 'Import',
      attributes: { externalId: `SAMPLE-${index + 1}`, channel: 'Direct' },
      stays: [
        {
          startDate: today,
          endDate: leave(nights),
          status: 'Confirmed',
          personCount: { adults: 1 },
          units: [{ unitTypeId: typeIds[code]! }],
          reservationIds: [{ type: 'Confirmation', value: `NP-${1001 + index}` }],
          externalId: `SAMPLE-STAY-${index + 1}`,
          amount: { currency: 'EUR', amountWithTax: price * nights },
          profiles: [{ role: 'PrimaryGuest', profile: { firstName, lastName, languageCode: 'en' } }],
        },
      ],
    }
    await door.write(reservations.createReservation, input, { actor })
  }
}

/** The confirmation number of a guest who can be checked in today, or again; null when all have left. */
export function sampleGuest(reader: Reader, today: string): string | null {
  const there = (status: string) =>
    reader.rows(stay, {
      filters: [
        { path: 'status', operator: 'eq', value: status },
        { path: 'startDate', operator: 'lte', value: today },
        { path: 'endDate', operator: 'gt', value: today },
      ],
      sort: [],
      page: { size: 1 },
    })
  const [guest] = [...there('Confirmed'), ...there('InHouse')]
  return guest?.reservationIds[0]?.value ?? null
}
