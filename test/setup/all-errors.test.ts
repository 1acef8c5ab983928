import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Reader } from '../../src/resource/keeper.ts'
import { Problem } from '../../src/resource/problem.ts'
import { applySetup } from '../../src/setup/apply-setup.ts'
import type { Own } from '../../src/setup/ask-own.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import fc from '../seed.ts'

const apply = '/api/config/v1/setup/actions/apply'

let house: TestAppliance
let token: string
before(async () => {
  house = await startAppliance({ sample: false, timeZone: 'Europe/Lisbon', country: 'PT' })
  const pairing = { body: { code: house.appliance.pairingCode }, token: null }
  token = (await house.ask('POST', '/api/config/v1/pairing', pairing)).body.meta.token
})
after(() => house.stop())

interface Refused {
  source: { pointer: string }
  detail: string
  meta?: { didYouMean?: string; whileWriting?: boolean }
}

/** The errors of a document by their pointers, and how many more there are. */
async function refusedOf(document: object): Promise<{ errors: Map<string, Refused>; more: number }> {
  const { status, body, text } = await house.ask('POST', apply, { body: document, token })
  assert.equal(status, 422, text)
  assert.ok(body.errors.length <= 50)
  const errors = (body.errors as Refused[]).map(
    (each) => [each.source.pointer.replace('/data/attributes', ''), each] as const,
  )
  return { errors: new Map(errors), more: body.meta?.moreErrors ?? 0 }
}

/** A document without a mistake, of which mistakes are made. */
const right = {
  settings: {
    timeZone: 'Europe/Lisbon',
    country: 'PT',
    checkInTime: '14:00',
    deskPhone: '+351 22 555 0142',
    registrationFields: ['birthDate'],
    houseRules: { en: 'No smoking.' },
    registrationDays: 400,
  },
  property: { name: 'Hotel do Porto', code: 'PORTO', address: { city: 'Lisboa', country: 'PT' } },
  unitTypes: [
    { code: 'DBL', name: 'Double room', maxOccupancy: 3 },
    { code: 'SUI', name: 'Suite', maxAdults: 2 },
  ],
  rooms: [
    { name: '101', unitType: 'DBL', floor: '1' },
    { name: '201', unitType: 'SUI', priority: 1 },
  ],
  lockSystems: [
    { name: 'Doors', driver: 'mifare-local', connection: { siteId: 1, keyId: 1 }, maxExtraUnits: 1 },
  ],
  dispensers: [{ name: 'Lobby', device: { driver: 'k720', path: 'tcp://127.0.0.1:9' }, capacity: 120 }],
  encoders: [
    {
      name: 'Lobby encoder',
      lockSystem: 'Doors',
      dispenser: 'Lobby',
      device: { driver: 'twn4', path: 'tcp://127.0.0.1:8' },
      timeoutMs: 9_000,
    },
  ],
  paymentTerminals: [
    { name: 'Lobby', driver: 'json-line', path: 'tcp://127.0.0.1:7', encoder: 'Lobby encoder' },
  ],
  pms: [
    { name: 'PMS', adapter: 'cloudevents', transport: 'http', connection: { baseUrl: 'http://127.0.0.1:9' } },
  ],
  staff: [{ name: 'Ana', role: 'frontdesk', language: 'pt' }],
}

/** The places of a mistake: all members but the keys by which items are found. */
const places: string[][] = Object.entries(right).flatMap(([section, given]) =>
  [given].flat().flatMap((item, index) =>
    Object.keys(item)
      .filter((name) => !(Array.isArray(given) && name === (section === 'unitTypes' ? 'code' : 'name')))
      .map((name) => (Array.isArray(given) ? [section, String(index), name] : [section, name])),
  ),
)

type Values = Record<string, unknown>
const itemAt = (document: Values, way: string[]) =>
  way.slice(0, -1).reduce((value, name) => value[name] as Values, document)

it('Every mistake of a document is in the answer, wherever the others are', async () => {
  const mistakes = fc.uniqueArray(fc.record({ way: fc.constantFrom(...places), isUnknown: fc.boolean() }), {
    minLength: 2,
    maxLength: 12,
    selector: ({ way }) => way.join('/'),
  })
  await fc.assert(
    fc.asyncProperty(mistakes, async (drawn) => {
      const document: Values = structuredClone(right)
      for (const { way, isUnknown } of drawn) {
        const item = itemAt(document, way)
        const name = way.at(-1)!
        if (isUnknown) {
          item[`${name}x`] = item[name]
          delete item[name]
        } else item[name] = [7]
      }
      const { errors } = await refusedOf(document)
      for (const { way, isUnknown } of drawn) {
        const name = way.at(-1)!
        const at = `/${way.slice(0, -1).join('/')}/`
        const found = [...errors.keys()]
        if (isUnknown) {
          assert.equal(errors.get(`${at}${name}x`)?.meta?.didYouMean, name, found.join('\n'))
        } else
          assert.ok(
            found.some((each) => each.startsWith(`${at}${name}`)),
            `${at}${name} in\n${found.join('\n')}`,
          )
      }
    }),
    { numRuns: 15 },
  )
})

const kinds: [what: string, document: object, expected: [pointer: string, detail: RegExp][]][] = [
  [
    'a field that no registration has, beside other mistakes',
    {
      settings: { registrationFields: ['birthDate', 'shoeSize'], checkInTime: '25:00' },
      property: { code: 7 },
    },
    [
      ['/settings/registrationFields/1', /shoeSize is not a field/],
      ['/settings/checkInTime', /HH:MM/],
      ['/property/code', /string/],
    ],
  ],
  [
    'form and rules of one item',
    { settings: { timeZone: 'Lisbon', checkInTime: '25:00', country: 'XX' } },
    [
      ['/settings/checkInTime', /HH:MM/],
      ['/settings/timeZone', /IANA/],
      ['/settings/country', /ISO 3166/],
    ],
  ],
  [
    'a wrong item of another section, and one that refers to it',
    {
      roms: '101 DBL',
      unitTypes: [{ name: 'x' }, 7],
      lockSystems: [{ name: 'Doors', driver: 'mifare-lokal', connection: {} }],
      encoders: [{ name: 'E', lockSystem: 'Dors', device: { driver: 'twn5', path: 'nowhere' } }],
    },
    [
      ['/roms', /Did you mean rooms/],
      ['/unitTypes/0/code', /Expected a text/],
      ['/unitTypes/1', /object/],
      ['/lockSystems/0/driver', /Did you mean mifare-local/],
      ['/encoders/0/lockSystem', /Did you mean Doors/],
      ['/encoders/0/device/driver', /Did you mean twn4/],
      ['/encoders/0/device/path', /not an address/],
    ],
  ],
  [
    'a device at a lock system that is still to be made',
    {
      lockSystems: right.lockSystems,
      encoders: [{ name: 'E', lockSystem: 'Doors', device: { driver: 'twn4', path: 'nowhere' } }],
    },
    [['/encoders/0/device/path', /not an address/]],
  ],
  [
    'parts of a pattern of rooms',
    { unitTypes: right.unitTypes, rooms: '101-99 DBL; 201 DBX; a b c; 301,301 SUI', settings: { x: 1 } },
    [
      ['/rooms', /./],
      ['/settings/x', /not a field/],
    ],
  ],
  [
    'rooms of a list',
    {
      unitTypes: right.unitTypes,
      rooms: [
        ...right.rooms,
        { name: '101', unitType: 'DBL' },
        { name: '9', unitType: 'SUIT' },
        { unitType: 'DBL' },
      ],
    },
    [
      ['/rooms/2/name', /named twice/],
      ['/rooms/3/unitType', /Did you mean SUI/],
      ['/rooms/4/name', /Expected a text/],
    ],
  ],
  [
    'items without a key, and with the key of another one',
    {
      unitTypes: [...right.unitTypes, { code: 'SUI', nam: 'Suite', maxAdults: 'two' }],
      rooms: [
        { name: 101, unitType: 7, flor: '1' },
        { unitType: 'DBL', priority: 'x' },
      ],
      encoders: [{ lockSystem: 1, device: 'twn4' }],
      staff: [{ name: '', role: 'boss' }],
      settings: { 'a/b~': 1 },
    },
    [
      ['/unitTypes/2/code', /SUI is named twice/],
      ['/unitTypes/2/nam', /Did you mean name/],
      ['/unitTypes/2/maxAdults', /must be integer/],
      ['/rooms/0/name', /such as "101" in quotes/],
      ['/rooms/0/unitType', /must be string/],
      ['/rooms/0/flor', /Did you mean floor/],
      ['/rooms/1/name', /Expected a text: the name/],
      ['/rooms/1/priority', /must be integer/],
      ['/encoders/0/name', /Expected a text: the name/],
      ['/encoders/0/lockSystem', /must be string/],
      ['/encoders/0/device', /must be object/],
      ['/staff/0/role', /must be one of/],
      ['/settings/a~1b~0', /^a\/b~ is not a field/],
    ],
  ],
  [
    'names that a room cannot have, in a list',
    {
      unitTypes: right.unitTypes,
      rooms: ['1\u0007', 'a'.repeat(61), '\ud800', '102'].map((name) => ({ name, unitType: 'DBL' })),
    },
    [
      ['/rooms/0/name', /control characters/],
      ['/rooms/1/name', /at most 60/],
      ['/rooms/2/name', /control characters/],
    ],
  ],
  [
    'a name that a room cannot have, in a pattern',
    { unitTypes: right.unitTypes, rooms: `101 DBL; ${'b'.repeat(61)} DBL` },
    [['/rooms', /^Room b+: name must have at most 60/]],
  ],
  [
    'names of one account',
    { staff: ['Ana', 'ana', 'ＡＮＡ', ' Ana'].map((name) => ({ name, role: 'frontdesk' })) },
    [
      ['/staff/1/name', /named twice/],
      ['/staff/2/name', /named twice/],
      ['/staff/3/name', /named twice/],
    ],
  ],
  [
    'names with accents in two forms',
    {
      unitTypes: right.unitTypes,
      rooms: ['Suíte', 'Suíte'.normalize('NFD')].map((name) => ({ name, unitType: 'DBL' })),
    },
    [['/rooms/1/name', /named twice/]],
  ],
  [
    'a PMS with a wrong transport, connection and credentials',
    {
      pms: [{ ...right.pms[0], transport: 'none', connection: { baseurl: 'x' }, credentials: { tokn: 'x' } }],
    },
    [['/pms/0/transport', /must be one of/]],
  ],
  [
    'members of the wrong kind',
    { unitTypes: {}, rooms: 7, settings: [], network: 'x', staff: [{ name: 'Ana', role: 'frontdesc' }] },
    [
      ['/unitTypes', /unitTypes must be array/],
      ['/rooms', /rooms must be/],
      ['/settings', /settings must be object/],
      ['/network', /network must be object/],
      ['/staff/0/role', /Did you mean frontdesk/],
    ],
  ],
]

for (const [what, document, expected] of kinds)
  it(`All errors are listed: ${what}`, async () => {
    const { errors } = await refusedOf(document)
    for (const [pointer, detail] of expected)
      assert.match(errors.get(pointer)?.detail ?? `nothing at ${pointer}, but ${[...errors.keys()]}`, detail)
  })

it('A long document has its errors too, fifty of them, and says how many more there are', async () => {
  const rooms = Array.from({ length: 1_500 }, (_, index) => ({ name: String(index), unitType: 'DBL' }))
  const some = rooms.map((room, index) => (index % 20 === 0 ? { ...room, flor: '1' } : room))
  const { errors, more } = await refusedOf({ unitTypes: right.unitTypes, rooms: some })
  assert.deepEqual([errors.size, more], [50, 25])
  const [first, second] = [...errors.keys()]
  assert.deepEqual([first, second], ['/rooms/0/flor', '/rooms/20/flor'])
  const names = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`field${index}`, index]))
  assert.equal((await refusedOf({ settings: names })).more, 20)
})

it('The pattern of rooms names every part that cannot be read', async () => {
  const { body } = await house.ask(
    'GET',
    `/api/config/v1/setup/rooms?pattern=${encodeURIComponent('101-99 DBL; 201; 3 4 DBL, 5 SUI')}`,
    { token },
  )
  assert.equal(body.errors.length, 3)
})

it('A repeat changes nothing where accents are written as signs of their own', async () => {
  const document = JSON.parse(
    JSON.stringify({
      unitTypes: [{ code: 'PADRÃO', name: 'Padrão' }],
      rooms: 'Suíte,É1 PADRÃO',
      lockSystems: [{ ...right.lockSystems[0], name: 'Fechaduras do térreo' }],
    }).normalize('NFD'),
  )
  for (const changes of [3, 0, 0]) {
    const { body, text } = await house.ask('POST', apply, { body: document, token })
    assert.equal(body.data?.attributes.changes.length, changes, text)
  }
})

it('What only shows while the document is written is refused in its terms, and says that a part is there', async () => {
  // Another person has put an encoder into the dispenser between the trial and the write.
  const rows = { dispensers: [{ name: 'Lobby', id: 'of the dispenser' }] }
  const reader = {
    rows: ({ path }: { path: string }) => (path === 'dispensers' ? rows.dispensers : []),
  } as unknown as Reader
  const taken = () => {
    throw new Problem('validation-failed', 'The dispenser has one.', { pointer: '/dispenserId' })
  }
  const write: Own = async (_method, path) => (path.endsWith('/access-controllers') ? taken() : null)
  const encoders = [{ name: 'E', lockSystem: 'Doors', dispenser: 'Lobby' }]
  const document = { lockSystems: right.lockSystems, encoders }
  await assert.rejects(
    applySetup(document, { reader, ask: write, write, trial: false }),
    ({ options: { pointer, meta } }: Problem) =>
      pointer === '/encoders/0/dispenser' && meta?.whileWriting === true,
  )
  const found = await refusedOf({ settings: { x: 1 } })
  assert.equal(found.errors.get('/settings/x')!.meta?.whileWriting, undefined)
})
