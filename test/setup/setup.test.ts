import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'

const apply = '/api/config/v1/setup/actions/apply'

/** A whole hotel with a simulated lobby. */
const hotel = {
  settings: { timeZone: 'Europe/Lisbon', country: 'PT', checkInTime: '14:00', checkOutTime: '11:30' },
  property: {
    name: 'Hotel do Porto',
    code: 'PORTO',
    address: { line1: 'Rua do Porto 1', postalCode: '1100-001', city: 'Lisboa', country: 'PT' },
  },
  unitTypes: [
    { code: 'DBL', name: 'Double room', maxOccupancy: 3 },
    { code: 'SUI', name: 'Suite' },
  ],
  rooms: '101-130 DBL; 201-290 DBL except 213; 301,302 SUI',
  lockSystems: [
    {
      name: 'Door locks',
      driver: 'mifare-local',
      connection: { siteId: 1, keyId: 1, commonDoors: {} },
      mapUnits: '{name}',
    },
  ],
  dispensers: [{ name: 'Lobby', device: { driver: 'k720', path: 'simulated:dispenser' }, capacity: 120 }],
  encoders: [
    {
      name: 'Lobby encoder',
      lockSystem: 'Door locks',
      dispenser: 'Lobby',
      device: { driver: 'twn4', path: 'simulated:encoder' },
    },
  ],
  paymentTerminals: [
    {
      name: 'Lobby terminal',
      driver: 'json-line',
      path: 'simulated:terminal',
      encoder: 'Lobby encoder',
      timeoutSeconds: 90,
    },
  ],
  keyServices: [
    {
      name: 'Head office',
      driver: 'fias',
      connection: { direction: 'connect', path: 'tcp://127.0.0.1:9' },
      encoders: [{ code: '1', encoder: 'Lobby encoder' }],
    },
  ],
  pms: [
    {
      name: 'Group PMS',
      adapter: 'cloudevents',
      transport: 'http',
      connection: { baseUrl: 'http://127.0.0.1:9' },
      credentials: { token: 'secret-of-the-PMS' },
      enabled: false,
    },
  ],
  staff: [{ name: 'Ana', role: 'frontdesk', language: 'pt' }],
}

async function emptyHouse(t: TestContext): Promise<TestAppliance> {
  const house = await startAppliance({ sample: false, timeZone: 'Europe/Lisbon', country: 'PT' })
  t.after(() => house.stop())
  const pairing = { body: { code: house.appliance.pairingCode }, token: null }
  const token = (await house.ask('POST', '/api/config/v1/pairing', pairing)).body.meta.token
  const { ask } = house
  house.ask = (method, path, options) => ask(method, path, { token, ...options })
  return house
}

interface Change {
  path: string
  action: string
  names: string[]
  fields: string[]
}

const changesOf = ({ body }: Reply): Change[] => body.data.attributes.changes

it('An empty property is set up from one document, and a repeat changes nothing', async (t) => {
  const house = await emptyHouse(t)
  const { ask } = house
  const planned = await ask('POST', `${apply}?dryRun=true`, { body: hotel })
  assert.equal(planned.status, 200, planned.text)
  assert.equal((await ask('GET', '/api/v2/units')).body.data.length, 0)
  const done = await ask('POST', apply, { body: hotel })
  assert.equal(done.status, 200, done.text)
  const [first, second] = [planned, done].map((each) =>
    changesOf(each).filter(({ action }) => action !== 'map'),
  )
  assert.deepEqual(second, first)
  const kinds = changesOf(done).map(({ path, action, names }) => `${action} ${path} ${names.length}`)
  assert.deepEqual(kinds, [
    'update /settings 1',
    'create /property 1',
    'create /unitTypes/0 1',
    'create /unitTypes/1 1',
    'create /rooms 121',
    'create /lockSystems/0 1',
    'create /dispensers/0 1',
    'create /encoders/0 1',
    'create /paymentTerminals/0 1',
    'create /keyServices/0 1',
    'create /pms/0 1',
    'map /lockSystems/0/mapUnits 121',
    'create /staff/0 1',
  ])
  assert.deepEqual(planned.body.data.attributes.codes, [])
  const codes: { name: string }[] = done.body.data.attributes.codes
  assert.deepEqual(
    codes.map(({ name }) => name),
    ['Ana'],
  )
  const lower = await ask('POST', `${apply}?dryRun=true`, {
    body: { staff: [{ name: 'ana', role: 'frontdesk' }] },
  })
  assert.deepEqual(
    changesOf(lower).map(({ action, fields }) => [action, fields]),
    [['update', ['name']]],
  )
  assert.deepEqual(changesOf(await ask('POST', `${apply}?dryRun=true`, { body: hotel })), [])
  assert.deepEqual(changesOf(await ask('POST', apply, { body: hotel })), [])
  const [terminal] = (await ask('GET', '/api/config/v1/payment-terminals')).body.data
  const [encoder] = (await ask('GET', '/api/config/v1/access-controllers')).body.data
  assert.equal(terminal.attributes.controllerId, encoder.id)
  const [room] = (await ask('GET', '/api/v2/units?filter[name]=213')).body.data
  assert.equal(room, undefined)
  const { checks } = (await ask('GET', '/api/v2/status')).body.data.attributes
  for (const name of ['property:settings', 'property:units', 'property:lock-system'])
    assert.equal(checks[name][0].status, 'pass', name)
})

it('What differs is changed, and what the document does not name stays', async (t) => {
  const { ask } = await emptyHouse(t)
  await ask('POST', apply, { body: hotel })
  const other = {
    settings: { checkOutTime: '12:00', checkInTime: '14:00' },
    unitTypes: [{ code: 'DBL', name: 'Double' }],
    rooms: '130,401 SUI',
  }
  const changes = changesOf(await ask('POST', apply, { body: other }))
  assert.deepEqual(
    changes.map(({ path, action, names, fields }) => [path, action, names, fields]),
    [
      ['/settings', 'update', ['settings'], ['checkOutTime']],
      ['/unitTypes/0', 'update', ['DBL'], ['name']],
      ['/rooms', 'create', ['401'], []],
      ['/rooms', 'update', ['130'], ['unitTypeId']],
    ],
  )
  const { document } = (await ask('GET', '/api/config/v1/setup')).body.data.attributes
  assert.equal(document.rooms, '101-129,201-212,214-290 DBL; 130,301,302,401 SUI')
  assert.equal(document.unitTypes[0].maxOccupancy, 3)
})

it('Every error is told with its place and what was expected, and nothing is written', async (t) => {
  const { ask } = await emptyHouse(t)
  const wrong = {
    settings: { timeZone: 'Lisbon', checkInTime: '25:00' },
    unitTypes: [{ code: 'DBL', name: 'Double', maxOccupancy: 0 }],
    rooms: '101-110 DBL; 201 TRP',
    lockSystems: [{ name: 'Locks', driver: 'skeleton', connection: {} }],
    dispensers: [{ name: 'Lobby', device: { driver: 'k720', path: 'nowhere' } }],
    encoders: [
      { name: 'Desk', lockSystem: 'Lokcs', device: { driver: 'twn4' } },
      { name: 'Lobby', lockSystem: 'Locks', device: { driver: 'twm4', path: 'simulated:encoder' } },
    ],
    paymentTerminals: [{ name: 'Lobby', driver: 'cash', path: 'simulated:terminal', encoder: 'Desk' }],
    network: { names: ['box.hotel.lan'] },
  }
  const refused = await ask('POST', apply, { body: wrong })
  assert.equal(refused.status, 422, refused.text)
  const errors: [string, string][] = refused.body.errors.map(
    ({ source, detail }: { source: { pointer: string }; detail: string }) => [
      source.pointer.replace('/data/attributes', ''),
      detail,
    ],
  )
  const expected: [string, RegExp][] = [
    ['/settings/checkInTime', /./],
    ['/settings/timeZone', /IANA time zone/],
    ['/unitTypes/0/maxOccupancy', />= 1/],
    ['/rooms', /no unit type TRP; there are DBL/],
    ['/lockSystems/0/driver', /no driver skeleton; there are .*mifare-local/],
    ['/dispensers/0/device/path', /./],
    ['/encoders/0/lockSystem', /Neither this document \(lockSystems\) nor the property has "Lokcs"/],
    ['/encoders/1/device/driver', /no driver twm4; there are .*twn4/],
    ['/paymentTerminals/0/driver', /no such driver for payment terminals/],
    ['/network', /own machine only/],
  ]
  assert.deepEqual(
    errors.map(([pointer]) => pointer),
    expected.map(([pointer]) => pointer),
  )
  for (const [index, [, detail]] of expected.entries()) assert.match(errors[index]![1], detail)
  assert.deepEqual((await ask('GET', '/api/v2/unit-types')).body.data, [])
  const form = await ask('POST', apply, { body: { roms: '101 DBL', unitTypes: [{ name: 'x' }, 7] } })
  assert.deepEqual(
    form.body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer).sort(),
    ['/data/attributes/roms', '/data/attributes/unitTypes/0/code', '/data/attributes/unitTypes/1'],
  )
})

it('A pattern of locks that is wrong is refused before anything is written', async (t) => {
  const { ask } = await emptyHouse(t)
  const lockSystems = [{ ...hotel.lockSystems[0], mapUnits: 'Room' }]
  const refused = await ask('POST', apply, { body: { ...hotel, lockSystems } })
  assert.equal(refused.status, 422, refused.text)
  assert.equal(refused.body.errors[0].source.pointer, '/data/attributes/lockSystems/0/mapUnits/pattern')
  for (const path of ['/api/v2/units', '/api/config/v1/accounts'])
    assert.equal((await ask('GET', path)).body.data.length, 0, 'the codes of its staff would be lost')
})

it('The exported document of a property makes the same property of an empty box', async (t) => {
  const sample = await startAppliance()
  t.after(() => sample.stop())
  const { ask } = await emptyHouse(t)
  const exported = async (from: typeof ask) =>
    (await from('GET', '/api/config/v1/setup')).body.data.attributes.document
  const document = await exported(sample.ask)
  assert.match(document.rooms, /^101-110 SGL; 201-216 DBL/)
  assert.deepEqual(Object.keys(document), [
    'settings',
    'property',
    'unitTypes',
    'rooms',
    'lockSystems',
    'dispensers',
    'encoders',
    'paymentTerminals',
    'pms',
    'staff',
  ])
  const done = await ask('POST', apply, { body: document })
  assert.equal(done.status, 200, done.text)
  assert.deepEqual(await exported(ask), document)
  assert.deepEqual(changesOf(await sample.ask('POST', apply, { body: document })), [])
  await ask('POST', apply, { body: hotel })
  assert.doesNotMatch(JSON.stringify(await exported(ask)), /secret-of-the-PMS|credentials/)
})

it('A pattern is shown as rooms, or refused', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const rooms = (pattern: string) =>
    house.ask('GET', `/api/config/v1/setup/rooms?pattern=${encodeURIComponent(pattern)}`)
  const shown = await rooms('101-103 DBL except 102')
  assert.deepEqual(shown.body.data.attributes.rooms, [
    { name: '101', unitType: 'DBL', floor: '1' },
    { name: '103', unitType: 'DBL', floor: '1' },
  ])
  assert.match((await rooms('101')).body.errors[0].detail, /Expected rooms and a unit type/)
})

it('Only who may change rooms and devices may apply a document', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const make = async (role: string, scopes: string[] = []) =>
    (await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role, scopes } })).body.meta.token
  const body = { unitTypes: [{ code: 'NEW', name: 'New' }] }
  const desk = await house.ask('POST', apply, { body, token: await make('frontdesk') })
  assert.equal(desk.body.errors[0].code, 'scope-required')
  const some = await house.ask('POST', apply, { body, token: await make('frontdesk', ['config.write']) })
  assert.deepEqual([some.status, some.body.errors[0].meta.scope], [403, 'units.write'])
  assert.equal((await house.ask('POST', apply, { body, token: await make('installer') })).status, 200)
})

it('What the house asks of its guests is in the document, and comes back from it', async (t) => {
  const { ask } = await emptyHouse(t)
  const first = await ask('POST', apply, { body: hotel })
  assert.equal(first.status, 200, first.text)
  const present = async () =>
    (await ask('GET', '/api/config/v1/setup')).body.data.attributes.document.settings
  assert.deepEqual(
    Object.keys(await present()).filter((name) => /egistration|houseRules/.test(name)),
    [],
  )
  const given: Record<string, unknown>[] = [
    { registrationFields: ['lastName'] },
    { registrationFields: ['birthDate', 'documentNumber'], registrationDays: 1_095 },
    { houseRules: { pt: 'Não fumar.', en: 'No smoking.' } },
    { registrationFields: ['acceptedRules', 'signature'] },
    { houseRules: { en: 'No smoking.\nQuiet after 22:00.' }, registrationFields: ['acceptedRules'] },
    { registrationFields: [], houseRules: null },
  ]
  let version = 0
  for (const settings of given) {
    const { fields = [] } = changesOf(await ask('POST', apply, { body: { settings } }))[0] ?? {}
    assert.deepEqual(fields.toSorted(), Object.keys(settings).toSorted(), JSON.stringify(settings))
    assert.deepEqual(changesOf(await ask('POST', apply, { body: { settings } })), [])
    const document = await present()
    for (const [name, value] of Object.entries(settings))
      assert.deepEqual(
        document[name] ?? null,
        Array.isArray(value) && value.length === 0 ? null : value,
        name,
      )
    assert.equal('houseRulesVersion' in document, false)
    if ('houseRules' in settings) version++
    const [stored] = (await ask('GET', '/api/config/v1/settings')).body.data
    assert.equal(stored.attributes.houseRulesVersion, version)
  }
})
