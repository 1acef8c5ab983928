import { type ReservationHouse, today } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { group, later, newStay } from './stay-samples.ts'

const types = (house: ReservationHouse) => house.rooms(3)

const stays: Scenario[] = [
  {
    name: 'GET /reservations/{id}/stays lists those of the reservation',
    given: group,
    request: ['GET', '{path}/stays'],
    status: 200,
    lists: [{ startDate: today }, { startDate: later.startDate }],
  },
  {
    name: 'GET /reservations/{id}/stays/{stayId}',
    given: group,
    request: ['GET', '{path}/stays/{first}'],
    status: 200,
    holds: {
      status: 'Confirmed',
      nights: 1,
      units: [{ unitId: null, unitName: null, locked: false }],
      keys: { live: 0, virtual: 0, link: '/api/v2/access/keys?filter%5BstayId%5D={first}' },
    },
    lacks: ['checkedInAt', 'cancellationPolicy'],
  },
  {
    name: 'a stay is found where its link says',
    given: group,
    request: ['GET', '/api/v2/stays/{first}'],
    status: 200,
    holds: { startDate: today },
  },
  {
    name: 'a stay brings its units and its profiles along',
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(1)
      const profileId = await house.make('profiles', { firstName: 'A', lastName: 'B' })
      return {
        ...(await house.stay({ units: [{ unitTypeId, unitId }], profiles: [{ id: profileId }] })),
        unitId,
        profileId,
      }
    },
    request: ['GET', '{path}?include=units,profiles'],
    status: 200,
    includes: [
      { type: 'unit', id: '{unitId}' },
      { type: 'profile', id: '{profileId}' },
    ],
  },
  {
    name: 'GET of a stay under another reservation: 404',
    given: async (house) => ({ ...(await group(house)), other: (await house.stay()).reservation }),
    request: ['GET', '{other}/stays/{first}'],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'POST /reservations/{id}/stays: 201, and where it is',
    given: group,
    request: ['POST', '{path}/stays', newStay({ startDate: '2026-08-01', endDate: '2026-08-09' })],
    status: 201,
    holds: { nights: 8 },
    header: ['location', /^\/api\/v2\/reservations\/[0-9a-f-]{36}\/stays\/[0-9a-f-]{36}$/],
  },
  {
    name: 'PUT of a stay overwrites: what the body does not say is gone',
    given: async (house) => {
      const made = await group(house)
      await house.ask('PATCH', `${made.path}/stays/${made.first}`, {
        body: { comment: 'x', startTime: '14:00' },
      })
      return made
    },
    request: ['PUT', '{path}/stays/{first}', newStay()],
    status: 204,
    afterwards: '{path}/stays/{first}',
    lacks: ['comment', 'startTime', 'externalId'],
  },
  {
    name: 'PATCH of a stay sets some fields, and says that it is deprecated',
    given: group,
    request: ['PATCH', '{path}/stays/{first}', { startTime: '14:00', personCount: { adults: 2 } }],
    status: 204,
    header: [
      'link',
      /^<\/api\/v2\/reservations\/[0-9a-f-]{36}\/stays\/[0-9a-f-]{36}>; rel="successor-version"$/,
    ],
    afterwards: '{path}/stays/{first}',
    holds: { startTime: '14:00', personCount: { adults: 2 }, externalId: 'one' },
  },
  {
    name: 'PUT …/units sets the units alone, and says that it is deprecated',
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(1)
      return { ...(await house.stay({ units: [{ unitTypeId }], comment: 'kept' })), unitTypeId, unitId }
    },
    request: ['PUT', '{path}/units', [{ unitTypeId: '{unitTypeId}', unitId: '{unitId}' }]],
    status: 204,
    header: ['deprecation', /^@\d+$/],
    afterwards: '{path}',
    holds: { comment: 'kept', units: [{ unitId: '{unitId}' }] },
  },
  {
    name: 'PUT …/services sets the services alone',
    given: async (house) => ({
      ...(await group(house)),
      service: (await house.ask('GET', '/api/v2/services')).body.data[0].id,
    }),
    request: [
      'PUT',
      '{path}/stays/{first}/services',
      { data: [{ attributes: { serviceId: '{service}', stayId: '{first}' } }] },
    ],
    status: 204,
    afterwards: '{path}/stays/{first}',
    holds: { externalId: 'one', services: [{ serviceId: '{service}', count: 1 }] },
  },
  {
    name: 'a service may be booked as it was read',
    given: async (house) => {
      const [service] = (await house.ask('GET', '/api/v2/services')).body.data
      return { ...(await types(house)), id: service.id, whole: { ...service.attributes, id: service.id } }
    },
    request: [
      'POST',
      '/api/v2/reservations',
      { stays: [newStay({ services: ['{whole}', { type: 'service', id: '{id}' }, { serviceId: '{id}' }] })] },
    ],
    status: 201,
    holds: { stays: [{ services: [{ serviceId: '{id}' }, { serviceId: '{id}' }, { serviceId: '{id}' }] }] },
  },
  {
    name: 'a service that only says on which stay it is booked: 422 asks which service',
    given: group,
    request: ['PUT', '{path}/stays/{first}/services', [{ stayId: '{first}' }]],
    status: 422,
    error: { code: 'validation-failed', at: '/services/0/serviceId' },
  },
  {
    name: 'DELETE of one of two stays: 204',
    given: group,
    request: ['DELETE', '{path}/stays/{first}'],
    status: 204,
    afterwards: '{path}',
    holds: { arrival: later.startDate, stays: [{ id: '{second}' }] },
  },
  {
    name: 'DELETE of the last stay: 409',
    given: (house) => house.stay(),
    request: ['DELETE', '{path}'],
    status: 409,
    error: { code: 'last-stay' },
  },
  {
    name: 'profiles of a stay: one that is there by its id, and a whole one that is made',
    given: async (house) => ({
      ...(await types(house)),
      profileId: await house.make('profiles', { firstName: 'A', lastName: 'B' }),
    }),
    request: [
      'POST',
      '/api/v2/reservations',
      {
        stays: [
          newStay({
            profiles: [
              { type: 'profile', id: '{profileId}', role: 'Booker', firstName: 'ignored' },
              { firstName: 'C', lastName: 'D', type: 'Company', companyName: 'E', role: 'Company' },
            ],
          }),
        ],
      },
    ],
    status: 201,
    holds: { profiles: [{ type: 'profile', id: '{profileId}', role: 'Booker' }, { role: 'Company' }] },
  },
]

scenarios('Stays', stays)
