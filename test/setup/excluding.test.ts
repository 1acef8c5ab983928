import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { languages } from '../../src/jsonapi/locales/language.ts'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import fc from '../seed.ts'

// Items of one document that exclude each other: the trial names the one that would be refused, before anything is written.

const apply = '/api/config/v1/setup/actions/apply'

type Item = Record<string, unknown>
type Document = Record<string, unknown>
type Placed = [section: string, item: Item]

let house: TestAppliance
let token: string
beforeEach(async () => {
  house = await startAppliance({ sample: false, timeZone: 'Europe/Lisbon', country: 'PT' })
  const pairing = { body: { code: house.appliance.pairingCode }, token: null }
  token = (await house.ask('POST', '/api/config/v1/pairing', pairing)).body.meta.token
})
afterEach(() => house.stop())

const send = (body: Document, { isTrial = false, language = 'en' } = {}): Promise<Reply> =>
  house.ask('POST', `${apply}${isTrial ? '?dryRun=true' : ''}`, {
    body,
    token,
    headers: { 'Accept-Language': language },
  })

async function written(body: Document): Promise<void> {
  const { status, text } = await send(body)
  assert.equal(status, 200, text)
}

interface Refused {
  detail: string
  source: { pointer: string }
  meta?: { whileWriting?: boolean }
}

/** The errors of a trial, by their places. The write must refuse the document with the same errors, and write nothing. */
async function refusedOf(body: Document): Promise<Map<string, Refused>> {
  const before = await exported()
  const [trial, write] = [await send(body, { isTrial: true }), await send(body)]
  assert.deepEqual([trial.status, write.status], [422, 422], trial.text)
  assert.deepEqual(toldIn(write), toldIn(trial))
  assert.deepEqual(await exported(), before)
  return new Map(
    (trial.body.errors as Refused[]).map((each) => {
      assert.doesNotMatch(JSON.stringify(each.meta ?? {}), /whileWriting|Id"/)
      return [each.source.pointer.replace('/data/attributes', ''), each]
    }),
  )
}

/** The errors without the numbers by which a log finds them. */
const toldIn = ({ body }: Reply) =>
  (body.errors as (Refused & { id: string })[]).map(({ id, ...rest }) => rest)

/** A trial and the write of a document, which agree. */
async function accepted(body: Document): Promise<void> {
  const trial = await send(body, { isTrial: true })
  assert.equal(trial.status, 200, trial.text)
  const write = await send(body)
  assert.equal(write.status, 200, write.text)
  assert.deepEqual(write.body.data.attributes.changes, trial.body.data.attributes.changes)
}

const exported = async () =>
  (await house.ask('GET', '/api/config/v1/setup', { token })).body.data.attributes.document

/** A document with these items, in this order, after those of another document. */
function documentOf(items: readonly Placed[], base: Document = {}): Document {
  const document = structuredClone(base)
  for (const [section, item] of items) document[section] = [...((document[section] ?? []) as Item[]), item]
  return document
}

const doors = { name: 'Doors', driver: 'mifare-local', connection: { siteId: 1, keyId: 1 } }
const remote = { name: 'Remote', driver: 'industry-standard', connection: { path: 'tcp://127.0.0.1:9' } }
const pins = {
  name: 'Pins',
  driver: 'ttlock',
  connection: { gateways: {} },
  credentials: { clientId: 'c', clientSecret: 's', username: 'u', password: 'p' },
}
const systems = { lockSystems: [doors, remote, pins] }
const at = (path: string, driver: string) => ({ driver, path })
const encoder = (name: string, path: string, more: Item = {}): Placed => [
  'encoders',
  { name, lockSystem: 'Doors', device: at(path, path.startsWith('hid') ? 'ifd510' : 'twn4'), ...more },
]
const dispenser = (name: string, path: string, driver = 'k720'): Placed => [
  'dispensers',
  { name, device: at(path, driver) },
]
const known = (name: string, externalCode: string): Placed => [
  'encoders',
  { name, lockSystem: 'Remote', externalCode },
]
const account = (name: string, more: Item = {}): Placed => ['staff', { name, role: 'frontdesk', ...more }]
const [one, two] = ['tcp://127.0.0.1:4001', 'tcp://127.0.0.1:4002']
const port = '/dev/serial/by-id/usb-FTDI_1'

/** Two items of which only one may be there, the field of the later one that is refused, and what is said of the earlier one. */
const pairs: [rule: string, first: Placed, second: Placed, field: string, said: (other: string) => RegExp][] =
  [
    [
      'two dispensers at one address',
      dispenser('North', one),
      dispenser('South', one, 'crt571'),
      '/device/path',
      (other) => RegExp(`^${other} already uses ${one}`),
    ],
    [
      'two encoders at one address',
      encoder('Desk', port),
      encoder('Office', port),
      '/device/path',
      (other) => RegExp(`^${other} already uses ${port}`),
    ],
    [
      'a dispenser and an encoder at one address',
      dispenser('North', port),
      encoder('Desk', port),
      '/device/path',
      () => /^North already uses/,
    ],
    [
      'two readers of which one address may mean the other',
      encoder('Desk', 'hid://ffff:0035'),
      encoder('Office', 'hid://ffff:0035?serial=1'),
      '/device/path',
      (other) => RegExp(`^${other} already uses hid`),
    ],
    [
      'two encoders in one dispenser',
      encoder('Left', one, { dispenser: 'Lobby' }),
      encoder('Right', two, { dispenser: 'Lobby' }),
      '/dispenser',
      (other) => RegExp(`encoder of ${other}`),
    ],
    [
      'two encoder numbers that differ in a zero',
      known('Desk', '1'),
      known('Office', '01'),
      '/externalCode',
      (other) => RegExp(`^${other} has the encoder 0?1`),
    ],
    [
      'two unit types with one code',
      ['unitTypes', { code: 'DBL', name: 'a' }],
      ['unitTypes', { code: 'DBL', name: 'b' }],
      '/code',
      () => /^DBL is named twice/,
    ],
    [
      'two dispensers with one name',
      dispenser('North', one),
      dispenser('North', two),
      '/name',
      () => /named twice/,
    ],
    ['one account in two spellings', account('Ana'), account('ＡＮＡ '), '/name', () => /named twice/],
  ]

const base = { ...systems, dispensers: [{ name: 'Lobby', device: at('tcp://127.0.0.1:4000', 'k720') }] }
const nameIn = ([, item]: Placed) => String(item.name ?? item.code)

describe('Two items of a document that exclude each other are refused before anything is written', () => {
  for (const [rule, first, second, field, said] of pairs)
    it(rule, async () => {
      for (const [a, b] of [
        [first, second],
        [second, first],
      ] as const) {
        const document = documentOf([a, b], base)
        // Dispensers are written before encoders, whatever the order in the document.
        const [later, earlier] = a[0] === b[0] ? [b, a] : [second, first]
        const index = (document[later[0]] as Item[]).indexOf(later[1])
        const errors = await refusedOf(document)
        assert.deepEqual([...errors.keys()], [`/${later[0]}/${index}${field}`])
        assert.match([...errors.values()][0]!.detail, said(nameIn(earlier)))
      }
    })
})

/** Items that do not fit another one of the document. */
const unfitting: [rule: string, document: Document, pointer: string, detail: RegExp][] = [
  [
    'an encoder without a device at a card system',
    documentOf([['encoders', { name: 'Desk', lockSystem: 'Doors' }]], systems),
    '/encoders/0/device',
    /needs its device/,
  ],
  [
    'an encoder with a device at a system with its own ones',
    documentOf([encoder('Desk', one, { lockSystem: 'Remote' })], systems),
    '/encoders/0/device',
    /controls its encoders itself/,
  ],
  [
    'a maker of PINs at a card system',
    documentOf(
      [['encoders', { name: 'Pin', lockSystem: 'Doors', kind: 'pin-generator', keyType: 'pinCode' }]],
      systems,
    ),
    '/encoders/0/kind',
    /makes only cards/,
  ],
  [
    'keys that the system does not make',
    documentOf(
      [['encoders', { name: 'Pin', lockSystem: 'Remote', kind: 'pin-generator', keyType: 'pinCode' }]],
      systems,
    ),
    '/encoders/0/keyType',
    /industry-standard makes no “PIN”/,
  ],
  [
    'a key service with a maker of PINs',
    documentOf(
      [
        ['encoders', { name: 'Pin', lockSystem: 'Pins', kind: 'pin-generator', keyType: 'pinCode' }],
        [
          'keyServices',
          {
            name: 'Head office',
            driver: 'fias',
            connection: { direction: 'connect', path: one },
            encoders: [{ code: '1', encoder: 'Pin' }],
          },
        ],
      ],
      systems,
    ),
    '/keyServices/0/encoders/0/encoder',
    /^Pin makes no cards/,
  ],
  [
    'rooms with one lock',
    {
      unitTypes: [{ code: 'DBL', name: 'Double' }],
      rooms: 'a1,A1 DBL',
      lockSystems: [{ ...remote, mapUnits: '{name}' }],
    },
    '/lockSystems/0/mapUnits',
    /would have one lock/,
  ],
]

describe('An item that does not fit another one of the document is refused before anything is written', () => {
  for (const [rule, document, pointer, detail] of unfitting)
    it(rule, async () => {
      const errors = await refusedOf(document)
      assert.deepEqual([...errors.keys()], [pointer])
      assert.match(errors.get(pointer)!.detail, detail)
    })
})

describe('A document that changes stored rows', () => {
  it('may not take the last administrator away, in several steps either', async () => {
    const admins = (role: string, names = ['Ana', 'Rui', 'Eva']) => ({
      staff: names.map((name) => ({ name, role })),
    })
    await written(admins('admin'))
    const errors = await refusedOf(admins('frontdesk'))
    assert.deepEqual([...errors.keys()], ['/staff/2'])
    assert.match(errors.get('/staff/2')!.detail, /only administrator/)
    await accepted(admins('frontdesk', ['Ana', 'Eva']))
  })

  it('is answered by the order of its items: an address is free once the one before has left it', async () => {
    await written(documentOf([encoder('Old', one), dispenser('Lobby', two)], systems))
    const moves = [encoder('New', one), encoder('Old', port)]
    const errors = await refusedOf(documentOf(moves))
    assert.deepEqual([...errors.keys()], ['/encoders/0/device/path'])
    assert.match(errors.get('/encoders/0/device/path')!.detail, /^Old already uses/)
    await accepted(documentOf(moves.toReversed()))
    await accepted(documentOf([dispenser('Lobby', 'tcp://127.0.0.1:4003'), encoder('Third', two)]))
    const swapped = await refusedOf(documentOf([encoder('New', port), encoder('Old', one)]))
    assert.deepEqual([...swapped.keys()], ['/encoders/0/device/path', '/encoders/1/device/path'])
  })

  it('may leave an item as it is that would be refused if it were new', async () => {
    await written(documentOf([encoder('Desk', one)], systems))
    const lockSystems = [{ ...doors, driver: 'industry-standard', connection: { path: two } }]
    await accepted(documentOf([encoder('Desk', one)], { lockSystems }))
  })
})

it('What may share a line, or differs in what counts, is accepted', async () => {
  await accepted(
    documentOf(
      [
        dispenser('Lobby', port, 'crt571'),
        encoder('In the lobby', port, { device: at(port, 'crt571-rf'), dispenser: 'Lobby' }),
        encoder('Desk', 'hid://ffff:0035?serial=1'),
        encoder('Office', 'hid://ffff:0035?serial=2'),
        known('First', '1'),
        known('Eleventh', '11'),
        account('Ana', { role: 'admin' }),
        account('Anna'),
      ],
      {
        ...systems,
        unitTypes: [
          { code: 'DBL', name: 'a' },
          { code: 'dbl', name: 'b' },
        ],
        rooms: '101,102 DBL',
      },
    ),
  )
})

it('All items that exclude others are named in one pass, also where the other one has a mistake of its own', async () => {
  const errors = await refusedOf(
    documentOf(
      [
        dispenser('North', one),
        dispenser('South', one),
        encoder('Desk', port, { timeoutMs: 1 }),
        encoder('Office', port),
        encoder('Left', two, { dispenser: 'North' }),
        encoder('Right', 'tcp://127.0.0.1:4003', { dispenser: 'North' }),
        known('First', '1'),
        known('Second', '001'),
      ],
      {
        lockSystems: [doors, { ...remote, timeZone: 'Lisbon', mapUnits: '{name}' }],
        unitTypes: [{ code: 'DBL', name: 'Double' }],
        rooms: 'a1,A1 DBL',
        settings: { checkInTime: '25:00' },
      },
    ),
  )
  assert.deepEqual(
    [...errors.keys()],
    [
      '/settings/checkInTime',
      '/lockSystems/1/timeZone',
      '/dispensers/1/device/path',
      '/encoders/0/timeoutMs',
      '/encoders/1/device/path',
      '/encoders/3/dispenser',
      '/encoders/5/externalCode',
      '/lockSystems/1/mapUnits',
    ],
  )
})

it('What two items refuse of one another is said in each language, with the name of the other', async () => {
  const document = documentOf([dispenser('North', one), dispenser('South', one)])
  const said = new Set<string>()
  for (const language of languages) {
    const { body } = await send(document, { isTrial: true, language })
    assert.match(body.errors[0].detail, /North.*4001/)
    said.add(body.errors[0].detail)
  }
  assert.equal(said.size, languages.length)
})

it('A trial refuses the item that is refused when the items are written one by one, and no other document', async () => {
  const ports = fc.constantFrom(0, 1, 2, 3)
  const drawn = fc.oneof(
    fc.record({ is: fc.constant('dispenser' as const), port: ports }),
    fc.record({ is: fc.constant('encoder' as const), port: ports, lobby: fc.constantFrom(null, 'A', 'B') }),
    fc.record({ is: fc.constant('known' as const), code: fc.constantFrom('1', '01', '2', '10', '010') }),
  )
  let run = 0
  const lists = fc.array(drawn, { minLength: 2, maxLength: 6 })
  await written(systems)
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      run++
      const lobbies = ['A', 'B'].map((name, index) =>
        dispenser(`${run} ${name}`, `tcp://127.0.0.1:${6_000 + run * 10 + index}`),
      )
      const own = { ...remote, name: `Remote ${run}` }
      await written(documentOf(lobbies, { lockSystems: [own] }))
      const items = list.map((each, index): Placed => {
        const name = `${run} ${each.is} ${index}`
        if (each.is === 'known') return ['encoders', { name, lockSystem: own.name, externalCode: each.code }]
        const path = `tcp://127.0.0.1:${6_000 + run * 10 + 2 + each.port}`
        if (each.is === 'dispenser') return dispenser(name, path)
        return encoder(name, path, each.lobby === null ? {} : { dispenser: `${run} ${each.lobby}` })
      })
      const inOrder = items.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))
      const whole = documentOf(inOrder)
      const trial = await send(whole, { isTrial: true })
      const left: Placed[] = []
      let first: Item | null = null
      for (const each of inOrder) {
        const { status } = await send(documentOf([each]))
        if (status === 200) left.push(each)
        else first ??= each[1]
      }
      if (trial.status === 200) assert.deepEqual([first, left.length], [null, items.length])
      else {
        const [, section = '', index] = trial.body.errors[0].source.pointer
          .replace('/data/attributes', '')
          .split('/')
        assert.equal((whole[section] as Item[])[index], first, trial.text)
      }
    }),
    { numRuns: 12 },
  )
})
