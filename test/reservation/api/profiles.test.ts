import assert from 'node:assert/strict'
import { guestFound } from '../../guest-found.ts'
import type { ReservationHouse } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { newStay } from './stay-samples.ts'

const guest = { firstName: 'Zoë', lastName: 'Großmann' }
const unknown = '0197c0de-0000-7000-8000-000000000000'

const profiles: Scenario[] = [
  {
    name: 'POST /profiles: 201, Private unless it says otherwise, with the name a card printer takes',
    request: ['POST', '/api/v2/profiles', guest],
    status: 201,
    holds: { profileType: 'Private', normalizedName: 'ZOE GROSSMANN' },
    lacks: ['gender', 'emails'],
  },
  {
    name: 'the member type may say the profile type, in a bare body',
    request: ['POST', '/api/v2/profiles', { ...guest, type: 'Company', companyName: 'Acme' }],
    status: 201,
    holds: { profileType: 'Company', companyName: 'Acme' },
  },
  {
    name: 'the type of the document is not a profile type',
    request: [
      'POST',
      '/api/v2/profiles',
      { data: { type: 'profile', attributes: { ...guest, type: 'profile' } } },
    ],
    status: 201,
    holds: { profileType: 'Private' },
  },
  {
    name: 'a company has a name: 422 names it',
    request: ['POST', '/api/v2/profiles', { ...guest, profileType: 'Company' }],
    status: 422,
    error: { code: 'validation-failed', at: '/companyName' },
  },
  {
    name: 'emails, phone numbers and addresses come to one form, one of each being primary',
    request: [
      'POST',
      '/api/v2/profiles',
      {
        ...guest,
        emails: [
          { address: 'Zoe@Example.COM' },
          { address: 'z@work.example', type: 'Business', primary: true },
        ],
        phoneNumbers: [{ number: '912 345 678', type: 'Mobile' }],
        addresses: [{ city: 'Porto', country: 'PT', regionCode: 'PT-13' }],
      },
    ],
    status: 201,
    holds: {
      emails: [
        { address: 'Zoe@example.com', type: 'Private', primary: false },
        { address: 'z@work.example', type: 'Business', primary: true },
      ],
      phoneNumbers: [{ number: '+351912345678', primary: true }],
      addresses: [{ type: 'Home', city: 'Porto', primary: true }],
    },
  },
  {
    name: 'only one email is primary',
    request: [
      'POST',
      '/api/v2/profiles',
      {
        ...guest,
        emails: [
          { address: 'a@b.c', primary: true },
          { address: 'd@e.f', primary: true },
        ],
      },
    ],
    status: 422,
    error: { code: 'validation-failed', at: '/emails/1/primary' },
  },
  {
    name: 'nobody is born in the future',
    request: ['POST', '/api/v2/profiles', { ...guest, birthDate: '2026-06-02' }],
    status: 422,
    error: { code: 'validation-failed', at: '/birthDate' },
  },
  {
    name: 'nobody was born before 1900',
    request: ['POST', '/api/v2/profiles', { ...guest, birthDate: '1899-12-31' }],
    status: 422,
    error: { code: 'validation-failed', at: '/birthDate' },
  },
  {
    name: 'control characters are refused',
    request: ['POST', '/api/v2/profiles', { ...guest, lastName: 'A\u0007B' }],
    status: 422,
    error: { code: 'validation-failed', at: '/lastName' },
  },
  {
    name: 'half a character is refused',
    request: ['POST', '/api/v2/profiles', { ...guest, lastName: '\ud83d' }],
    status: 422,
    error: { code: 'validation-failed', at: '/lastName' },
  },
  {
    name: 'PUT /profiles/{id} overwrites',
    given: async ({ make }) => ({ id: await make('profiles', { ...guest, title: 'Dr', gender: 'Female' }) }),
    request: ['PUT', '/api/v2/profiles/{id}', { firstName: 'Z', lastName: 'G', gender: 'Other' }],
    status: 204,
    afterwards: '/api/v2/profiles/{id}',
    holds: { firstName: 'Z', gender: 'Other', profileType: 'Private' },
    lacks: ['title'],
  },
  {
    name: 'PATCH /profiles/{id} sets some fields, and says that it is deprecated',
    given: async ({ make }) => ({ id: await make('profiles', { ...guest, title: 'Dr' }) }),
    request: ['PATCH', '/api/v2/profiles/{id}', { title: null, languageCode: 'pt' }],
    status: 204,
    header: ['link', /^<\/api\/v2\/profiles\/[0-9a-f-]{36}>; rel="successor-version"$/],
    afterwards: '/api/v2/profiles/{id}',
    holds: { ...guest, languageCode: 'pt' },
    lacks: ['title'],
  },
  {
    name: 'DELETE /profiles/{id}: 204',
    given: async ({ make }) => ({ id: await make('profiles', guest) }),
    request: ['DELETE', '/api/v2/profiles/{id}'],
    status: 204,
  },
  {
    name: 'a profile of a stay cannot be deleted',
    given: async ({ make, stay }) => {
      const id = await make('profiles', guest)
      await stay({ profiles: [{ type: 'profile', id }] })
      return { id }
    },
    request: ['DELETE', '/api/v2/profiles/{id}'],
    status: 409,
    error: { code: 'resource-referenced', meta: { by: 'stay' } },
  },
  {
    name: 'PUT of a profile that is not there: 404',
    request: ['PUT', `/api/v2/profiles/${unknown}`, guest],
    status: 404,
    error: { code: 'not-found' },
  },
]

const person = { ...guest, birthDate: '1990-02-28', emails: [{ address: 'zoe@example.com' }] }

/** A person who has a profile, and what a stay needs. */
const known =
  (told: Record<string, unknown>) =>
  async ({ make, rooms }: ReservationHouse) => ({
    ...(await rooms(2)),
    id: await make('profiles', told),
  })

const second = (
  name: string,
  first: Record<string, unknown>,
  told: Record<string, unknown>,
  error?: { code: string; at?: string },
): Scenario => ({
  name: `${name}: ${error ? `409 ${error.code}` : '201'}`,
  given: known(first),
  request: ['POST', '/api/v2/profiles', told],
  status: error ? 409 : 201,
  ...(error && { error: { ...error, meta: { id: '{id}' } } }),
})

const personKnown = { code: 'person-known' }

const onePrivate: Scenario[] = [
  second(
    'a second of one externalId',
    { ...guest, externalId: 'p-1' },
    { firstName: 'Z', lastName: 'G', externalId: 'p-1' },
    personKnown,
  ),
  second(
    'a second of one name and number',
    { ...guest, number: '77' },
    { ...guest, number: '77' },
    personKnown,
  ),
  second(
    'a second of one name, day of birth and email address',
    person,
    { ...person, emails: [{ address: 'a@b.example' }, { address: 'ZOE@Example.com' }] },
    personKnown,
  ),
  second(
    'somebody of the same name and email address, born on another day',
    { ...person, lastName: 'Twin' },
    { ...person, lastName: 'Twin', birthDate: '1958-01-01' },
  ),
  second('somebody of the same name', { ...guest, lastName: 'Silva' }, { ...guest, lastName: 'Silva' }),
  second(
    'the same person for a company, and for another',
    { ...guest, externalId: 'p-2', profileType: 'Company', companyName: 'A' },
    { ...guest, externalId: 'p-2', profileType: 'Company', companyName: 'B' },
  ),
  second(
    'a company of the externalId of a person',
    { ...guest, externalId: 'p-3' },
    { ...guest, externalId: 'p-3', profileType: 'Company', companyName: 'B' },
  ),
  {
    name: 'PUT to the externalId of another person: 409',
    given: async ({ make }) => ({
      id: await make('profiles', { ...guest, externalId: 'p-4' }),
      other: await make('profiles', guest),
    }),
    request: ['PUT', '/api/v2/profiles/{other}', { ...guest, externalId: 'p-4' }],
    status: 409,
    error: { code: 'external-id-conflict', at: '/externalId', meta: { id: '{id}' } },
  },
  {
    name: 'PUT of a guest’s details to those of a profile he has: the check-in goes on',
    given: async ({ make }) => {
      await make('profiles', { ...person, lastName: 'Twice' })
      return { other: await make('profiles', { ...guest, lastName: 'Twice' }) }
    },
    request: ['PUT', '/api/v2/profiles/{other}', { ...person, lastName: 'Twice' }],
    status: 204,
  },
  {
    name: 'a stay with a whole profile of a person who has one is that person’s, left as it is',
    given: known({ ...guest, externalId: 'p-5', title: 'Dr' }),
    request: [
      'POST',
      '/api/v2/reservations',
      {
        stays: [
          newStay({ profiles: [{ ...guest, externalId: 'p-5', title: 'Prof', role: 'Booker' }] }),
          newStay({ profiles: [{ ...guest, externalId: 'p-5' }] }),
        ],
      },
    ],
    status: 201,
    holds: {
      profiles: [
        { id: '{id}', role: 'Booker' },
        { id: '{id}', role: 'PrimaryGuest' },
      ],
    },
  },
  {
    name: 'the same reservation sent again makes no profile twice',
    given: async (house) => {
      const { unitTypeId } = await house.rooms(1)
      const stays = [
        {
          ...newStay({ units: [{ unitTypeId }] }),
          profiles: [
            { ...guest, externalId: 'p-6' },
            { ...guest, externalId: 'p-6' },
          ],
        },
      ]
      const made = await house.ask('POST', '/api/v2/reservations', { body: { stays } })
      const path = `/api/v2/reservations/${made.body.data.id}`
      await house.ask('PUT', path, { body: { stays } })
      return {}
    },
    request: ['GET', '/api/v2/profiles?filter[externalId]=p-6'],
    status: 200,
    lists: [{ externalId: 'p-6' }],
  },
  {
    name: 'a stay that is over may be sent again with whole profiles',
    given: async (house) => {
      const { unitTypeId } = await house.rooms(1)
      const stay = newStay({ units: [{ unitTypeId }], profiles: [{ ...guest, externalId: 'p-7' }] })
      const made = await house.stay(stay)
      await house.ask('PATCH', made.path, { body: { status: 'Canceled' } })
      return { ...made, stay: { ...stay, status: 'Canceled' } }
    },
    request: ['PUT', '{path}', '{stay}'],
    status: 204,
  },
  {
    name: 'a kiosk adds a guest whatever is known of him, and nothing that is known comes with him',
    given: async (house) => {
      const night = { ...person, lastName: 'Night' }
      await house.make('profiles', night)
      const { path } = await house.stay()
      const token = await house.tokenOf('kiosk')
      await guestFound(house.ask, token, path.split('/').at(-1)!)
      const [{ id }] = (await house.attributes(path)).profiles
      const added = await house.ask('PATCH', path, { token, body: { profiles: [{ id }, night] } })
      assert.equal(added.status, 204, added.text)
      return {}
    },
    request: ['GET', '/api/v2/profiles?filter[lastName]=Night'],
    status: 200,
    lists: [{ birthDate: person.birthDate }, { birthDate: person.birthDate }],
  },
]

scenarios('Profiles', profiles)
scenarios('One profile of type Private for a person', onePrivate)
