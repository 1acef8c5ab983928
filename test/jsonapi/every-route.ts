import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import type { Route } from '../../src/jsonapi/route.ts'
import { reservationChanged } from '../../src/pms/adapters/cloudevents/messages/message-examples.ts'
import { kioskImage } from '../../src/reservation/resources/kiosk-image.ts'
import { pinLocks } from '../access/pin-locks.ts'
import { bodies, booked, factsOf, overpaid, registered, registersGuests } from '../conformance/facts.ts'
import { failingWebhook } from '../events/failing-webhook.ts'
import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { keptConflict } from '../pms/sync/kept-conflict.ts'
import { keptMessage } from '../pms/sync/kept-message.ts'

export type Values = Record<string, unknown>

/** What routes are asked with: ids of what is there, by the name of the parameter or by the collection. */
export interface Ground {
  ids: Record<string, string>
  /** The first of each kind of device. */
  devices: Record<'access-providers' | 'access-controllers' | 'dispensers', { attributes: Values }>
}

/** A house in which everything is there that a path can name. */
export async function groundOf(house: HouseWithPms): Promise<Ground> {
  const facts = await factsOf(house)
  const first = async (path: string) => (await house.ask('GET', path)).body.data[0]
  const devices = {
    'access-providers': await first('/api/config/v1/access-providers'),
    'access-controllers': await first('/api/config/v1/access-controllers'),
    dispensers: await first('/api/config/v1/dispensers'),
  }
  const controllerId = devices['access-controllers'].id
  const keys = await keysOf(house, controllerId)
  const services = await house.make('/api/config/v1/key-services', keyService({ controllerId }))
  const token = await house.make('/api/config/v1/tokens', { name: 'Desk', role: 'frontdesk' })
  const hook = await failingWebhook(house)
  const surplus = await overpaid(house)
  const registration = await registered(house)
  await registersGuests(house)
  const ids = {
    ...facts,
    ...hook,
    overpaid: surplus.stayId,
    overpaidIn: surplus.reservationId,
    properties: facts.propertyId!,
    amenities: facts.amenityId!,
    'unit-types': facts.unitTypeId!,
    units: facts.unitId!,
    profiles: facts.profileId!,
    services: facts.serviceId!,
    'cancellation-policies': facts.cancellationPolicyId!,
    'rate-plans': facts.ratePlanId!,
    reservations: facts.reservationId!,
    stays: facts.stayId!,
    host: (await booked(house)).id,
    payments: facts.paymentId!,
    'hand-overs': await house.make(`/api/v2/stays/${facts.stayId}/actions/hand-over`, {}),
    'help-calls': await house.make('/api/v2/help-calls', {}),
    registrations: registration.registrationId,
    'kiosk-images': await house.make('/api/config/v1/kiosk-images', {
      ...kioskImage.example,
      use: 'picture',
    }),
    'access-providers': devices['access-providers'].id,
    'access-controllers': devices['access-controllers'].id,
    dispensers: devices.dispensers.id,
    settings: (await first('/api/config/v1/settings')).id,
    'backup-targets': await house.make('/api/config/v1/backup-targets', {
      name: 'Cellar',
      kind: 'folder',
      url: pathToFileURL(house.data).href,
    }),
    'payment-terminals': (await first('/api/config/v1/payment-terminals')).id,
    'pms-configurations': facts.configurationId!,
    'sync-conflicts': keptConflict(house.data, {
      configurationId: facts.configurationId!,
      reservationId: facts.reservationId!,
      stayId: facts.stayId!,
    }),
    'quarantined-messages': keptMessage(house.data, facts.configurationId!),
    tokens: token,
    ...(await staffOf(house)),
    erase: await house.make('/api/v2/profiles', { firstName: 'Nobody', lastName: 'Known' }),
    ...keys,
    'access/keys': keys.keyId!,
    'key-services': services,
    'access/units': await house.make('/api/v2/access/units', {
      name: 'Garage',
      providerId: devices['access-providers'].id,
    }),
    controllerId,
    dispenserId: devices.dispensers.id,
    state: 'active',
    cardPosition: 'capture',
    device: 'dispenser',
    code: 'not-found',
    file: 'swagger-ui.css',
  }
  return { ids, devices }
}

/** An account and a station of nobody's, and the session of a kiosk. */
async function staffOf(house: HouseWithPms): Promise<Record<string, string>> {
  const begun = await house.ask('POST', '/api/v2/session/actions/start-demo', {
    token: null,
    body: { kiosk: true },
  })
  assert.equal(begun.status, 201, begun.text)
  return {
    accounts: await house.make('/api/config/v1/accounts', { name: fresh('Person '), role: 'frontdesk' }),
    stations: await house.make('/api/config/v1/stations', { name: fresh('Station ') }),
    sessions: begun.body.data.id,
  }
}

/** A key for each thing that is done with keys, by its word, and one besides. */
async function keysOf(house: HouseWithPms, controllerId: string): Promise<Record<string, string>> {
  const pins = await pinLocks(house, ['201', '202', '203', '204', '205', '206'])
  const { stop } = house
  house.stop = async () => {
    await stop()
    pins.unplug()
  }
  const make = async (at: string, unitName: string) => {
    const body = { ...card, type: 'key', unitName, externalId: fresh('KEY-') }
    const made = await house.ask('POST', `/api/v2/access/controllers/${at}/key`, { body })
    assert.equal(made.status, 201, made.text)
    return String(made.body.data.id)
  }
  return {
    block: await make(pins.controllerId, '201'),
    reencode: await make(pins.controllerId, '202'),
    move: await make(pins.controllerId, '203'),
    extend: await make(pins.controllerId, '204'),
    keyId: await make(pins.controllerId, '205'),
    'ask-now': await make(pins.controllerId, '206'),
    'seen-at-door': await make(controllerId, '106'),
  }
}

/** As it stands in a list of routes. */
export function nameOf({ method, base, path }: Route): string {
  return `${method} ${base}/${path}`
}

/** The path of a route with ids of what is there; those of a kind that a house begins without are of nobody. */
export function pathOf({ base, path }: Route, { ids }: Ground): string {
  const collection = path.replace(/\/:.*/, '')
  // What is done with a key, or a guest, depends on which: one is lost, another moved.
  const own = path.endsWith('/record-refund') ? { reservationId: ids.overpaidIn, stayId: ids.overpaid } : {}
  const [, verb = ''] = /:(?:keyId|profileId)\/actions\/(.*)$/.exec(path) ?? []
  const filled = path.replace(
    /:(\w+)/g,
    (_, name: string) =>
      (own as Record<string, string>)[name] ??
      ids[verb] ??
      ids[name === 'id' ? collection : name] ??
      ids.nobody!,
  )
  return `${base}/${filled}`
}

let made = 0
const fresh = (prefix: string) => `${prefix}${++made}`

const period = { startDate: '2026-06-10', endDate: '2026-06-11', quantity: 1 }
const card = { type: 'keyCard', original: true, startDate: '2026-06-01', endDate: '2026-06-02' }

/** What each operation with a body of its own takes: made anew each time, as other things must be made of it. */
const sent: Record<string, (ground: Ground) => unknown> = {
  '/api/v2/properties': () => ({ ...bodies.property, name: fresh('House ') }),
  '/api/v2/amenities': () => ({ ...bodies.amenity, code: fresh('A') }),
  '/api/v2/unit-types': () => ({ code: fresh('T'), name: 'Type' }),
  '/api/v2/batch/unit-types': () => [{ code: fresh('T'), name: 'Type' }],
  '/api/v2/units': ({ ids }) => ({ name: fresh('Room '), unitTypeId: ids.unitTypeId }),
  '/api/v2/batch/units': ({ ids }) => [{ name: fresh('Room '), unitTypeId: ids.unitTypeId }],
  '/api/v2/profiles': () => ({ firstName: 'Ida', lastName: fresh('Conform ') }),
  '/api/v2/services': () => ({ ...bodies.service, code: fresh('S') }),
  '/api/v2/cancellation-policies': () => ({ ...bodies.policy, code: fresh('C') }),
  '/api/v2/rate-plans': () => ({ ...bodies.ratePlan, code: fresh('P') }),
  '/api/v2/reservations': () => ({ externalId: fresh('R-'), stays: [] }),
  '/api/v2/reservations/:reservationId/stays': stayBody,
  '/api/v2/reservations/:reservationId/stays/:stayId/units': ({ ids }) => [{ unitTypeId: ids.unitTypeId }],
  '/api/v2/reservations/:reservationId/stays/:stayId/services': () => [],
  '/api/v2/reservations/:reservationId/actions/record-payment': payment,
  '/api/v2/reservations/:reservationId/stays/:stayId/actions/record-payment': payment,
  '/api/v2/reservations/:reservationId/stays/:stayId/actions/record-refund': payment,
  '/api/v2/reservations/:reservationId/stays/:stayId/unit-assignment': () => ({ notes: fresh('Quiet ') }),
  '/api/v2/stays/:stayId/actions/share': ({ ids }) => ({ withStayId: ids.host }),
  '/api/v2/stays/:stayId/actions/hand-over': () => ({
    failure: 'dispenser-jam',
    step: fresh('s').toLowerCase(),
  }),
  '/api/v2/stays/:stayId/registrations': () => ({ ...bodies.registration, firstName: fresh('Ida ') }),
  '/api/v2/help-calls': () => ({ failure: 'guest-asks', step: fresh('s').toLowerCase() }),
  '/api/v2/stays/:stayId/actions/pay-at-terminal': () => ({ language: 'en' }),
  '/api/v2/stays/:stayId/actions/settle-terminal-payment': () => ({
    terminalPaymentId: '00000000-0000-7000-8000-000000000000',
    charged: true,
    reason: 'The guest has the receipt.',
  }),
  '/api/config/v1/backup-targets': () => ({
    name: fresh('Stick '),
    kind: 'folder',
    url: 'file:///nowhere/stick',
  }),
  '/api/config/v1/payment-terminals': () => ({
    name: fresh('Terminal '),
    driver: 'json-line',
    path: 'tcp://127.0.0.1:9',
  }),
  '/api/v2/reservations/:reservationId/unit-assignments': ({ ids }) => ({
    stays: [{ stayId: ids.stayId, notes: fresh('Quiet ') }],
  }),
  '/api/v2/availability/unit-types/:unitTypeId': () => [period],
  '/api/v2/availability/units/:unitId': () => [period],
  '/api/v2/pms/providers/:configurationId/extensions/:extensionName': () => ({
    callbackUrl: `https://pms.example/${fresh('hook-')}`,
  }),
  '/api/v2/pms/providers/:configurationId/callback': () => reservationChanged,
  '/api/v2/access/controllers/:controllerId/key': () => ({
    ...card,
    unitName: '101',
    externalId: fresh('K'),
  }),
  '/api/v2/access/controllers/:controllerId/keys': () => ({ ...card, unitName: '102', quantity: 1 }),
  '/api/v2/access/controllers/:controllerId/keys/by-reservation': () => ({ ...card, unitName: '103' }),
  '/api/v2/access/controllers/:controllerId/one-shot-key': () => ({ unitName: '104' }),
  '/api/v2/access/controllers/:controllerId/spare-keys': () => ({ units: ['105'] }),
  '/api/v2/access/keys': () => ({ ...card, type: 'key', unitName: '205', endDate: '2026-06-01' }),
  '/api/v2/access/keys/:keyId/actions/block': () => ({}),
  '/api/v2/access/keys/:keyId/actions/seen-at-door': () => ({}),
  '/api/v2/access/keys/:keyId/actions/ask-now': () => ({}),
  '/api/v2/access/keys/:keyId/actions/reencode': () => ({}),
  '/api/v2/access/keys/:keyId/actions/move': () => ({ newUnitName: '206' }),
  '/api/v2/access/keys/:keyId/actions/extend': () => ({ endDate: '2026-06-09' }),
  '/api/v2/access/units': ({ ids }) => ({ name: fresh('Gate '), providerId: ids['access-providers'] }),
  '/api/v2/access/dispensers/:dispenserId/actions/refill': () => ({ cards: 1 }),
  '/api/v2/access/dispensers/:dispenserId/counters': () => ({ sinceService: 0 }),
  '/api/config/v1/settings': () => ({ checkInTime: '15:00' }),
  '/api/config/v1/access-providers': (ground) => deviceBody(ground, 'access-providers'),
  '/api/config/v1/access-controllers': (ground) => ({
    ...deviceBody(ground, 'access-controllers'),
    kind: 'encoder',
    dispenserId: null,
  }),
  '/api/config/v1/access-controllers/:controllerId/actions/commission-step': () => ({ step: 'end' }),
  '/api/config/v1/access-providers/:id/actions/lock-replaced': () => ({ unitName: '101' }),
  '/api/config/v1/access-providers/:id/actions/map-units': () => ({ pattern: '{name}' }),
  '/api/config/v1/clock/actions/state': () => ({ date: '2026-06-02', time: '09:30' }),
  '/api/config/v1/certificate/actions/renew': () => ({}),
  '/api/config/v1/update/actions/install': () => ({}),
  '/api/config/v1/update/actions/hold': () => ({ days: 0 }),
  '/api/config/v1/setup/actions/read-rooms': () => ({ list: '901;DBL;9' }),
  '/api/config/v1/setup/actions/apply': () => ({ unitTypes: [{ code: fresh('T'), name: 'Type' }] }),
  '/api/config/v1/connected-devices/actions/probe': () => ({ path: 'simulated:encoder' }),
  '/api/config/v1/dispensers': (ground) => deviceBody(ground, 'dispensers'),
  '/api/config/v1/key-services': ({ ids }) => keyService(ids),
  '/api/config/v1/pms-configurations': () => ({ name: fresh('PMS '), adapter: 'standalone' }),
  '/api/config/v1/imports': ({ ids }) => ({
    data: [
      {
        externalId: fresh('I-'),
        stays: [{ ...(stayBody({ ids } as Ground) as Values), status: 'CheckedOut' }],
      },
    ],
  }),
  '/api/config/v1/simulated-devices/:device/misbehaviours': () => ({ at: 'move-capture', does: 'pass' }),
  '/api/config/v1/simulated-cards/actions/present': () => ({ door: '201' }),
  '/api/config/v1/simulated-devices/:device/actions/act': () => ({ does: 'leave-cards' }),
  '/api/config/v1/tokens': () => ({ name: fresh('Token '), role: 'kiosk' }),
  '/api/config/v1/accounts': () => ({ name: fresh('Person '), role: 'frontdesk' }),
  '/api/config/v1/stations': () => ({ name: fresh('Station ') }),
  '/api/v2/session': () => ({ account: 'Nobody', passcode: '000000' }),
  '/api/v2/session/actions/switch': () => ({ account: 'Nobody', passcode: '000000' }),
  '/api/v2/session/actions/unlock': () => ({ passcode: '000000' }),
  '/api/v2/session/actions/reauthenticate': () => ({ passcode: '000000' }),
  '/api/v2/session/actions/enrol-station': () => ({ code: '00000000' }),
  '/api/v2/session/actions/redeem-code': () => ({ account: 'Nobody', code: '0', newPasscode: '000000' }),
  '/api/v2/session/actions/change-secrets': () => ({ passcode: '000000', newPasscode: '000000' }),
  '/api/v2/session/actions/claim': () => ({ code: '00000000', name: 'Nobody', password: 'none' }),
  '/api/v2/session/actions/start-demo': () => ({}),
  '/api/config/v1/webhooks': ({ ids }) => ({ url: ids.receiver, types: ['system.*'] }),
  '/api/config/v1/sync-conflicts/:id/actions/choose': () => ({ counts: 'Local' }),
  '/api/config/v1/pairing': () => ({ code: '00000000' }),
  '/api/config/v1/kiosk-images': () => ({ ...kioskImage.example }),
  '/api/config/v1/epoch/actions/see': () => ({ epoch: 1 }),
  '/api/config/v1/recovery-sheet/actions/confirm': () => ({ words: ['able', 'able', 'able', 'able'] }),
  '/api/config/v1/network/actions/try': () => ({ address: 'dhcp' }),
  '/api/config/v1/restores': () => ({ name: fresh('backup-'), bytes: 1 }),
  '/api/config/v1/restores/actions/list-on-new-box': () => ({ code: '00000000' }),
  '/api/config/v1/restores/actions/begin-on-new-box': () => ({ code: '00000000', name: 'b', bytes: 1 }),
  '/api/config/v1/restores/:id/content': () => 'age',
  '/api/config/v1/restores/:id/actions/open': () => ({ recoveryKey: 'AGE-SECRET-KEY-1' }),
}

/** Nobody listens there, so it keeps trying. */
function keyService(ids: Ground['ids']): Values {
  return {
    name: fresh('Head office '),
    driver: 'fias',
    connection: { direction: 'connect', path: 'tcp://127.0.0.1:9' },
    encoders: [{ code: '1', controllerId: ids.controllerId }],
  }
}

function stayBody({ ids }: Ground): Values {
  return { ...bodies.stay, units: [{ unitTypeId: ids.unitTypeId }], externalId: fresh('S-') }
}

/** What is outstanding of the first stay is paid in parts; of a whole reservation at once. */
function payment(): Values {
  return { ...bodies.payment, amount: 100, terminalTransactionId: fresh('T-') }
}

/** A device's settings as they were read, under another name. */
function deviceBody({ devices }: Ground, kind: keyof Ground['devices']): Values {
  const { createdAt, updatedAt, revision, credentials, controllerId, ...attributes } =
    devices[kind].attributes
  return { ...attributes, name: fresh('Device ') }
}

/**
 * A body that an operation takes; undefined for one that takes none. Throws for an operation with a body that nobody has
 * said one for.
 */
export function bodyOf(route: Route, ground: Ground): unknown {
  if (route.method === 'GET' || !route.description?.body) return undefined
  const own = `${route.base}/${route.path}`
  const make = sent[own] ?? sent[own.replace(/\/:\w+$/, '')]
  if (make) return make(ground)
  throw new Error(`say in every-route.ts what ${nameOf(route)} takes`)
}
