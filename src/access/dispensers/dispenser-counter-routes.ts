import { DeviceFault } from '../../devices/fault.ts'
import { type Description, exactly } from '../../jsonapi/description.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { validate } from '../../jsonapi/schemas/validate.ts'
import { expectSeen, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import type { Machines, Property } from '../access.ts'
import { dispenserBy } from '../lookups.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { emptyBin, refillDispenser, setCounters } from './dispenser-commands.ts'
import { type Counters, counterNames } from './dispenser-counts.ts'

const route = routesAt('/api/v2')
const one = 'access/dispensers/:dispenserId'

/** The routes for a person who has refilled cards, emptied the bin or serviced the machine. */
export function dispenserCounterRoutes(access: Property & Machines): Route[] {
  const row = (request: Request) => dispenserBy(access, request.params.dispenserId ?? '')
  return [
    route('POST', `${one}/actions/refill`, 'dispensers.operate', says.refill, (request) =>
      refill(access, row(request), request),
    ),
    route('POST', `${one}/actions/empty-bin`, 'dispensers.operate', says.emptyBin, (request) =>
      emptied(access, row(request), request),
    ),
    route('PATCH', `${one}/counters`, 'dispensers.service', says.counters, (request) =>
      set(access, row(request), request),
    ),
  ]
}

async function refill(
  access: Property & Machines,
  { id: dispenserId }: Dispenser,
  request: Request,
): Promise<Answer> {
  const { cards } = await bodyOf<{ cards: number }>(request, refillSchema)
  const options = writeOptions(request)
  const { estimatedCards } = await access.writer.execute(refillDispenser, { dispenserId, cards }, options)
  if (!options.dryRun) seenAnew(access, dispenserId)
  return { status: 200, text: JSON.stringify({ meta: { dispenserId, estimatedCards } }) }
}

async function emptied(
  access: Property & Machines,
  { id: dispenserId }: Dispenser,
  request: Request,
): Promise<Answer> {
  const options = writeOptions(request)
  const { binCount } = await access.writer.execute(emptyBin, { dispenserId }, options)
  if (!options.dryRun) await reportEmptyBin(access, dispenserId)
  if (!options.dryRun) seenAnew(access, dispenserId)
  return { status: 200, text: JSON.stringify({ meta: { dispenserId, binCount } }) }
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

/**
 * Reports to the machine that its bin was emptied. A machine that does not answer keeps its own count. Once that is
 * full, it refuses to capture until a person reports the empty bin again.
 */
async function reportEmptyBin({ devices }: Machines, dispenserId: string): Promise<void> {
  const bay = devices.dispenserAt(dispenserId)?.bay
  if (bay?.state() !== 'online') return
  await bay
    .use(async (machine) => machine.binEmptied?.())
    .catch((error) => {
      if (!(error instanceof DeviceFault)) throw error
    })
}

async function bodyOf<Body>(request: Request, schema: Record<string, unknown>): Promise<Body> {
  const body = (await request.body()) ?? {}
  await validate(schema, body)
  return body as Body
}

const uuid = { type: 'string', format: 'uuid' }
const count = { type: 'integer', minimum: 0 }

const refillSchema = {
  type: 'object',
  properties: { cards: { type: 'integer', minimum: 1, maximum: 5_000 } },
  required: ['cards'],
  additionalProperties: false,
}

const countersSchema = {
  type: 'object',
  properties: Object.fromEntries(
    counterNames.map((name) => [name, { type: 'integer', minimum: 0, maximum: 1_000_000_000 }]),
  ),
  additionalProperties: false,
}

const says = {
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
