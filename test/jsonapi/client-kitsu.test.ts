import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Kitsu from 'kitsu'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { nextUuid } from '../uuid.ts'

let house: TestAppliance
/** As its documentation sets it up for a server whose types and collections are written with hyphens. */
let api: Kitsu
before(async () => {
  house = await startAppliance()
  api = new Kitsu({
    baseURL: `${house.appliance.url}/api/v2`,
    headers: { Authorization: 'Bearer demo' },
    camelCaseTypes: false,
    resourceCase: 'none',
  })
})
after(() => house.stop())

/** A thing as the client makes it of a document: attributes and relationships side by side. */
// biome-ignore lint/suspicious/noExplicitAny: the client itself promises no more.
type Model = Record<string, any>

async function first(collection: string, params: Model): Promise<Model> {
  const { data } = await api.get(collection, { params })
  assert.ok(data.length > 0)
  return data[0]
}

const typeOf = (code: string) => first('unit-types', { filter: { code } })

/** What the client makes of a refusal. */
async function refusal(request: Promise<unknown>): Promise<Model> {
  try {
    await request
  } catch (error) {
    const { errors, response } = error as { errors: Model[]; response: { status: number } }
    return { ...errors[0], status: response.status }
  }
  throw new assert.AssertionError({ message: 'was not refused' })
}

describe('kitsu reads', () => {
  it('one resource with its related ones', async () => {
    const { id } = await first('units', { filter: { name: '401' } })
    const { data } = await api.get(`units/${id}`, { params: { include: 'unitType.amenities' } })
    assert.equal(data.name, '401')
    assert.equal(data.unitType.data.code, 'STE')
    assert.equal(data.links.self, `/api/v2/units/${id}`)
  })

  it('the chosen fields of each type, and nothing else', async () => {
    const params = { fields: { unit: 'name,unitType', 'unit-type': 'code' }, include: 'unitType' }
    const unit = await first('units', { ...params, filter: { name: '101' } })
    assert.deepEqual(Object.keys(unit).sort(), ['id', 'links', 'name', 'type', 'unitType'])
    assert.equal(unit.unitType.data.code, 'SGL')
    assert.equal(unit.unitType.data.name, undefined)
  })

  it('the filtered rows, in order', async () => {
    const params = {
      filter: { 'unitType.code': 'DBL', name: { like: '1' }, status: { ne: 'Dirty' } },
      sort: '-floor,name',
      page: { size: 100 },
    }
    const { data } = await api.get('units', { params })
    const names = data.map(({ name }: Model) => name)
    assert.deepEqual(names, ['201', '211', '212', '213', '214', '216'])
  })

  it('every page, by the links to the next one and back', async () => {
    const turned: string[][] = []
    let page = await api.get('units', { params: { page: { size: 7 }, sort: '-status,name' } })
    const at = (link: string) => new URL(link, house.appliance.url).href
    const names = ({ data }: Model) => data.map(({ name }: Model) => name)
    for (;;) {
      turned.push(names(page))
      if (!page.links.next) break
      page = await api.request({ url: at(page.links.next) } as never)
    }
    assert.deepEqual(
      turned.map(({ length }) => length),
      [7, 7, 7, 7, 7, 5],
    )
    assert.equal(new Set(turned.flat()).size, 40)
    for (const expected of turned.slice(0, -1).reverse()) {
      page = await api.request({ url: at(page.links.prev) } as never)
      assert.deepEqual(names(page), expected)
    }
    assert.equal(page.links.prev, undefined)
  })

  it('the reservation of a number, by a filter in a filter', async () => {
    const reservation = await first('reservations', {
      filter: { reservationIds: { searchForm: 'NP-1001' }, profile: { lastName: { like: 'a' } } },
    })
    assert.equal(reservation.externalId, 'SAMPLE-1')
  })

  it('the guests of the arrivals of a day', async () => {
    const reservation = await first('reservations', {
      filter: { arrival: '2026-06-01', 'profile.lastName': { like: 'garc' } },
      include: 'stays.profiles,stays.units',
    })
    assert.equal(reservation.stays[0].profiles[0].role, 'PrimaryGuest')
    const { data } = await api.get(`reservations/${reservation.id}/stays`, {
      params: { include: 'profiles' },
    })
    assert.equal(data.length, 1)
    assert.equal(data[0].reservation.data.id, reservation.id)
  })
})

describe('kitsu writes', () => {
  it('a new resource, related to another', async () => {
    const family = await typeOf('FAM')
    const unitType = { data: { type: family.type, id: family.id } }
    const { data, status, headers } = await api.create('units', { name: 'K1', floor: '9', unitType })
    assert.equal(status, 201)
    assert.equal(headers.etag, '"1"')
    assert.equal(headers.location, `/api/v2/units/${data.id}`)
    assert.equal(data.unitType.data.id, family.id)
  })

  it('some fields of a resource, and leaves the rest', async () => {
    const { id } = await first('unit-types', { filter: { code: 'SGL' } })
    assert.equal((await api.update('unit-types', { id, name: 'Single room' })).status, 204)
    const { name, maxOccupancy } = await typeOf('SGL')
    assert.deepEqual([name, maxOccupancy], ['Single room', 1])
  })

  it('a resource as it was read, with its included resources', async () => {
    const unit = await first('units', { filter: { name: '402' }, include: 'unitType.amenities,amenities' })
    assert.equal((await api.update('units', { ...unit, floor: 'Roof' })).status, 204)
    const { floor, unitTypeId } = await first('units', { filter: { name: '402' } })
    assert.deepEqual([floor, unitTypeId], ['Roof', unit.unitTypeId])
  })

  it('a resource as it was read, with a changed relationship', async () => {
    const [unit, suite] = [await first('units', { filter: { name: '102' } }), await typeOf('STE')]
    unit.unitType.data = { type: suite.type, id: suite.id }
    assert.equal((await api.update('units', unit)).status, 204)
    assert.equal((await first('units', { filter: { name: '102' } })).unitTypeId, suite.id)
  })

  it('a resource as it was read, with a cleared relationship', async () => {
    const unit = await first('units', { filter: { name: '103' } })
    assert.equal((await api.update('units', { ...unit, unitType: { data: null } })).status, 204)
    assert.equal((await first('units', { filter: { name: '103' } })).unitTypeId, null)
  })

  it('a whole resource', async () => {
    const { id } = await first('services', {})
    const body = { id, code: 'B', name: 'Buffet', currencyCode: 'EUR', pricingType: 20, count: 1 }
    const amounts = { amountWithTax: 18.5, amountWithoutTax: 17 }
    const request = { url: `services/${id}`, method: 'PUT', type: 'services', body: { ...body, ...amounts } }
    assert.equal((await api.request(request as never)).status, 204)
    assert.equal((await first('services', {})).name, 'Buffet')
  })

  it('a reservation, a further stay of it, and its deletion', async () => {
    const { id: unitTypeId } = await typeOf('DBL')
    const stay = {
      startDate: '2026-09-01',
      endDate: '2026-09-03',
      status: 'Confirmed',
      personCount: { adults: 2 },
      units: [{ unitTypeId }],
      reservationIds: [{ type: 'Confirmation', value: 'KITSU-1' }],
      profiles: [{ firstName: 'Kit', lastName: 'Sune' }],
    }
    const { data: made } = await api.create('reservations', { externalId: 'KITSU', stays: [stay] })
    const stays = `reservations/${made.id}/stays`
    const { data: second } = await api.create(stays, { ...stay, profiles: [], reservationIds: [] })
    await api.update(stays, { id: second.id, comment: 'quiet, please' })
    const url = `${stays}/${second.id}/unit-assignment`
    const { data: assigned } = await api.request({ url, method: 'POST', type: 'stays', body: {} } as never)
    assert.ok(assigned.units[0].unitId)
    assert.equal((await api.remove(stays, second.id)).status, 204)
    assert.equal((await api.get(`reservations/${made.id}`)).data.stays.length, 1)
    assert.equal((await api.remove('reservations', made.id)).status, 204)
    assert.equal((await refusal(api.get(`reservations/${made.id}`))).status, 404)
  })

  it('only with the current revision', async () => {
    const { data, headers } = await api.get(`units/${(await first('units', { filter: { name: '104' } })).id}`)
    const patch = (etag: string) =>
      api.update('units', { ...data, floor: '1b' }, { headers: { 'If-Match': etag } })
    assert.equal((await patch(headers.etag)).status, 204)
    const { status, code } = await refusal(patch(headers.etag))
    assert.deepEqual([status, code], [412, 'revision-mismatch'])
  })
})

describe('kitsu shows its user the refusal', () => {
  const refusals: [name: string, request: () => Promise<unknown>, expected: Model][] = [
    [
      'a body that is not valid',
      () => api.create('units', { name: '' }),
      { status: 422, code: 'validation-failed', source: { pointer: '/data/attributes/name' } },
    ],
    [
      'the type of another collection',
      () => api.request({ url: 'units', method: 'POST', type: 'services', body: { name: 'X' } } as never),
      { status: 422, meta: { allowed: ['unit'] } },
    ],
    [
      'a filter that is none',
      () => api.get('units', { params: { filter: { colour: 'red' } } }),
      { status: 400, code: 'invalid-filter-field', source: { parameter: 'filter[colour]' } },
    ],
    [
      'a page that is too long',
      () => api.get('units', { params: { page: { size: 101 } } }),
      { status: 400, code: 'invalid-page-size' },
    ],
    [
      'what others refer to',
      async () => api.remove('unit-types', (await typeOf('DBL')).id),
      { status: 409, code: 'resource-referenced' },
    ],
    ['what is nowhere', () => api.get(`units/${nextUuid()}`), { status: 404, code: 'not-found' }],
  ]
  for (const [name, request, expected] of refusals) {
    it(name, async () => assert.partialDeepStrictEqual(await refusal(request()), expected))
  }
})
