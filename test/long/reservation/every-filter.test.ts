import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '../../../src/composition/api.ts'
import { reservationResources } from '../../../src/reservation/resources.ts'
import type { Field, Fields } from '../../../src/resource/field.ts'
import { type Operator, operators } from '../../../src/resource/query.ts'
import { common, type Resource } from '../../../src/resource/resource.ts'
import { openHouse, type ReservationHouse, refused, today, tomorrow } from '../../reservation/api/house.ts'

type Values = Record<string, unknown>

/** A field with the name it is filtered by, and what a document shows of it. */
interface Case {
  path: string
  field: Field
  shown: unknown
}

let house: ReservationHouse
/** The path of the one resource of each type that every filter is asked for. */
let seeded: Record<string, string>

before(async () => {
  house = await openHouse()
  seeded = await seed(house)
})
after(() => house.stop())

/** One of each, with a value in as many fields as a body can set, and one item in each list. */
async function seed({ make, ask }: ReservationHouse): Promise<Record<string, string>> {
  const amenityId = await make('amenities', { code: 'AA', name: 'Sauna', category: 'Bath', otaCode: 79 })
  const unitTypeId = await make('unit-types', {
    code: 'FF',
    name: 'Filtered',
    maxOccupancy: 3,
    maxAdults: 2,
    maxChildren: 1,
    amenities: [amenityId],
  })
  const unitId = await make('units', {
    name: 'F-1',
    floor: '7th',
    status: 'Clean',
    unitTypeId,
    amenities: [amenityId],
    priority: 5,
  })
  const profileId = await make('profiles', guest)
  const serviceId = await make('services', { ...parking, code: 'PP' })
  const cancellationPolicyId = await make('cancellation-policies', {
    code: 'CC',
    name: 'Moderate',
    description: 'One night',
    tiers: [{ offset: 'P1D', fee: { nights: 1 } }],
  })
  const ratePlan = { code: 'RP', name: 'Rack', startDate: today, endDate: '2026-12-31', currency: 'EUR' }
  const parentId = await make('rate-plans', ratePlan)
  const ratePlanId = await make('rate-plans', {
    ...ratePlan,
    parentId,
    description: 'Ten off',
    startTime: '00:00',
    endTime: '23:59',
    mealPlan: 'Breakfast',
    guaranteeType: 'Deposit',
    cancellationPolicyId,
    derivedAdjustment: { type: 'Percent', value: -10 },
  })
  const stay = {
    startDate: today,
    startTime: '16:30',
    endDate: tomorrow,
    endTime: '10:30',
    status: 'InHouse',
    personCount: { adults: 2, childrenAges: [4], infants: 1 },
    units: [{ unitTypeId, unitId }],
    reservationIds: [{ type: 'Confirmation', value: 'Ab 12', source: 'Web' }],
    externalId: 'stay-1',
    ratePlanId,
    services: [{ serviceId, count: 1 }],
    amount: {
      currency: 'EUR',
      amountWithTax: 110,
      amountWithoutTax: 100,
      taxes: [{ code: 'VAT', name: 'VAT', percent: 10, amount: 10 }],
      perNight: [{ date: today, amountWithTax: 110, amountWithoutTax: 100 }],
    },
    profiles: [{ id: profileId, role: 'Booker' }],
    comment: 'Quiet room',
    guestComment: 'Late',
  }
  const body = { ...booking, stays: [stay] }
  const made = await ask('POST', '/api/v2/reservations', { body })
  assert.equal(made.status, 201, made.text)
  const { id, attributes } = made.body.data
  const stayId = attributes.stays[0].id
  const paymentId = await make(`/api/v2/reservations/${id}/stays/${stayId}/actions/record-payment`, {
    currency: 'EUR',
    amount: 5_000,
    brand: 'Other',
    brandText: 'Meal card',
    customerReceipt: 'Thank you',
    merchantReceipt: 'Signed',
    terminalTransactionId: 'T-1',
  })
  const handOverId = await make(`/api/v2/stays/${stayId}/actions/hand-over`, {
    failure: 'dispenser-jam',
    step: 'card',
    language: 'pt',
  })
  const propertyId = await make('properties', {
    name: 'Annexe',
    description: 'Across the road',
    enabled: true,
    address: {
      line1: 'Rua 1',
      line2: 'Left',
      city: 'Porto',
      postalCode: '4000',
      region: 'Norte',
      regionCode: 'PT-13',
      country: 'PT',
      latitude: 41.15,
      longitude: -8.61,
    },
    code: 'ANX',
  })
  const paths = {
    amenity: amenityId,
    'unit-type': unitTypeId,
    unit: unitId,
    profile: profileId,
    service: serviceId,
    'cancellation-policy': cancellationPolicyId,
    'rate-plan': ratePlanId,
    reservation: id,
    stay: stayId,
    payment: paymentId,
    property: propertyId,
    'hand-over': handOverId,
  }
  return Object.fromEntries(
    Object.entries(paths).map(([type, each]) => [type, `${collectionOf(resources.get(type)!)}/${each}`]),
  )
}

const guest = {
  firstName: 'Zoë',
  middleName: 'Q',
  lastName: 'Müller',
  nationality: 'DE',
  companyName: 'Acme',
  title: 'Dr',
  languageCode: 'de',
  birthDate: '1980-02-29',
  gender: 'Female',
  addresses: [{ type: 'Home', line1: 'Weg 1', city: 'Köln', country: 'DE', postalCode: '50667' }],
  emails: [{ address: 'zoe@example.com', type: 'Private' }],
  phoneNumbers: [{ number: '+351912345678', extension: '12', type: 'Mobile', use: 'Home' }],
  number: 'P-1',
  externalId: 'pms-1',
}

const parking = {
  name: 'Parking',
  description: 'Below the house',
  currencyCode: 'EUR',
  amountWithTax: 12.5,
  amountWithoutTax: 10.5,
  pricingType: 19,
  count: 1,
}

const booking = {
  externalId: 'filtered',
  integrationId: '0197c0de-0000-7000-8000-000000000001',
  channel: 'Web',
  purpose: 'Leisure',
  comment: 'VIP',
  guestComment: 'Anniversary',
}

function collectionOf({ base, path }: Resource): string {
  return `${base}/${path}`
}

/** Everything of a resource that is declared to be filterable: its fields, and the members of what they are made of. */
function casesOf(fields: Fields, attributes: Values): Case[] {
  return Object.entries(fields).flatMap(([name, field]): Case[] => {
    if (field.options.filterable === false || field.options.hidden) return []
    const value = attributes[name]
    if (field.kind === 'scalar') return [{ path: name, field, shown: value }]
    if (field.only) {
      const [item] = value as unknown[]
      return [{ path: name, field: field.members![field.only]!, shown: item }]
    }
    if (!field.members) return [{ path: name, field, shown: (value as unknown[])[0] }]
    const inside = (field.kind === 'object' ? value : (value as unknown[])?.[0]) as Values
    return casesOf(field.members, inside ?? {}).map((each) => ({ ...each, path: `${name}.${each.path}` }))
  })
}

/** Those of what is related, one step away: through references, through lists of related things, and to children. */
async function casesThrough(resource: Resource, { relationships = {} }: Shown): Promise<Case[]> {
  const cases = Object.entries(relationships).map(async ([name, { data }]) => {
    const [first] = [data].flat()
    const target = first && resources.get(first.type)
    if (!target) return []
    const there = await house.attributes(`${collectionOf(target)}/${first.id}`)
    const own = Object.keys(resource.fields[name]?.members ?? {})
    return casesOf({ ...target.fields, ...common }, there)
      .filter(({ path }) => !own.includes(path))
      .map((each) => ({ ...each, path: `${name}.${each.path}` }))
  })
  return (await Promise.all(cases)).flat()
}

interface Shown {
  attributes: Values
  relationships?: Record<string, { data: Linkage | Linkage[] | null }>
}

interface Linkage {
  type: string
  id: string
}

/** Which filters find a row that shows this value; a value there is none of is compared with another's. */
function expectations({ field, shown }: Case): [operator: Operator, value: string, found: boolean][] {
  if (shown === null || shown === undefined) {
    const value = sampleOf(field)
    const compared = operators.filter((each) => !['isnull', 'notnull', 'ne', 'like'].includes(each))
    return [
      ...compared.map((each) => [each, value, false] as [Operator, string, boolean]),
      ['ne', value, true],
      ['like', 'a', false],
      ['isnull', 'true', true],
      ['notnull', 'true', false],
    ]
  }
  const value = String(shown)
  return [
    ['eq', value, true],
    ['ne', value, false],
    ['lt', value, false],
    ['lte', value, true],
    ['gt', value, false],
    ['gte', value, true],
    ['like', swappedCase(value.slice(0, 4)), true],
    ['like', field.options.like ? `${value} nobody` : `${value}?`, false],
    ['isnull', 'true', false],
    ['notnull', 'true', true],
  ]
}

const samples = ['true', '2026-06-01', '10:00', '1', 'EUR', 'PT', 'pt', 'P1D', 'some text']
const unknown = '0197c0de-0000-7000-8000-000000000000'

/** A value that the field can be compared with. */
function sampleOf({ read, schema, to }: Field): string {
  const words = (schema.enum ?? []) as string[]
  const found = [...(to ? [unknown] : []), ...words, ...samples, '2026-06-01T00:00:00Z', unknown].find(
    (each) => read(each) !== undefined,
  )
  assert.ok(found)
  return found
}

function swappedCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
}

/** The seeded row alone is looked at, so that an answer is it or nothing. */
async function finds(resource: Resource, id: string, filter: string): Promise<boolean> {
  const reply = await house.ask('GET', `${collectionOf(resource)}?filter[id]=${id}&${filter}`)
  assert.equal(reply.status, 200, `${filter}: ${reply.text}`)
  const found = reply.body.data.map((each: Values) => each.id)
  assert.ok(found.length === 0 || (found.length === 1 && found[0] === id), filter)
  return found.length === 1
}

const seedable = reservationResources.filter(({ type }) => type !== 'settings')

describe('every declared field of the reservation interface', () => {
  for (const resource of seedable) {
    it(`is found by each of the nine operators, of a ${resource.type} and of what it is related to`, async () => {
      const path = seeded[resource.type]
      assert.ok(path, 'nothing of it is seeded')
      const { data } = (await house.ask('GET', path)).body
      const cases = [
        ...casesOf({ ...resource.fields, ...common }, data.attributes),
        ...(await casesThrough(resource, data)),
      ]
      const wrong: string[] = []
      for (const each of cases) {
        for (const [operator, value, expected] of expectations(each)) {
          const filter = `filter[${each.path}][${operator}]=${encodeURIComponent(value)}`
          if ((await finds(resource, data.id, filter)) !== expected) wrong.push(filter)
        }
      }
      assert.deepEqual(wrong, [])
    })

    it(`is sorted by, of a ${resource.type}, or refused with the names that are`, async () => {
      const fields = Object.entries({ ...resource.fields, ...common }).filter(
        ([, each]) => !each.options.hidden,
      )
      for (const [name, field] of fields) {
        for (const sign of ['', '-']) {
          const reply = await house.ask('GET', `${collectionOf(resource)}?sort=${sign}${name},id`)
          if (isPlain(field)) assert.equal(reply.status, 200, `${name}: ${reply.text}`)
          else refused(reply, 400, 'invalid-sort-field')
        }
      }
    })

    it(`is refused as a filter, of a ${resource.type}, when it cannot be one: 400 names operators and fields`, async () => {
      const fields = Object.entries(resource.fields).filter(
        ([, field]) => !isPlain(field) && !isPlainList(field),
      )
      for (const name of ['colour', ...fields.map(([each]) => each)]) {
        const reply = await house.ask('GET', `${collectionOf(resource)}?filter[${name}]=1`)
        refused(reply, 400, 'invalid-filter-field', undefined, { supportedOperators: operators })
        assert.ok(reply.body.errors[0].meta.allowed.includes('id'))
        assert.deepEqual(reply.body.errors[0].source, { parameter: `filter[${name}]` })
      }
    })
  }
})

function isPlain({ kind, shown }: Field): boolean {
  return kind === 'scalar' && shown !== 'json' && shown !== 'sealed'
}

/** Ids, or texts: filtered as one of them. */
function isPlainList({ only, kind, members }: Field): boolean {
  return only !== undefined || (kind === 'list' && !members)
}
