import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { guestFound } from '../../guest-found.ts'
import { openHouse, type ReservationHouse, today, tomorrow } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'

const guest = { firstName: 'Ada', lastName: 'Weber' }

/** A confirmed stay with a guest and a unit, and a kiosk to act on it. */
async function arrival(house: ReservationHouse, attributes: Record<string, unknown> = {}) {
  const { unitTypeId, unitId } = await house.rooms(1)
  const made = await house.stay({
    units: [{ unitTypeId, unitId }],
    profiles: [{ role: 'PrimaryGuest', ...guest }],
    amount: { currency: 'EUR', amountWithTax: 100 },
    ...attributes,
  })
  const kiosk = await house.tokenOf('kiosk')
  await guestFound(house.ask, kiosk, made.path.split('/').at(-1)!)
  const whole = await house.attributes(made.path)
  return { ...made, unitTypeId, whole, profileId: whole.profiles[0].id, kiosk }
}

/** The same, and the guest has paid. */
async function paid(house: ReservationHouse) {
  const made = await arrival(house)
  const { outstanding, currency } = made.whole
  const body = { currency, amount: outstanding, brand: 'Visa', terminalTransactionId: made.profileId }
  const { status, text } = await house.ask('POST', `${made.path}/actions/record-payment`, { body })
  assert.equal(status, 201, text)
  return made
}

async function inHouse(house: ReservationHouse) {
  const made = await arrival(house, { amount: null })
  await house.ask('PATCH', made.path, { body: { status: 'InHouse' }, token: made.kiosk })
  return made
}

/** The same, with the numbers of another system on the guest's profile. */
async function known(house: ReservationHouse) {
  const made = await arrival(house)
  const body = { number: 'P-7', externalId: `pms-${made.profileId}` }
  assert.equal((await house.ask('PATCH', `/api/v2/profiles/${made.profileId}`, { body })).status, 204)
  return made
}

const beyond = (name: string, body: unknown, at: string, scope = 'reservations.write'): Scenario => ({
  name: `a kiosk cannot ${name}`,
  given: arrival,
  as: 'kiosk',
  request: ['PATCH', '{path}', body],
  status: 403,
  error: { code: 'scope-required', at, meta: { scope } },
})

const search = (query: string, lists: Record<string, unknown>[]): Scenario => ({
  name: `a kiosk finds by ${query}`,
  given: async (house) => ({ kiosk: await house.tokenOf('kiosk') }),
  as: 'kiosk',
  request: ['GET', `/api/v2/reservations?${query}`],
  status: 200,
  lists,
})

const refusedSearch = (what: string, query: string): Scenario => ({
  name: `a kiosk does not look through ${what}`,
  given: async (house) => ({ kiosk: await house.tokenOf('kiosk') }),
  as: 'kiosk',
  request: ['GET', `/api/v2/reservations?${query}`],
  status: 403,
  error: { code: 'kiosk-scope' },
})

const sampleGuest = [{ stays: [{ startDate: today, status: 'Confirmed' }] }]

scenarios('A kiosk finds the guest in front of it', [
  search('filter[reservationIds.value]=NP-1002', sampleGuest),
  search('filter[reservationIds.searchForm]=np 100200', []),
  search('filter[reservationIds.searchForm]=np 1002', sampleGuest),
  search('filter[reservationIds.searchForm]=%20np-1002', sampleGuest),
  search('filter[externalId]=SAMPLE-2', sampleGuest),
  search(`filter[profile.lastName]=Weber&filter[arrival]=${today}`, sampleGuest),
  search(`filter[profile.lastName][like]=weber&filter[arrival]=${today}`, sampleGuest),
  search(`filter[profile.lastName]=Weber&filter[arrival]=${tomorrow}`, []),
  search(`filter[profile.normalizedName][like]=garcia&filter[arrival]=${today}`, [
    { stays: [{ startDate: today }] },
  ]),
  search(`filter[stays.profiles.normalizedName][like]=garcia&filter[arrival]=${tomorrow}`, []),
  refusedSearch('all reservations', ''),
  refusedSearch('the arrivals of a day', `filter[arrival]=${today}`),
  refusedSearch('a last name on any day', 'filter[profile.lastName]=Weber'),
  search(`filter[profile.lastName][like]=web&filter[arrival]=${today}`, []),
  search(`filter[profile.normalizedName][like]=ga&filter[arrival]=${today}`, []),
  refusedSearch('a plain name on any day', 'filter[profile.normalizedName][like]=garcia'),
  refusedSearch('parts of numbers', 'filter[reservationIds.value][like]=NP'),
  refusedSearch('numbers that are not this one', 'filter[reservationIds.value][ne]=NP-1002'),
])

scenarios('What a kiosk may do to a stay', [
  {
    name: 'a kiosk checks a guest in who has paid',
    given: paid,
    as: 'kiosk',
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 204,
    afterwards: '{path}',
    holds: { status: 'InHouse', amount: { amountWithTax: 100 } },
  },
  {
    name: 'a kiosk does not check a guest in who has not paid',
    given: arrival,
    as: 'kiosk',
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 422,
    error: { code: 'balance-outstanding', at: '/status', meta: { outstanding: 10_000 } },
  },
  {
    name: 'a kiosk checks a guest out',
    given: inHouse,
    as: 'kiosk',
    request: ['PATCH', '{path}', { status: 'CheckedOut' }],
    status: 204,
    afterwards: '{path}',
    holds: { status: 'CheckedOut' },
  },
  {
    name: 'who may only check in does not check out',
    given: async (house) => ({
      ...(await inHouse(house)),
      desk: await house.tokenOf('auditor', ['stays.checkin']),
    }),
    as: 'desk',
    request: ['PATCH', '{path}', { status: 'CheckedOut' }],
    status: 403,
    error: { code: 'scope-required', at: '/status', meta: { scope: 'stays.checkout' } },
  },
  ...(
    [
      ['checks a guest out', inHouse, { status: 'CheckedOut' }, null],
      ['leaves a comment', inHouse, { guestComment: 'Thank you' }, null],
      ['does not check in', arrival, { status: 'InHouse' }, '/status'],
      [
        'adds no guest',
        inHouse,
        { profiles: [{ id: '{profileId}' }, { role: 'Booker', ...guest }] },
        '/profiles',
      ],
    ] as const
  ).map(
    ([does, given, body, refusedAt]): Scenario => ({
      name: `who may only check out ${does}`,
      given: async (house) => ({
        ...(await given(house)),
        desk: await house.tokenOf('auditor', ['stays.checkout']),
      }),
      as: 'desk',
      request: ['PATCH', '{path}', body],
      status: refusedAt ? 403 : 204,
      ...(refusedAt && {
        error: { code: 'scope-required', at: refusedAt, meta: { scope: 'stays.checkin' } },
      }),
    }),
  ),
  {
    name: 'a kiosk adds a guest who was not known yet',
    given: arrival,
    as: 'kiosk',
    request: [
      'PATCH',
      '{path}',
      { profiles: [{ id: '{profileId}' }, { role: 'AdditionalGuest', firstName: 'Bo', lastName: 'Weber' }] },
    ],
    status: 204,
    afterwards: '{path}',
    holds: { profiles: [{ id: '{profileId}' }, { role: 'AdditionalGuest' }] },
  },
  {
    name: 'a kiosk leaves the guest’s comment',
    given: arrival,
    as: 'kiosk',
    request: ['PATCH', '{path}', { guestComment: 'Quiet, please' }],
    status: 204,
    afterwards: '{path}',
    holds: { guestComment: 'Quiet, please' },
  },
  beyond('change the price', { amount: { currency: 'EUR', amountWithTax: 1 } }, '/amount'),
  beyond('change the dates', { endDate: '2026-06-09' }, '/endDate'),
  beyond('cancel', { status: 'Canceled' }, '/status'),
  {
    name: 'a kiosk gives a unit back that is not ready, to be assigned another',
    given: arrival,
    as: 'kiosk',
    request: ['PATCH', '{path}', { units: [{ unitTypeId: '{unitTypeId}' }] }],
    status: 204,
    afterwards: '{path}',
    holds: { status: 'Confirmed', units: [{ unitId: null }] },
  },
  {
    name: 'a kiosk does not take the unit of a guest in house',
    given: inHouse,
    as: 'kiosk',
    request: ['PATCH', '{path}', { units: [{ unitTypeId: '{unitTypeId}' }] }],
    status: 403,
    error: { code: 'scope-required', at: '/units', meta: { scope: 'reservations.write' } },
  },
  {
    name: 'a kiosk does not choose a unit',
    given: async (house) => ({ ...(await arrival(house)), other: (await house.rooms(1)).unitId }),
    as: 'kiosk',
    request: ['PATCH', '{path}', { units: [{ unitTypeId: '{unitTypeId}', unitId: '{other}' }] }],
    status: 403,
    error: { code: 'scope-required', at: '/units', meta: { scope: 'reservations.write' } },
  },
  beyond('change the persons', { personCount: { adults: 2 } }, '/personCount'),
  beyond('take a guest off the stay', { profiles: [] }, '/profiles'),
  beyond(
    'put a known profile on the stay',
    { profiles: [{ id: '{profileId}', role: 'Booker' }] },
    '/profiles',
  ),
  {
    name: 'a kiosk cannot revert a check-in',
    given: inHouse,
    as: 'kiosk',
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 403,
    error: { code: 'scope-required', at: '/status', meta: { scope: 'reservations.write' } },
  },
  ...(
    [
      ['POST', '/api/v2/reservations', { stays: [] }],
      ['PUT', '{reservation}', {}],
      ['DELETE', '{reservation}', undefined],
      ['DELETE', '{path}', undefined],
      ['PUT', '{path}/units', []],
      ['POST', '/api/v2/profiles', guest],
      ['DELETE', '/api/v2/profiles/{profileId}', undefined],
      ['GET', '/api/v2/profiles', undefined],
      ['GET', '/api/v2/stays', undefined],
    ] as const
  ).map(
    (request): Scenario => ({
      name: `a kiosk is refused ${request[0]} ${request[1]}`,
      given: arrival,
      as: 'kiosk',
      request: [...request],
      status: 403,
      error: { code: 'scope-required' },
    }),
  ),
])

scenarios('What a kiosk may do to a profile', [
  {
    name: 'a kiosk reads the profile of a guest who is expected',
    given: arrival,
    as: 'kiosk',
    request: ['GET', '/api/v2/profiles/{profileId}'],
    status: 200,
    holds: guest,
  },
  {
    name: 'a kiosk does not read the profile of a guest who has left',
    given: async (house) => {
      const made = await inHouse(house)
      await house.ask('PATCH', made.path, { body: { status: 'CheckedOut' } })
      return made
    },
    as: 'kiosk',
    request: ['GET', '/api/v2/profiles/{profileId}'],
    status: 403,
    error: { code: 'kiosk-scope', meta: { scope: 'profiles.read' } },
  },
  {
    name: 'a kiosk overwrites it, and the numbers by which the PMS knows it stay',
    given: known,
    as: 'kiosk',
    request: ['PUT', '/api/v2/profiles/{profileId}', { ...guest, nationality: 'PT' }],
    status: 204,
    afterwards: '/api/v2/profiles/{profileId}',
    holds: { nationality: 'PT', number: 'P-7', externalId: 'pms-{profileId}' },
  },
  {
    name: 'a kiosk sends them back as they were',
    given: known,
    as: 'kiosk',
    request: ['PUT', '/api/v2/profiles/{profileId}', { ...guest, number: 'P-7' }],
    status: 204,
  },
  ...['number', 'externalId'].flatMap((field) =>
    ['PUT', 'PATCH'].map(
      (method): Scenario => ({
        name: `a kiosk does not change ${field} with ${method}`,
        given: known,
        as: 'kiosk',
        request: [method, '/api/v2/profiles/{profileId}', { ...guest, [field]: 'another' }],
        status: 403,
        error: { code: 'kiosk-scope', at: `/${field}`, meta: { scope: 'profiles.write' } },
      }),
    ),
  ),
  {
    name: 'a kiosk does not write a profile that is on no stay',
    given: async (house) => ({
      id: await house.make('profiles', guest),
      kiosk: await house.tokenOf('kiosk'),
    }),
    as: 'kiosk',
    request: ['PUT', '/api/v2/profiles/{id}', guest],
    status: 403,
    error: { code: 'kiosk-scope', meta: { scope: 'profiles.write' } },
  },
])

describe('A kiosk’s day', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  it('find, correct the guest’s details, assign, pay, check in with the whole stay, check out', async () => {
    const token = await house.tokenOf('kiosk')
    const ask: typeof house.ask = (method, path, how) => house.ask(method, path, { ...how, token })
    const found = await ask(
      'GET',
      '/api/v2/reservations?filter[reservationIds.value]=NP-1005&filter[profile.lastName]=Rossi&include=stays.profiles',
    )
    assert.equal(found.status, 200, found.text)
    const [reservation] = found.body.data
    const profile = `/api/v2/profiles/${reservation.attributes.profiles[0].id}`
    const { attributes } = (await ask('GET', profile)).body.data
    const corrected = { ...attributes, nationality: 'PT', birthDate: '1990-02-28' }
    assert.equal((await ask('PUT', profile, { body: corrected })).status, 204)

    const path = `/api/v2/reservations/${reservation.id}/stays/${reservation.attributes.stays[0].id}`
    const assigned = await ask('POST', `${path}/unit-assignment`)
    assert.equal(assigned.status, 200, assigned.text)
    const read = await ask('GET', path)
    const stay = read.body.data
    assert.ok(stay.attributes.units[0].unitName)

    const { outstanding, currency } = stay.attributes
    const body = { currency, amount: outstanding, brand: 'Visa', terminalTransactionId: 'T-1005' }
    assert.equal((await ask('POST', `${path}/actions/record-payment`, { body })).status, 201)

    const paid = await ask('GET', path)
    stay.attributes = { ...paid.body.data.attributes, status: 'InHouse' }
    const headers = { 'If-Match': paid.headers.get('etag') ?? '' }
    const checkedIn = await ask('PUT', path, { body: { data: stay }, headers })
    assert.equal(checkedIn.status, 204, checkedIn.text)
    assert.equal((await house.attributes(path)).status, 'InHouse')

    const checkOut = await ask('PATCH', path, { body: { status: 'CheckedOut' } })
    assert.equal(checkOut.status, 204, checkOut.text)
  })
})

describe('A profile that a kiosk and the desk write at the same time', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  for (const method of ['PATCH', 'PUT'] as const)
    it(`keeps the numbers of the desk (${method} at the kiosk)`, async () => {
      const { profileId, kiosk: token } = await known(house)
      const path = `/api/v2/profiles/${profileId}`
      for (let turn = 0; turn < 10; turn++) {
        const [number, externalId] = [`${method}-${turn}`, `${method}-pms-${turn}`]
        const body = { ...guest, companyName: `Company ${turn}` }
        const replies = await Promise.all([
          house.ask('PATCH', path, { body: { number, externalId } }),
          house.ask(method, path, { body, token }),
        ])
        assert.deepEqual(
          replies.map(({ status }) => status),
          [204, 204],
        )
        assert.partialDeepStrictEqual(await house.attributes(path), { ...body, number, externalId })
      }
    })
})
