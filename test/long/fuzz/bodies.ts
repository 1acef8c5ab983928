import type { Route } from '../../../src/jsonapi/route.ts'
import fc from '../../seed.ts'

/** A body that would do, for the resources that have rules of their own; the rest is found by chance. */
const goodBodies: Record<string, unknown> = {
  profiles: {
    firstName: 'Ines',
    lastName: 'Almeida',
    emails: [{ address: 'ines@example.org' }],
    phoneNumbers: [{ number: '+351211234567' }],
  },
  units: { name: '1', status: 'Clean', floor: '1' },
  'unit-types': { name: 'Double', code: 'DBL', maxOccupancy: 2 },
  amenities: { code: 'SEA', name: 'Sea view', category: 'View' },
  properties: { name: 'House', enabled: true, address: { line1: 'A 1', city: 'Lisboa', country: 'PT' } },
  services: {
    code: 'B',
    name: 'Breakfast',
    currencyCode: 'EUR',
    amountWithTax: 12.5,
    amountWithoutTax: 11,
    pricingType: 21,
    count: 1,
  },
  'rate-plans': {
    code: 'BAR',
    name: 'Best',
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    derivedAdjustment: { type: 'Percent', value: -10 },
  },
  'cancellation-policies': {
    code: 'C',
    name: 'Flex',
    tiers: [{ offset: 'P1D', fee: { percent: 50, of: 'Stay' } }],
  },
  stays: {
    startDate: '2026-06-01',
    endDate: '2026-06-03',
    startTime: '15:00',
    status: 'Confirmed',
    personCount: { adults: 1 },
    units: [{ unitTypeId: 'id' }],
    reservationIds: [{ type: 'Confirmation', value: 'X1' }],
    amount: { currency: 'EUR', amountWithTax: 10.5 },
    profiles: [{ firstName: 'A', lastName: 'B' }],
  },
  key: { type: 'keyCard', unitName: '101', original: true, startDate: '2026-06-01', endDate: '2026-06-02' },
  'access-providers': { name: 'Locks', driver: 'mifare-local', connection: { siteId: 1, keyId: 1 } },
  'access-controllers': {
    name: 'E',
    providerId: 'id',
    kind: 'encoder',
    keyType: 'keyCard',
    device: { driver: 'twn4', path: 'simulated:encoder' },
  },
  dispensers: { name: 'D', device: { driver: 'crt571', path: 'simulated:dispenser' } },
  tokens: { name: 'T', role: 'kiosk', scopes: ['units.read'] },
  settings: { timeZone: 'Europe/Lisbon', assignableStatuses: ['Clean'] },
  'pms-configurations': {
    name: 'PMS',
    adapter: 'standalone',
    connection: {},
    conflictPolicy: { dates: 'Pms' },
  },
  'record-payment': {
    currency: 'EUR',
    amount: 100,
    brand: 'Visa',
    customerReceipt: { format: 'Text', encoding: 'utf-8', content: 'SALE 1.00' },
    terminalTransactionId: '000471',
  },
  'unit-assignment': { preferredUnitId: 'id', notes: 'Quiet, please' },
  'unit-assignments': { stays: [{ stayId: 'id', preferredUnitId: 'id' }] },
  rotate: { overlapSeconds: 60 },
  pairing: { code: '12345678', name: 'Desk' },
}
goodBodies.reservations = { externalId: 'E', stays: [goodBodies.stays] }

/** Where the last word of a path does not tell. */
const goodBodiesByPath: Record<string, unknown> = {
  'availability/unit-types/:unitTypeId': [
    { startDate: '2026-06-01', endDate: '2026-06-03', quantity: 2 },
    { startDate: '2026-06-04', endDate: '2026-06-05', quantity: 1 },
  ],
  'availability/units/:unitId': [{ startDate: '2026-06-01', endDate: '2026-06-03', quantity: 0 }],
  'reservations/:reservationId/stays/:stayId/units': [{ unitTypeId: 'id', unitId: 'id' }],
  'reservations/:reservationId/stays/:stayId/services': [{ serviceId: 'id', count: 2, stayId: 'id' }],
  'pms/providers/:configurationId/extensions/:extensionName': { callbackUrl: 'https://pms.example/hook' },
  imports: [goodBodies.reservations],
}

/** Values that some part of the appliance may not have thought of. */
export const strange = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'é'.repeat(300),
  '%',
  "'; DROP TABLE unit; --",
  '2026-02-30',
  '2026-06-01',
  '9999-12-31',
  '25:00',
  '12:00',
  '2026-06-01T10:00:00Z',
  'PT1H',
  'P99999Y',
  'EUR',
  'XXX',
  -1,
  0,
  1.5,
  1e-7,
  1e308,
  Number.MAX_SAFE_INTEGER,
  true,
  [],
  {},
  [null],
  [[]],
  { id: null },
  JSON.parse('{"__proto__": 1, "constructor": 1}'),
  'simulated:',
  '/dev/null',
  'tcp://x:99999',
)
const anyValue = (anyId: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: strange },
    { weight: 3, arbitrary: anyId },
    { weight: 1, arbitrary: fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown) },
  )

/** A good body with up to four of its places, at any depth, made strange, removed, or added to. */
function mutated(body: unknown, anyId: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const step = fc.record({
    place: fc.nat(),
    how: fc.constantFrom('set', 'set', 'set', 'remove', 'add', 'double'),
    name: fc.constantFrom('id', 'type', 'status', '__proto__', 'x'),
    value: anyValue(anyId),
  })
  return fc.tuple(fc.array(step, { maxLength: 4 }), anyId).map(([steps, id]) => {
    const copy = JSON.parse(JSON.stringify({ body }).replaceAll('"id"', JSON.stringify(id))) as Record<
      string,
      unknown
    >
    for (const { place, how, name, value } of steps) {
      const places = placesIn(copy)
      const [holder, key] = places[place % places.length] ?? [copy, 'body']
      if (how === 'set') holder[key] = structuredClone(value)
      else if (how === 'remove') delete holder[key]
      else if (how === 'add') holder[name] = structuredClone(value)
      else holder[key] = [holder[key], structuredClone(holder[key])]
    }
    return copy.body
  })
}

function placesIn(value: unknown): [holder: Record<string, unknown>, key: string][] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [
    [holder, key] as [Record<string, unknown>, string],
    ...placesIn(holder[key]),
  ])
}

/** A body for a route: mostly one that would do, with a few places changed. */
export function bodyFor({ path }: Route, anyId: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const name = path.split('/').findLast((part) => part in goodBodies) ?? ''
  const good = goodBodiesByPath[path] ?? goodBodies[name] ?? {}
  const attributes = mutated(path.startsWith('batch/') ? [good, good] : good, anyId)
  return fc.oneof(
    { weight: 6, arbitrary: attributes },
    { weight: 2, arbitrary: attributes.map((each) => ({ data: { attributes: each } })) },
    { weight: 1, arbitrary: anyValue(anyId) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => new Garbage(text)) },
  )
}

/** Sent as it is, not as JSON. */
export class Garbage {
  text: string
  constructor(text: string) {
    this.text = text
  }
}
