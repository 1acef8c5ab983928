import { type Scenario, scenarios } from './scenario.ts'

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

scenarios('Profiles', profiles)
