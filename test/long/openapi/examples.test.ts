import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { exampleId } from '../../../src/resource/example-id.ts'
import { blankCards } from '../../../src/simulators/devices/simulated-card.ts'
import { until } from '../../access/house-with-doors.ts'
import { type PinLocks, pinLocks } from '../../access/pin-locks.ts'
import { type Ask, startAppliance, type TestAppliance } from '../../appliance.ts'
import { type Receiver, receiver } from '../../events/receiver.ts'
import { keptConflict } from '../../pms/sync/kept-conflict.ts'

type Values = Record<string, unknown>

interface Operation {
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> }
  responses: Record<string, unknown>
}

type Paths = Record<string, Record<string, Operation>>

/** What examples name, by the type that its id stands for. */
type Made = Record<string, string>

/** What an example says that there can be only one of. */
const unique = [
  '"BALCONY"',
  '"DBL"',
  '"BREAKFAST"',
  '"FLEX"',
  '"BAR"',
  '"PMS-4711"',
  '"Garage"',
  '"Rosa"',
  '"Front desk left"',
  '"Stick"',
  '"/dev/serial/by-id/encoder"',
  '"/dev/serial/by-id/dispenser"',
]

/** Which made thing a parameter of a path is, where its name does not say it. */
const parameters: Record<string, (made: Made) => string | undefined> = {
  device: () => 'dispenser',
  stayExternalId: () => `STAY-${round}`,
  configurationId: (made) => made['pms-configuration'],
  controllerId: (made) => made['lobby-controller'],
  paymentTerminalId: (made) => made['desk-terminal'],
}

describe('every example of the OpenAPI document', () => {
  let house: TestAppliance
  let empty: TestAppliance
  let paths: Paths
  let devices: Made
  let pins: PinLocks
  before(async () => {
    hook = await receiver()
    house = await startAppliance()
    empty = await startAppliance({ sample: false })
    pins = await pinLocks(house, ['201', '202'])
    paths = (await house.ask('GET', '/openapi.json')).body.paths
    devices = await makeDevices(house.ask, paths)
  })
  after(async () => {
    await house.stop()
    pins.unplug()
    await empty.stop()
    await hook.close()
  })

  it('works, in each of its forms', async (test) => {
    let count = 0
    for (const { method, template, operation } of bodies(paths)) {
      // Nobody but the PMS can sign it.
      if (template.endsWith('/callback')) continue
      // What it takes is the PMS's: a property without one has lists only.
      if (template.endsWith('/extensions/{extensionName}')) continue
      // They need a server with TLS: test/certificate sends them.
      if (template.startsWith('/api/config/v1/certificate')) continue
      // They go on with a restore that test/backup begins.
      if (/\/restores\//.test(template)) continue
      // They need an image: test/long/update and test/box send them.
      if (/\/(update\/actions\/install|network\/actions\/\w+)$/.test(template)) continue
      // Its words are random: test/backup/recovery-sheet types them.
      if (template.endsWith('/recovery-sheet/actions/confirm')) continue
      // It needs a terminal that does not say how a payment ended: test/terminal has one.
      if (template.endsWith('/settle-terminal-payment')) continue
      // They are about a browser with cookies, which test/auth/sessions has.
      if (/\/session(\/|$)/.test(template)) continue
      const examples = Object.entries(examplesOf(operation))
      assert.notDeepEqual(examples, [], `${method} ${template} has no example`)
      for (const [form, { value }] of examples) {
        count++
        await test.test(`${method} ${template}, ${form}`, async () => {
          const reply = await sent(method, template, value)
          const successes = Object.keys(operation.responses).filter((status) => status < '300')
          const told = `${reply.status} ${reply.text}\n${JSON.stringify(value)}`
          assert.ok(successes.includes(String(reply.status)), told)
          assert.equal(reply.body?.meta?.refused ?? 0, 0, reply.text)
        })
      }
    }
    assert.ok(count > 80, `there are ${count} examples`)
  })

  async function sent(method: string, template: string, example: unknown) {
    if (template.endsWith('/pairing')) {
      return empty.ask(method, template, { body: { code: empty.appliance.pairingCode }, token: null })
    }
    const isPaid = /record-payment$|pay-at-terminal$/.test(template)
    const made = namesBooking(template, example)
      ? await makeBooking(house.ask, paths, devices, isPaid)
      : { ...devices }
    if (template.includes('{syncConflictId}')) made['sync-conflict'] = conflictAbout(made)
    if (template.includes('{keyId}')) made.key = await keyFor(template)
    if (template.includes('simulated-cards'))
      house.lobby.dispenser.taken.push(...blankCards(1, null, 'classic'))
    if (template.startsWith('/api/v2/access/units')) made.unit = made['access-unit']!
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const id = parameters[name]?.(made) ?? made[dashed(name.replace(/Id$/, ''))]
      assert.ok(id, `nothing is made for ${name}`)
      return id
    })
    if (/controllers\/\{\w+\}\//.test(template)) await nobodysCard(house.ask)
    if (template.endsWith('/counters'))
      await house.ask('PUT', path.replace(/counters$/, 'status/maintenance'))
    return house.ask(method, path, { body: filled(example, made, template) })
  }

  function conflictAbout(made: Made): string {
    const { reservation = '', stay = '' } = made
    const of = {
      configurationId: made['pms-configuration'] ?? stay,
      reservationId: reservation,
      stayId: stay,
    }
    return keptConflict(house.data, of)
  }

  /** A key with which what the operation does can be done: a card is neither moved nor extended. */
  async function keyFor(template: string): Promise<string> {
    const isPin = /\/(move|extend|reencode|block)$/.test(template)
    if (!isPin) await nobodysCard(house.ask)
    const controllerId = isPin ? pins.controllerId : devices['lobby-controller']
    const window = { startDate: '2026-06-02', endDate: '2026-06-03' }
    const body = { type: 'key', unitName: '201', original: true, ...window, externalId: `KEY-${++round}` }
    const made = await house.ask('POST', `/api/v2/access/controllers/${controllerId}/key`, { body })
    assert.equal(made.status, 201, made.text)
    return made.body.data.id
  }
})

/** The guest of the example before has taken his card. */
async function nobodysCard(ask: Ask): Promise<void> {
  const lobby = (await ask('GET', '/api/config/v1/dispensers?filter[name]=Lobby dispenser')).body.data[0].id
  await until(
    'an idle dispenser',
    async () => (await ask('GET', `/api/v2/access/dispensers/${lobby}/status`)).body.data.attributes,
    ({ state, cardPosition }) => state === 'active' && cardPosition === 'none',
  )
}

/** The operations that take a body. */
function bodies(paths: Paths) {
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody)
      .map(([verb, operation]) => ({ method: verb.toUpperCase(), template, operation })),
  )
}

function examplesOf({ requestBody }: Operation): Record<string, { value: unknown }> {
  return requestBody?.content['application/vnd.api+json']?.examples ?? {}
}

let round = 0
/** Whoever an example has called back: it is tried before it is kept. */
let hook: Receiver

/** An example with the ids of what was made, and names that nobody has yet. */
function filled(example: unknown, made: Made, template: string): unknown {
  round++
  const ids = Object.entries(made).map(([type, id]) => [exampleId(type), id] as const)
  const names = unique.map((name) => [name, `${name.slice(0, -1)}${round}"`] as const)
  const units = /\/units/.test(template) ? [['"201"', `"U${round}"`] as const] : []
  const replaced = [...ids, ...names, ...units].reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    JSON.stringify(example),
  )
  return JSON.parse(replaced.replaceAll('https://pms.example/hooks/nightporter', hook.url))
}

/** Makes things out of their own examples; the first of each is what others name. */
function maker(ask: Ask, paths: Paths, made: Made) {
  return async (type: string, collection: string, change: (body: Values) => Values = (body) => body) => {
    const { bare } = examplesOf(paths[collection]!.post!)
    const body = change(filled(bare?.value, made, collection) as Values)
    const reply = await ask('POST', collection, { body })
    assert.equal(reply.status, 201, reply.text)
    made[type] ??= reply.body.data.id
    return reply.body.data
  }
}

async function makeDevices(ask: Ask, paths: Paths): Promise<Made> {
  const made: Made = {}
  const make = maker(ask, paths, made)
  await make('access-provider', '/api/config/v1/access-providers')
  await make('access-controller', '/api/config/v1/access-controllers')
  await make('access-unit', '/api/v2/access/units')
  await make('dispenser', '/api/config/v1/dispensers')
  await make('pms-configuration', '/api/config/v1/pms-configurations')
  await make('key-service', '/api/config/v1/key-services')
  await make('webhook', '/api/config/v1/webhooks')
  await make('account', '/api/config/v1/accounts')
  await make('station', '/api/config/v1/stations')
  await make('backup-target', '/api/config/v1/backup-targets')
  const first = async (path: string) => (await ask('GET', path)).body.data[0].id
  await make('desk-terminal', '/api/config/v1/payment-terminals')
  made['payment-terminal'] = await first('/api/config/v1/payment-terminals?filter[name]=Lobby terminal')
  made.settings = await first('/api/config/v1/settings')
  made['lobby-controller'] = await first('/api/config/v1/access-controllers?filter[name]=Lobby kiosk')
  return made
}

const booked = [
  'property',
  'amenity',
  'unit-type',
  'unit',
  'profile',
  'service',
  'cancellation-policy',
  'rate-plan',
  'reservation',
  'stay',
]

/** Whether a request is about something that `makeBooking` makes. */
function namesBooking(template: string, example: unknown): boolean {
  const text = JSON.stringify(example)
  return (
    /^\/api\/v2\/(?!access)|\{syncConflictId\}/.test(template) ||
    booked.some((type) => text.includes(exampleId(type)))
  )
}

/** A reservation with everything that it names, in a house of its own type of units. */
async function makeBooking(ask: Ask, paths: Paths, devices: Made, isPaid: boolean): Promise<Made> {
  const made = { ...devices }
  const make = maker(ask, paths, made)
  await make('property', '/api/v2/properties')
  await make('amenity', '/api/v2/amenities')
  await make('unit-type', '/api/v2/unit-types')
  for (let number = 0; number < 4; number++) await make('unit', '/api/v2/units')
  await make('profile', '/api/v2/profiles')
  await make('service', '/api/v2/services')
  await make('cancellation-policy', '/api/v2/cancellation-policies')
  await make('rate-plan', '/api/v2/rate-plans')
  const { attributes } = await make('reservation', '/api/v2/reservations', (body) =>
    isPaid ? dueOf109(body) : body,
  )
  made.stay = attributes.stays[0].id
  return made
}

/** What the example of a payment pays. */
function dueOf109({ stays, ...rest }: Values): Values {
  const amount = { currency: 'EUR', amountWithTax: 109 }
  return { ...rest, stays: (stays as Values[]).map((stay) => ({ ...stay, services: [], amount })) }
}

function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
