import { randomUUID } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { MewsCompanionship, MewsCustomer, MewsReservation } from '../records.ts'

type Body = Record<string, unknown>

/** A fault of the next request of an operation; it strikes once. */
export interface MewsFault {
  at: string
  /** `silence`: no answer; `cut-before`, `cut-after`: the connection ends before or after the execution; a number is a status; `null` is the JSON value. */
  does: 'silence' | 'cut-before' | 'cut-after' | 'null' | number
  message?: string
  /** Called when it strikes. */
  taken?(): void
}

/** A simulated property at Mews. */
export interface SimulatedMews {
  platformAddress: string
  serviceId: string
  clientToken: string
  accessToken: string
  reservations: Map<string, MewsReservation>
  customers: Map<string, MewsCustomer>
  companionships: MewsCompanionship[]
  /** Rooms by name; the category as its code. */
  rooms: Map<string, { id: string; category: string }>
  faults: MewsFault[]
  /** The requests, in the order of arrival. */
  asked: { operation: string; body: Body }[]
  /** Makes a reservation, and returns its id. */
  book(over?: Partial<MewsReservation> & { LastName?: string; FirstName?: string; room?: string }): string
  /** Changes a reservation, and the time of its last change. */
  change(id: string, over: Partial<MewsReservation>): void
  categoryId(code: string): string
  /** Awaited before each answer, when set. */
  slow?: () => Promise<void>
  /** The time of Mews, Unix milliseconds; half a second after the last change without a clock. */
  now(): number
  close(): Promise<void>
}

interface MewsOptions {
  host?: string
  /** Default: any free port. */
  port?: number
  /** Unix milliseconds: the time of Mews advances from here by a second with each change. */
  startMs: number
  /** The clock of Mews instead. */
  now?(): number
  /** Called for each reservation that a request has changed. */
  changed?(operation: string, record: MewsReservation): void
}

const stepMs = 1_000
/** The maximum number of remembered requests. */
const mostRemembered = 10_000
const ages = { adult: '11111111-0000-4000-8000-000000000001', child: '11111111-0000-4000-8000-000000000002' }
export const simulatedAges = ages

/** Serves a simulated property. Rejects with the system's error when the port is not available. */
export async function simulatedMews(options: MewsOptions): Promise<SimulatedMews> {
  const { host = '127.0.0.1', port = 0, startMs, now, changed = () => {} } = options
  const categories = new Map<string, string>()
  let clock = startMs
  const moment = () => {
    clock = now ? Math.max(clock + 1, now()) : clock + stepMs
    return new Date(clock).toISOString()
  }
  const categoryId = (code: string) => {
    const id = categories.get(code) ?? randomUUID()
    categories.set(code, id)
    return id
  }

  const mews: SimulatedMews = {
    platformAddress: '',
    serviceId: randomUUID(),
    clientToken: 'CLIENT',
    accessToken: 'ACCESS',
    reservations: new Map(),
    customers: new Map(),
    companionships: [],
    rooms: new Map(),
    faults: [],
    asked: [],
    book({ LastName = 'García', FirstName = 'Sofía', room, ...over } = {}) {
      const customer = { Id: randomUUID(), LastName, FirstName, LanguageCode: 'es-ES', NationalityCode: 'ES' }
      mews.customers.set(customer.Id, customer)
      const record: MewsReservation = {
        Id: randomUUID(),
        ServiceId: mews.serviceId,
        GroupId: randomUUID(),
        AccountId: customer.Id,
        AccountType: 'Customer',
        Number: String(100 + mews.reservations.size),
        State: 'Confirmed',
        UpdatedUtc: moment(),
        ScheduledStartUtc: new Date(startMs).toISOString(),
        ScheduledEndUtc: new Date(startMs + 2 * 86_400_000).toISOString(),
        RequestedResourceCategoryId: categoryId('DBL'),
        AssignedResourceId: room === undefined ? null : (mews.rooms.get(room)?.id ?? null),
        PersonCounts: [{ AgeCategoryId: ages.adult, Count: 2 }],
        ...over,
      }
      mews.reservations.set(record.Id, record)
      return record.Id
    },
    change(id, over) {
      const record = mews.reservations.get(id)
      if (record) mews.reservations.set(id, { ...record, ...over, UpdatedUtc: moment() })
    },
    categoryId,
    now: () => now?.() ?? clock + stepMs / 2,
    close: async () => {},
  }

  const operations = operationsOf(mews, categories)
  const server = createServer(async (request, response) => {
    const operation = (request.url ?? '').replace('/api/connector/v1/', '')
    const body = JSON.parse((await text(request)) || '{}') as Body
    const { ClientToken, AccessToken, Client: _, ...rest } = body
    mews.asked.push({ operation, body: rest })
    if (mews.asked.length > mostRemembered) mews.asked.shift()
    if (ClientToken !== mews.clientToken || AccessToken !== mews.accessToken) {
      return answer(response, 401, { Message: 'Invalid AccessToken.' })
    }
    response.setHeader('date', new Date(mews.now()).toUTCString())
    await mews.slow?.()
    const at = mews.faults.findIndex((fault) => fault.at === operation)
    const [fault] = at < 0 ? [] : mews.faults.splice(at, 1)
    fault?.taken?.()
    if (fault?.does === 'silence') return
    if (fault?.does === 'cut-before') return void response.destroy()
    if (fault?.does === 'null') return answer(response, 200, null)
    if (typeof fault?.does === 'number')
      return answer(response, fault.does, { Message: fault.message ?? 'As told.' })
    const done = operations[operation]?.(rest) ?? [404, { Message: 'There is no such operation.' }]
    if (done[0] === 200) for (const record of namedIn(rest, mews)) changed(operation, record)
    if (fault?.does === 'cut-after') return void response.destroy()
    answer(response, ...done)
  })
  await listening(server, host, port)
  mews.platformAddress = `http://${host}:${(server.address() as AddressInfo).port}`
  mews.close = () => closed(server)
  return mews
}

/** The reservations that a request changes. */
function namedIn(body: Body, { reservations }: SimulatedMews): MewsReservation[] {
  const { ReservationId, ReservationIds, ReservationUpdates, Limitation } = body
  if (Limitation) return []
  const ids = [
    ReservationId,
    ...((ReservationIds as unknown[] | undefined) ?? []),
    ...((ReservationUpdates as Body[] | undefined) ?? []).map((update) => update.ReservationId),
  ]
  return ids.flatMap((id) => reservations.get(String(id)) ?? [])
}

type Operation = (body: Body) => [status: number, body: unknown]

function operationsOf(mews: SimulatedMews, categories: Map<string, string>): Record<string, Operation> {
  const idsIn = (body: Body, name: string) => (body[name] as string[] | undefined) ?? null
  const one = (body: Body) => mews.reservations.get(String(body.ReservationId))

  /** Changes the state of a reservation, when it has one of the earlier states. */
  function moved(
    record: MewsReservation | undefined,
    from: readonly string[],
    to: string,
  ): [number, unknown] {
    if (!record) return [400, { Message: 'Invalid ReservationId.' }]
    if (!from.includes(record.State)) return [403, { Message: `The reservation is ${record.State}.` }]
    mews.change(record.Id, { State: to })
    return [200, {}]
  }

  return {
    'reservations/getAll/2023-06-06'(body) {
      const ids = idsIn(body, 'ReservationIds')
      const states = idsIn(body, 'States')
      const found = [...mews.reservations.values()].filter(
        (record) =>
          (!ids || ids.includes(record.Id)) &&
          (!states || states.includes(record.State)) &&
          within(body.UpdatedUtc, record.UpdatedUtc) &&
          within(body.ScheduledStartUtc, record.ScheduledStartUtc),
      )
      return [200, paged('Reservations', found, body)]
    },
    'companionships/getAll': (body) => {
      const ids = idsIn(body, 'ReservationIds') ?? []
      const found = mews.companionships.filter(({ ReservationId }) => ids.includes(ReservationId ?? ''))
      return [200, { Companionships: found, Cursor: null }]
    },
    'customers/getAll': (body) => {
      const ids = idsIn(body, 'CustomerIds') ?? []
      return [200, { Customers: ids.flatMap((id) => mews.customers.get(id) ?? []), Cursor: null }]
    },
    'resources/getAll': () => [
      200,
      { Resources: [...mews.rooms].map(([Name, { id: Id }]) => ({ Id, Name })), Cursor: null },
    ],
    'resourceCategories/getAll': () => [
      200,
      {
        ResourceCategories: [...categories].map(([code, Id]) => ({ Id, ShortNames: { 'en-US': code } })),
        Cursor: null,
      },
    ],
    'resourceCategoryAssignments/getAll': () => [
      200,
      {
        ResourceCategoryAssignments: [...mews.rooms.values()].map(({ id: ResourceId, category }) => ({
          ResourceId,
          CategoryId: mews.categoryId(category),
        })),
        Cursor: null,
      },
    ],
    'ageCategories/getAll': () => [
      200,
      {
        AgeCategories: [
          { Id: ages.adult, Classification: 'Adult' },
          { Id: ages.child, Classification: 'Child' },
        ],
        Cursor: null,
      },
    ],
    'reservations/start': (body) =>
      one(body)?.AssignedResourceId === null
        ? [403, { Message: 'No room is assigned.' }]
        : moved(one(body), ['Confirmed'], 'Started'),
    'reservations/process': (body) => moved(one(body), ['Started'], 'Processed'),
    'reservations/cancel'({ ReservationIds }) {
      const [id = ''] = ReservationIds as string[]
      return moved(mews.reservations.get(id), ['Confirmed', 'Optional', 'Requested', 'Inquired'], 'Canceled')
    },
    'reservations/update'({ ReservationUpdates }) {
      for (const update of ReservationUpdates as Record<string, { Value: string | null }>[]) {
        const { ReservationId, StartUtc, EndUtc, AssignedResourceId } = update
        mews.change(String(ReservationId), {
          ...(StartUtc?.Value && { ScheduledStartUtc: StartUtc.Value }),
          ...(EndUtc?.Value && { ScheduledEndUtc: EndUtc.Value }),
          ...(AssignedResourceId && { AssignedResourceId: AssignedResourceId.Value }),
        })
      }
      return [200, {}]
    },
  }
}

/** One page, the newest first; the cursor is the id of the last item. */
function paged(member: string, found: MewsReservation[], { Limitation }: Body): Body {
  const { Count, Cursor = null } = Limitation as { Count: number; Cursor?: string | null }
  const sorted = found.toSorted((one, other) => other.UpdatedUtc.localeCompare(one.UpdatedUtc))
  const from = Cursor === null ? 0 : sorted.findIndex(({ Id }) => Id === Cursor) + 1
  const page = sorted.slice(from, from + Count)
  return { [member]: page, Cursor: page.at(-1)?.Id ?? null }
}

function within(interval: unknown, moment: string): boolean {
  if (!interval) return true
  const { StartUtc, EndUtc } = interval as { StartUtc: string; EndUtc: string }
  const at = Date.parse(moment)
  return at >= Date.parse(StartUtc) && at <= Date.parse(EndUtc)
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 429 && { 'retry-after': '30' }),
  })
  response.end(JSON.stringify(body))
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
