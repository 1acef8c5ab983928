import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Jsona from 'jsona'
import { openHouse, type ReservationHouse } from '../reservation/api/house.ts'
import { nextUuid } from '../uuid.ts'

// biome-ignore lint/suspicious/noExplicitAny: the client itself promises no more.
type Model = Record<string, any>

/** As it comes; the requests around it are plain ones. */
const jsona: {
  deserialize(document: object): Model | Model[]
  serialize(models: { stuff: Model }): object
} = new Jsona()

let house: ReservationHouse
before(async () => {
  house = await openHouse()
})
after(() => house.stop())

async function models(path: string): Promise<Model[]> {
  const { status, body, text } = await house.ask('GET', `/api/v2/${path}`)
  assert.equal(status, 200, text)
  return [jsona.deserialize(body)].flat()
}

async function one(path: string): Promise<Model> {
  const [model] = await models(path)
  assert.ok(model, path)
  return model
}

const send = (method: string, path: string, stuff: Model) =>
  house.ask(method, `/api/v2/${path}`, { body: jsona.serialize({ stuff }) })

async function sent(method: string, path: string, stuff: Model): Promise<void> {
  const { status, text } = await send(method, path, stuff)
  assert.equal(status, 204, text)
}

/** What tells a thing from what it was before it was written. */
function lasting({ attributes, relationships }: Record<string, Record<string, unknown>>) {
  const { revision, updatedAt, ...rest } = attributes ?? {}
  return { ...rest, relationships }
}

/** A stay on which everything that can be related to it is. */
async function fullStay() {
  const { unitTypeId, unitIds } = await house.rooms(2)
  const profileId = await house.make('profiles', { firstName: 'Jo', lastName: 'Na' })
  const plan = {
    code: `J${unitTypeId}`.slice(0, 20),
    name: 'Plan',
    startDate: '2026-01-01',
    endDate: '2026-12-31',
  }
  const ratePlanId = await house.make('rate-plans', plan)
  const serviceId = await house.make('services', {
    code: `J${unitTypeId}`.slice(0, 20),
    name: 'Bottle',
    currencyCode: 'EUR',
    amountWithTax: 8,
    amountWithoutTax: 7,
    pricingType: 24,
    count: 1,
  })
  const units = [
    { unitTypeId, unitId: unitIds[0] },
    { unitTypeId, unitId: null },
  ]
  const profiles = [{ id: profileId, role: 'Booker' }]
  const made = await house.stay({ units, profiles, ratePlanId, services: [{ serviceId, count: 2 }] })
  return { ...made, at: made.path.replace('/api/v2/', ''), unitTypeId, unitIds, profileId, serviceId }
}

describe('jsona sends back what it has read, and nothing changes', () => {
  const collections = [
    'amenities',
    'profiles',
    'properties',
    'reservations',
    'services',
    'unit-types',
    'units',
    'units?filter[name]=401',
    'reservations?include=stays.profiles,stays.units.unitType',
  ]
  for (const path of collections) {
    for (const method of ['PATCH', 'PUT']) {
      it(`${method} ${path}`, async () => {
        const { id } = await one(path)
        const [collection, query = ''] = path.split('?')
        const at = `${collection}/${id}`
        const read = () => house.ask('GET', `/api/v2/${at}`)
        const before = await read()
        await sent(method, at, await one(`${at}?${query.startsWith('filter') ? '' : query}`))
        assert.deepEqual(lasting((await read()).body.data), lasting(before.body.data))
      })
    }
  }

  for (const method of ['PATCH', 'PUT']) {
    it(`${method} a stay with all its relationships`, async () => {
      const { at, path } = await fullStay()
      const before = await house.ask('GET', path)
      await sent(method, at, await one(`${at}?include=units,profiles,services,ratePlan`))
      const after = await house.ask('GET', path)
      assert.deepEqual(lasting(after.body.data), lasting(before.body.data))
    })
  }
})

describe('jsona changes a relationship', () => {
  it('its type', async () => {
    const unit = await one('units?filter[name]=301&include=unitType')
    unit.unitType = await one('unit-types/STE')
    await sent('PATCH', `units/${unit.id}`, unit)
    assert.equal((await house.attributes(`/api/v2/units/${unit.id}`)).unitTypeId, unit.unitType.id)
  })

  it('its amenities, with one more and with none', async () => {
    const more = { code: 'SAFE', name: 'Safe', category: 'Comfort', scope: 'Both' }
    const id = await house.make('amenities', more)
    const type = await one('unit-types/STE')
    assert.equal(type.amenities.length, 1)
    type.amenities.push({ type: 'amenity', id })
    await sent('PUT', 'unit-types/STE', type)
    assert.equal((await house.attributes('/api/v2/unit-types/STE')).amenities[1], id)
    await sent('PATCH', 'unit-types/STE', { ...type, amenities: [] })
    assert.deepEqual((await house.attributes('/api/v2/unit-types/STE')).amenities, [])
  })

  it('the rate plan, the guests and the services of a stay', async () => {
    const { at, path, profileId, serviceId } = await fullStay()
    const other = await house.make('profiles', { firstName: 'Al', lastName: 'So' })
    const stay = await one(at)
    stay.ratePlan = null
    stay.profiles.push({ type: 'profile', id: other })
    stay.services = []
    await sent('PATCH', at, stay)
    const { ratePlanId, profiles, services } = await house.attributes(path)
    assert.equal(ratePlanId, null)
    assert.partialDeepStrictEqual(profiles, [
      { id: profileId, role: 'Booker' },
      { id: other, role: 'PrimaryGuest' },
    ])
    assert.deepEqual(services, [])
    stay.services = [{ type: 'service', id: serviceId }]
    await sent('PATCH', at, stay)
    assert.partialDeepStrictEqual((await house.attributes(path)).services, [{ serviceId, count: 1 }])
  })

  it('a unit of a stay, which contains its type as well', async () => {
    const { at, unitIds, unitTypeId } = await fullStay()
    const stay = await one(at)
    stay.units = [{ type: 'unit', id: unitIds[1] }]
    const { status, body } = await send('PATCH', at, stay)
    assert.equal(status, 422)
    assert.equal(body.errors[0].source.pointer, '/data/attributes/units/0/unitTypeId')
    const relationshipNames = stay.relationshipNames.filter((name: string) => name !== 'units')
    await sent('PATCH', at, { ...stay, relationshipNames, units: [{ unitTypeId, unitId: unitIds[1] }] })
    assert.equal((await one(at)).units[0].id, unitIds[1])
  })
})

describe('jsona creates and deletes', () => {
  it('a resource with relationships, typed as its collection', async () => {
    const unitType = await one('unit-types/FAM')
    const names = { relationshipNames: ['unitType', 'amenities'] }
    const unit = { type: 'units', name: 'J1', floor: null, unitType, amenities: [], ...names }
    const made = await send('POST', 'units', unit)
    assert.equal(made.status, 201, made.text)
    const { id } = jsona.deserialize(made.body) as Model
    assert.equal((await one(`units/${id}?include=unitType`)).unitType.code, 'FAM')
    assert.equal((await house.ask('DELETE', `/api/v2/units/${id}`)).status, 204)
  })

  it('a reservation from models, its guest in included', async () => {
    const unitType = await one('unit-types/DBL')
    const stay = {
      startDate: '2026-10-01',
      endDate: '2026-10-04',
      status: 'Tentative',
      personCount: { adults: 1 },
      units: [{ unitTypeId: unitType.id }],
      reservationIds: [],
      profiles: [{ firstName: 'Ona', lastName: 'Js' }],
    }
    const made = await send('POST', 'reservations', {
      type: 'reservation',
      externalId: 'JSONA',
      stays: [stay],
    })
    assert.equal(made.status, 201, made.text)
    const found = await one('reservations?filter[externalId]=JSONA&include=stays.profiles')
    assert.equal(found.stays[0].nights, 3)
    assert.equal(found.stays[0].profiles[0].lastName, 'Js')
  })
})

describe('a complete document of JSON:API 1.1 is accepted', () => {
  const attributes = { name: 'L1' }
  const bodies: [name: string, body: unknown, headers?: Record<string, string>][] = [
    ['a lid', { data: { type: 'unit', lid: 'unit-1', attributes } }],
    ['an id that is to be', { data: { type: 'unit', id: nextUuid(), attributes } }],
    [
      'meta, links and the version',
      { jsonapi: { version: '1.1' }, meta: { by: 'me' }, links: {}, data: { attributes } },
    ],
    [
      'what is related whole',
      { data: { type: 'unit', attributes }, included: [{ type: 'unit-type', id: '1' }] },
    ],
    [
      'relationships of links alone',
      { data: { attributes, relationships: { unitType: { links: { related: '/x' } } } } },
    ],
    [
      'a profile of the media type',
      { data: { attributes } },
      { 'Content-Type': 'application/vnd.api+json; profile="https://example.org/cursor" ' },
    ],
  ]
  for (const [name, body, headers = {}] of bodies) {
    it(name, async () => {
      const made = await house.ask('POST', '/api/v2/units', { body, headers })
      assert.equal(made.status, 201, made.text)
      await house.ask('DELETE', made.headers.get('location') ?? '')
    })
  }

  it('unless it uses an extension', async () => {
    const extended = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
    const headers = { 'Content-Type': extended }
    const sent = await house.ask('POST', '/api/v2/units', { body: { data: { attributes } }, headers })
    assert.deepEqual([sent.status, sent.body.errors[0].code], [415, 'unsupported-media-type'])
    const asked = await house.ask('GET', '/api/v2/units', { headers: { Accept: extended } })
    assert.deepEqual([asked.status, asked.body.errors[0].code], [406, 'not-acceptable'])
    const either = await house.ask('GET', '/api/v2/units', {
      headers: { Accept: `${extended}, application/vnd.api+json` },
    })
    assert.equal(either.status, 200)
  })
})
