import { positions } from '../../../devices/capability.ts'
import { type Description, documentOf, exactly } from '../../../jsonapi/description.ts'
import { metaAnswer } from '../../../jsonapi/document-answers.ts'
import { preferredLanguage } from '../../../jsonapi/locales/language.ts'
import { type Answer, type Request, type Route, routesAt } from '../../../jsonapi/route.ts'
import { bodyOf } from '../../../jsonapi/schemas/validate.ts'
import { count, text, uuid } from '../../../jsonapi/schemas/words.ts'
import { expectSeen, noContent, writeOptions } from '../../../jsonapi/write-options.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Access, Machines, Property } from '../../access.ts'
import type { DispenserHandle } from '../../handles/device-handle.ts'
import { orDeviceProblem, orNull } from '../../handles/device-problem.ts'
import { dispenserBy } from '../../lookups.ts'
import { commandedStates, type Dispenser } from '../../resources/dispenser.ts'
import { type Counters, counterNames, emptyBin, refillDispenser, setCounters } from '../dispenser-commands.ts'
import { look, shownStatus, statusSeen } from '../dispenser-status.ts'
import { dispenserStatusSchema } from '../dispenser-status-schema.ts'
import { withStartReason } from '../machine-health.ts'
import { setState } from './dispenser-control.ts'
import { placeCard } from './dispenser-place-card.ts'

const route = routesAt('/api/v2')
const path = 'access/dispensers/:dispenserId'
const operate = 'dispensers.operate'

/** Answers a request for one dispenser. */
type Handler = (access: Access, row: Dispenser, request: Request) => Promise<Answer> | Answer

/** The routes of a card dispenser for people and kiosks, and for a person who has refilled or serviced it. */
export function dispenserRoutes(access: Access): Route[] {
  const one = (handler: Handler) => (request: Request) =>
    handler(access, dispenserBy(access, request.params.dispenserId ?? ''), request)
  return [
    route('GET', `${path}/status`, 'dispensers.read', says.status, one(status)),
    route('PUT', `${path}/status/:state`, operate, says.command, one(orReason(setState))),
    route('PUT', `${path}/place-card/:cardPosition`, operate, says.placeCard, one(orReason(placeCard))),
    route('POST', `${path}/reset-cache`, operate, says.reset, one(reset)),
    route('POST', 'access/dispensers/reset-all-cache', operate, says.resetAll, () => resetAll(access)),
    route('POST', `${path}/actions/refill`, operate, says.refill, one(refill)),
    route('POST', `${path}/actions/empty-bin`, operate, says.emptyBin, one(emptied)),
    route('PATCH', `${path}/counters`, 'dispensers.service', says.counters, one(set)),
  ]
}

async function status({ devices }: Machines, row: Dispenser, request: Request): Promise<Answer> {
  const cached = devices.dispenserAt(row.id) !== null
  const handle = devices.dispenser(row)
  const seen = statusSeen(row, handle, await look(handle), cached)
  const attributes = shownStatus(seen, preferredLanguage(request.header('accept-language')))
  const data = { type: 'dispenser-status', id: row.id, attributes }
  return { status: 200, text: JSON.stringify({ data }) }
}

function reset(access: Machines, { id }: Dispenser): Answer {
  const dropped = access.devices.drop(id)
  if (!dropped)
    throw new Problem('dispenser-cache-empty', 'The dispenser is not open, so there is nothing to close.')
  watchOn(access, dropped)
  return metaAnswer({ dispenserId: id, cleared: 1 })
}

function resetAll(access: Machines): Answer {
  const dropped = access.devices.openDispensers()
  for (const { id } of dropped) access.devices.drop(id)
  const cleared = dropped.length
  for (const each of dropped) watchOn(access, each)
  const message = `${cleared} cached dispenser ${cleared === 1 ? 'handle was' : 'handles were'} cleared.`
  return metaAnswer({ cleared, message })
}

/** Answers a DeviceFault with a 502. For a machine that cannot start, the 502 names the reason. */
function orReason(handler: (...given: Parameters<Handler>) => Promise<Answer>): Handler {
  return (access, row, request) => {
    const done = handler(access, row, request).catch((error) => {
      const handle = access.devices.dispenserAt(row.id)
      throw handle ? withStartReason(handle, error) : error
    })
    return orDeviceProblem(done)
  }
}

/** Opens the machine again at once when a card is at the gate or on its way there, so that the card is watched. */
function watchOn(access: Machines, { id, guest, activity }: DispenserHandle): void {
  if (guest || activity) access.devices.dispenser(dispenserBy(access, id))
}

async function refill(access: Access, { id: dispenserId }: Dispenser, request: Request): Promise<Answer> {
  const { cards } = await bodyOf<{ cards: number }>(request, refillSchema)
  const options = writeOptions(request)
  const { estimatedCards } = await access.writer.execute(refillDispenser, { dispenserId, cards }, options)
  if (!options.dryRun) seenAnew(access, dispenserId)
  return metaAnswer({ dispenserId, estimatedCards })
}

async function emptied(access: Access, { id: dispenserId }: Dispenser, request: Request): Promise<Answer> {
  const options = writeOptions(request)
  const { binCount } = await access.writer.execute(emptyBin, { dispenserId }, options)
  if (!options.dryRun) {
    await reportEmptyBin(access, dispenserId)
    seenAnew(access, dispenserId)
  }
  return metaAnswer({ dispenserId, binCount })
}

async function set({ writer }: Property, row: Dispenser, request: Request): Promise<Answer> {
  const counters = await bodyOf<Counters>(request, countersSchema)
  expectSeen(request, row)
  const input = { dispenserId: row.id, counters }
  const { revision } = await writer.execute(setCounters, input, writeOptions(request))
  return noContent(revision)
}

/** Requests a new status of the machine. A machine with a fault restarts at once. */
function seenAnew({ devices }: Machines, dispenserId: string): void {
  const handle = devices.dispenserAt(dispenserId)
  if (!handle) return
  handle.seen = null
  if (handle.fault) handle.bay.reset()
}

/** Reports the empty bin to the machine. One that does not answer keeps its own count, and may be full too early. */
async function reportEmptyBin({ devices }: Machines, dispenserId: string): Promise<void> {
  const bay = devices.dispenserAt(dispenserId)?.bay
  if (bay?.state() === 'online') await orNull(() => bay.use(async (machine) => machine.binEmptied?.()))
}

const refillSchema = exactly({ cards: { type: 'integer', minimum: 1, maximum: 5_000 } })

const countersSchema = {
  type: 'object',
  properties: Object.fromEntries(
    counterNames.map((name) => [name, { type: 'integer', minimum: 0, maximum: 1_000_000_000 }]),
  ),
  additionalProperties: false,
}

const says = {
  status: {
    id: 'readDispenserStatus',
    summary: 'Read the status of a dispenser',
    notes:
      'If the machine does not answer, `online` is false. `handle.cached` is false if this request opened the machine.',
    answers: { 200: { schema: documentOf('dispenser-status', dispenserStatusSchema) } },
  },
  command: {
    id: 'commandDispenser',
    summary: 'Set the state of a dispenser',
    path: { state: { schema: { enum: commandedStates } } },
    answers: { 204: {} },
    trial: false,
    problems: ['unknown-state', 'dispenser-state', 'dispenser-busy-with-guest'],
    device: true,
  },
  placeCard: {
    id: 'placeCard',
    summary: 'Move the card in a dispenser',
    notes:
      'A card without a live key is moved to the gate only with the scope dispensers.service. A card that is not taken from the gate in time is captured, or held inside.',
    path: { cardPosition: { schema: { enum: positions } } },
    answers: { 204: {} },
    trial: false,
    problems: [
      'unknown-position',
      'position-not-supported',
      'no-card-in-path',
      'key-not-live',
      'dispenser-busy-with-guest',
    ],
    device: true,
  },
  reset: {
    id: 'resetDispenserCache',
    summary: 'Close the connection to a dispenser',
    notes: 'The next request opens it again. If a card waits at the gate, it is opened again at once.',
    answers: { 200: { schema: exactly({ meta: exactly({ dispenserId: uuid, cleared: { const: 1 } }) }) } },
    trial: false,
    problems: ['dispenser-cache-empty'],
  },
  resetAll: {
    id: 'resetAllDispenserCaches',
    summary: 'Close the connections to all dispensers',
    answers: { 200: { schema: exactly({ meta: exactly({ cleared: count, message: text }) }) } },
    trial: false,
  },
  refill: {
    id: 'refillDispenser',
    summary: 'Report how many cards were filled in',
    notes:
      'The number is added to the estimated cards. If the estimate is unknown, the number is the new estimate. Fill in the cards before this request: while the sensor sees no card, the estimate is 0.',
    body: { schema: refillSchema, example: { cards: 50 } },
    answers: {
      200: { schema: exactly({ meta: exactly({ dispenserId: uuid, estimatedCards: count }) }) },
    },
  },
  emptyBin: {
    id: 'emptyDispenserBin',
    summary: 'Report that the bin was emptied',
    answers: { 200: { schema: exactly({ meta: exactly({ dispenserId: uuid, binCount: count }) }) } },
  },
  counters: {
    id: 'setDispenserCounters',
    summary: 'Set counters of a dispenser that is in maintenance',
    notes: 'Send `{"sinceService": 0}` after a service, and all counters when the machine was replaced.',
    body: { schema: countersSchema, example: { sinceService: 0 } },
    answers: { 204: {} },
    problems: ['dispenser-state', 'revision-mismatch'],
  },
} satisfies Record<string, Description>
