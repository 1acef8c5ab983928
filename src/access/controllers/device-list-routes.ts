import type { CardFormat } from '../../devices/capability.ts'
import type { Description } from '../../jsonapi/description.ts'
import { listAnswer, singleAnswer } from '../../jsonapi/document-answers.ts'
import { type Language, preferredLanguage } from '../../jsonapi/locales/language.ts'
import { type Message, messagesText, shownMessage } from '../../jsonapi/locales/message.ts'
import { type RequestedQuery, readMemberQuery, readQuery } from '../../jsonapi/query/query.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import type { ListSource } from '../../jsonapi/serializer.ts'
import type { Document } from '../../resource/command.ts'
import type { Resources } from '../../resource/path.ts'
import type { Resource, Row } from '../../resource/resource.ts'
import type { Access } from '../access.ts'
import { controllerBy, dispenserBy, providerOf } from '../lookups.ts'
import { type AccessController, accessController } from '../resources/access-controller.ts'
import { driverOf } from '../resources/device-address.ts'
import { type Dispenser, dispenser, presentSecondsOf } from '../resources/dispenser.ts'
import {
  dispenserJudgement,
  encoderJudgement,
  type HealthJudgement,
  lockSystemHealth,
} from './device-health.ts'
import { controllerView, dispenserView } from './device-views.ts'

/** What the description of a route says of one kind of device. */
type Says = Omit<Description, 'answers'>

/** A kind of device: the rows of `of`, shown as `view`, and the descriptions of its two routes. */
interface DeviceKind<R extends Resource> {
  view: Resource
  of: R
  parameter: string
  /** The row with this id. Throws a 404. */
  row(access: Access, id: string): Row<R['fields']>
  attributes(access: Access, row: Row<R['fields']>, language: Language): Record<string, unknown>
  list: Says
  one: Says
}

/** Everything that an answer is made of. `routes` are those whose operations an entry names. */
interface Devices<R extends Resource> extends DeviceKind<R> {
  store: Store
  access: Access
  routes: readonly Route[]
}

const notes =
  'The other operations have this id in their path. `operations` names those that the caller may use. The configuration is listed below `/api/config/v1`.'

const controllers: DeviceKind<typeof accessController> = {
  view: controllerView,
  of: accessController,
  parameter: 'controllerId',
  row: controllerBy,
  attributes: controllerAttributes,
  list: { id: 'listControllers', summary: 'List the controllers that make keys, and whether each is ready' },
  one: {
    id: 'readController',
    summary: 'Read what a controller can do, and whether it is ready',
    problems: ['controller-not-found'],
  },
}

const dispensers: DeviceKind<typeof dispenser> = {
  view: dispenserView,
  of: dispenser,
  parameter: 'dispenserId',
  row: dispenserBy,
  attributes: dispenserAttributes,
  list: { id: 'listCardDispensers', summary: 'List the card dispensers, and whether each is ready' },
  one: {
    id: 'readCardDispenser',
    summary: 'Read what a dispenser can do, and whether it is ready',
    notes: `${notes} For more details, read the status of the dispenser.`,
  },
}

/**
 * The routes that show the controllers and dispensers that a kiosk or a front desk uses: ids, abilities and readiness,
 * without configuration. `routes` are those whose operations the entries name. Nothing is sent to a device.
 */
export function deviceListRoutes(store: Store, access: Access, routes: readonly Route[]): Route[] {
  return [
    ...routesOf({ store, access, routes, ...controllers }),
    ...routesOf({ store, access, routes, ...dispensers }),
  ]
}

function routesOf<R extends Resource>(devices: Devices<R>): Route[] {
  const { view, parameter } = devices
  const { base, path, scopes } = view
  const route = routesAt(base)
  const all = { ...devices, routes: devices.routes.filter((each) => each.path.startsWith(`${path}/:`)) }
  const list = { notes, ...devices.list, answers: { 200: { list: view } } }
  const one = { notes, ...devices.one, answers: { 200: { one: view, queried: true } } } as const
  return [
    route('GET', path, scopes.read, list, (request) => listDevices(all, request)),
    route('GET', `${path}/:${parameter}`, scopes.read, one, (request) => readDevice(all, request)),
  ]
}

/** Filters, sorts and pages the stored rows, and shows each as an entry of the view. */
function listDevices<R extends Resource>(devices: Devices<R>, request: Request): Promise<Answer> {
  const { store, view, of } = devices
  const { reader, serializer } = store
  const requested = readQuery(withView(devices), view, request.query)
  const listed: ListSource = {
    async page(query) {
      const { documents, more } = await reader.page(of, query, serializer.shape(of), request.whenGone)
      const rows = documents.flatMap(({ id }) => reader.row(of, id) ?? [])
      return { documents: rows.map((row) => documentOf(devices, row, requested, request)), more }
    },
    total: (filters, most) => reader.total(of, filters, most, request.whenGone),
    related: (ids, relationship) => reader.related(of, ids, relationship),
  }
  return listAnswer(store, view, requested, request, listed)
}

function readDevice<R extends Resource>(devices: Devices<R>, request: Request): Answer {
  const { store, access, view, parameter } = devices
  const requested = readMemberQuery(withView(devices), view, request.query)
  const row = devices.row(access, request.params[parameter] ?? '')
  const document = documentOf(devices, row, requested, request)
  // Readiness changes without a new revision.
  return { ...singleAnswer(store, view, document, requested, request), describesMore: true }
}

function withView<R extends Resource>({ store, view }: Devices<R>): Resources {
  return new Map([...store.resources, [view.type, view]])
}

function documentOf<R extends Resource>(
  { access, view, routes, attributes }: Devices<R>,
  row: Row<R['fields']>,
  requested: RequestedQuery,
  request: Request,
): Document {
  const { id, createdAt, updatedAt, revision } = row
  const all = {
    ...attributes(access, row, preferredLanguage(request.header('accept-language'))),
    operations: operationsOf(routes, id, request),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    revision,
  }
  const chosen = requested.fields.get(view.type)
  const shown = Object.fromEntries(Object.entries(all).filter(([name]) => chosen?.has(name) ?? true))
  const links = { self: `${view.base}/${view.path}/${id}` }
  return { id, revision, text: JSON.stringify({ type: view.type, id, attributes: shown, links }) }
}

/** The operations of one device that the caller has the scope for. */
function operationsOf(routes: readonly Route[], id: string, { caller }: Request) {
  return routes
    .filter(({ scope }) => scope === null || caller.may(scope))
    .map(({ method, base, path, description }) => ({
      operationId: description.id ?? '',
      method,
      path: `${base}/${path.replace(/:\w+/, id).replaceAll(/:(\w+)/g, '{$1}')}`,
      summary: description.summary,
    }))
}

function controllerAttributes(access: Access, row: AccessController, language: Language) {
  const { state, status, messages } = controllerJudgement(access, row)
  const isOnline = state === 'online' && status !== 'fail'
  const around = row.dispenserId ? access.reader.row(dispenser, row.dispenserId) : null
  const feeds = around ? dispenserReadiness(access, around) : { isReady: true, messages: [] }
  return {
    name: row.name,
    location: row.location ?? null,
    kind: row.kind,
    keyType: row.keyType,
    dispenserId: row.dispenserId ?? null,
    cardFormats: cardFormatsOf(access, row),
    state,
    isReady: isOnline && feeds.isReady,
    ...reasonIn(language, isOnline && !feeds.isReady ? feeds.messages : messages),
  }
}

/** The health of the lock system and of the encoder: the first that is not online. */
function controllerJudgement(access: Access, row: AccessController): HealthJudgement {
  const provider = providerOf(access, row)
  if (provider.enabled === false)
    return { status: 'fail', state: 'closed', messages: [{ code: 'lock-system-off' }] }
  const parts = [
    ...lockSystemHealth(access, provider),
    ...(row.device?.path ? [encoderJudgement(access, row)] : []),
  ]
  return (
    parts.find(({ state }) => state !== 'online') ??
    parts.find(({ messages }) => messages.length > 0) ?? { status: 'pass', state: 'online', messages: [] }
  )
}

/** The kinds of card that both the lock system and the encoder support; null where no card is written here. */
function cardFormatsOf({ workshop, ...access }: Access, row: AccessController): CardFormat[] | null {
  const { driver } = providerOf(access, row)
  const system = workshop.lockDrivers.find(({ name }) => name === driver)
  if (!row.device || system?.lockMode !== 'offline-data-on-card') return null
  const encoder = driverOf(workshop.drivers, row.device)
  return system.cardFormats.filter((each) => encoder?.cardFormats?.includes(each))
}

const inService = ['active', 'accepting', 'dispensing', 'encoding', 'presenting', 'capturing']

function dispenserAttributes(access: Access, row: Dispenser, language: Language) {
  const { state, isReady, messages } = dispenserReadiness(access, row)
  return {
    name: row.name,
    acceptReturns: row.acceptReturns ?? false,
    presentTimeoutSeconds: presentSecondsOf(row),
    controllerId: row.controllerId ?? null,
    state,
    isReady,
    ...reasonIn(language, messages),
  }
}

/** Whether the dispenser can give out a card now. Without it, the controller in it makes no card either. */
function dispenserReadiness(access: Access, row: Dispenser) {
  const { state, status, messages } = dispenserJudgement(access, row)
  const isOn = row.commandedState !== 'inactive' && row.commandedState !== 'maintenance'
  return { state, isReady: isOn && status !== 'fail' && inService.includes(state), messages }
}

/** Why a device is not ready, or what is to be done soon, as one text and as its messages. */
function reasonIn(language: Language, messages: readonly Message[]) {
  return {
    reason: messagesText(language, messages),
    messages: messages.map((each) => shownMessage(language, each)),
  }
}
