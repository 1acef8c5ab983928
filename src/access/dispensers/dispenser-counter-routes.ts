import { DeviceFault } from '../../devices/fault.ts'
import { type Description, exactly } from '../../jsonapi/description.ts'
import { noContent, type Request, type Route } from '../../jsonapi/route.ts'
import { validate } from '../../jsonapi/validate.ts'
import { expectSeen, writeOptions } from '../../jsonapi/write-options.ts'
import type { Access } from '../access.ts'
import { emptyBin, refillDispenser, setCounters } from './dispenser-changes.ts'
import { type Counters, counterNames } from './dispenser-counts.ts'

const base = '/api/v2'
const one = 'access/dispensers/:dispenserId'

/** What a person says who has filled in cards, emptied the bin or serviced the machine. */
export function dispenserCounterRoutes(access: Access): Route[] {
  const { door } = access
  const row = (request: Request) => access.dispenserBy(request.params.dispenserId ?? '')

  /** It is looked at anew; one that stood in a fault tries at once whether it is well now. */
  function seenAnew(dispenserId: string): void {
    const handle = access.open.dispenserAt(dispenserId)
    if (!handle) return
    handle.seen = null
    if (handle.fault) handle.bay.reset()
  }

  /** A machine that cannot be told now refuses to capture when its own count is full, and the bin is emptied again. */
  async function toldOfEmptyBin(dispenserId: string): Promise<void> {
    const bay = access.open.dispenserAt(dispenserId)?.bay
    if (bay?.state() !== 'online') return
    await bay
      .use(async (machine) => machine.binEmptied?.())
      .catch((error) => {
        if (!(error instanceof DeviceFault)) throw error
      })
  }

  return [
    {
      method: 'POST',
      path: `${one}/actions/refill`,
      base,
      scope: 'dispensers.operate',
      description: says.refill,
      handle: async (request) => {
        const { id: dispenserId } = row(request)
        const { cards } = await bodyOf<{ cards: number }>(request, refillSchema)
        const options = writeOptions(request)
        const { estimatedCards } = await door.write(refillDispenser, { dispenserId, cards }, options)
        if (!options.dryRun) seenAnew(dispenserId)
        return { status: 200, text: JSON.stringify({ meta: { dispenserId, estimatedCards } }) }
      },
    },
    {
      method: 'POST',
      path: `${one}/actions/empty-bin`,
      base,
      scope: 'dispensers.operate',
      description: says.emptyBin,
      handle: async (request) => {
        const { id: dispenserId } = row(request)
        const options = writeOptions(request)
        const { binCount } = await door.write(emptyBin, { dispenserId }, options)
        if (!options.dryRun) await toldOfEmptyBin(dispenserId)
        if (!options.dryRun) seenAnew(dispenserId)
        return { status: 200, text: JSON.stringify({ meta: { dispenserId, binCount } }) }
      },
    },
    {
      method: 'PATCH',
      path: `${one}/counters`,
      base,
      scope: 'dispensers.service',
      description: says.counters,
      handle: async (request) => {
        const found = row(request)
        const counters = await bodyOf<Counters>(request, countersSchema)
        expectSeen(request, found)
        const input = { dispenserId: found.id, counters }
        const { revision } = await door.write(setCounters, input, writeOptions(request))
        return noContent(revision)
      },
    },
  ]
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
    summary: 'Say how many cards were filled in',
    notes:
      'They are added to what is left; where nobody knew how much that is, there are at least these. Fill them in first: a sensor that still sees no card is believed.',
    body: { schema: refillSchema, example: { cards: 50 } },
    answers: {
      200: { schema: exactly({ meta: exactly({ dispenserId: uuid, estimatedCards: count }) }) },
    },
  },
  emptyBin: {
    id: 'emptyDispenserBin',
    summary: 'Say that the bin was emptied',
    answers: { 200: { schema: exactly({ meta: exactly({ dispenserId: uuid, binCount: count }) }) } },
  },
  counters: {
    id: 'setDispenserCounters',
    summary: 'Set counters of a dispenser that is in maintenance',
    notes: 'After a service `{"sinceService": 0}`; all of them when a machine is replaced.',
    body: { schema: countersSchema, example: { sinceService: 0 } },
    answers: { 204: {} },
    problems: ['dispenser-state', 'revision-mismatch'],
  },
} satisfies Record<string, Description>
