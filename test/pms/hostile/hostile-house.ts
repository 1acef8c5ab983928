import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { cloudEvents } from '../../../src/pms/adapters/cloudevents/cloudevents.ts'
import { standalone } from '../../../src/pms/adapters/standalone/standalone.ts'
import { type SimulatedPms, simulatedPms } from '../../../src/simulators/cloudevents/simulated-pms.ts'
import { sampleUnits, unitsIn } from '../../../src/simulators/cloudevents/units.ts'
import { type MadeStay, openHouse, type ReservationHouse } from '../../reservation/api/house.ts'
import { passTime } from '../../test-clock.ts'
import { aReservation } from '../adapters/adapter-contract.ts'
import { eventually } from '../sync/linked-house.ts'

/** What the status and the quarantine of a house say of its PMS. */
interface Watched extends ReservationHouse {
  /** The sentences with which the status warns of the PMS. */
  warnings(): Promise<string[]>
  quarantined(): Promise<{ id: string; attributes: Record<string, unknown> }[]>
}

/** A house with a PMS of any protocol that a test makes hostile; the clock of both is that of the house. */
export interface HealingHouse extends Watched {
  /** Prepares a change here that the PMS is to learn. The returned function makes it, and returns whether the PMS has it now. */
  toSend(): Promise<() => Promise<() => boolean>>
  /** Enters something at the PMS, and returns whether the house has it now. */
  book(comment: string): () => Promise<boolean>
}

/** The same with a PMS that speaks CloudEvents. */
export interface HostileHouse extends HealingHouse {
  pms: SimulatedPms
  configuration: string
}

/** The unit type of the stays that are checked in here. */
const roomType = 'HOST'
const heartbeatSeconds = 10
export const timeoutMs = 5_000

export async function openHostileHouse(
  connect: (pms: SimulatedPms, house: ReservationHouse) => Promise<Record<string, unknown>>,
  rooms: number,
): Promise<HostileHouse> {
  const house = (await openHouse({ adapters: [standalone, cloudEvents] })) as HostileHouse
  const units = { ...unitsIn(sampleUnits)!, [roomType]: [] }
  const pms = simulatedPms({ clock: house.clock, units })
  const { unitTypeId, unitIds } = await house.rooms(rooms, { code: roomType })
  const id = await house.make('/api/config/v1/pms-configurations', {
    name: 'Grand PMS',
    adapter: 'cloudevents',
    heartbeatSeconds,
    timeoutMs,
    ...(await connect(pms, house)),
  })
  house.pms = pms
  house.configuration = `/api/config/v1/pms-configurations/${id}`
  watch(house)
  const statusThere = ({ reservation }: MadeStay) => {
    const externalId = pms.book.byLocalId.get(reservation.split('/').at(-1) ?? '')
    return pms.book.reservations.get(externalId ?? '')?.value?.stays[0]?.status
  }
  house.toSend = async () => {
    const unitId = unitIds.shift()
    assert.ok(unitId, 'a room for each guest')
    const stay = await house.stay({ units: [{ unitTypeId, unitId }] })
    await eventually('the PMS knows the stay', () => statusThere(stay) === 'Confirmed')
    return async () => {
      const checkedIn = await house.ask('PATCH', stay.path, { body: { status: 'InHouse' } })
      assert.equal(checkedIn.status, 204, checkedIn.text)
      return () => statusThere(stay) === 'InHouse'
    }
  }
  house.book = (comment) => {
    pms.book.make(aReservation(comment))
    return async () => {
      const path = `/api/v2/reservations?filter[comment]=${encodeURIComponent(comment)}`
      return (await house.ask('GET', path)).body.data.length === 1
    }
  }
  const isLinked = async () =>
    (await house.ask('GET', `${house.configuration}/sync`)).body.data.attributes.inStepAt !== null
  await eventually('the house is linked', isLinked)
  return house
}

/** Gives a house what `expectHealing` looks at. */
export function watch(house: Watched): void {
  house.warnings = async () => {
    const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
    const found = [...(checks['pms:state'] ?? []), ...(checks['pms:in-step'] ?? [])] as {
      status: string
      output?: string
    }[]
    return found.flatMap(({ status, output = '' }) => (status === 'pass' ? [] : [output]))
  }
  house.quarantined = async () =>
    (await house.ask('GET', '/api/config/v1/quarantined-messages?page[size]=100')).body.data
}

/** An answer of a hostile PMS to a request for changes. */
export type Answer = (response: ServerResponse, request: { after: string | null }) => void

/** An HTTP wire to a PMS, at which requests for changes are answered by `hostile` while it is set. */
export interface HostileWire {
  baseUrl: string
  hostile: Answer | null
  /** Requests for changes so far. */
  asked: number
  close(): Promise<void>
}

export async function hostileWire(target: string): Promise<HostileWire> {
  const wire = { hostile: null, asked: 0 } as unknown as HostileWire
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', target)
    if (url.pathname !== '/changes') return passed(url, request, response)
    wire.asked++
    if (!wire.hostile) return passed(url, request, response)
    response.on('error', () => {})
    wire.hostile(response, { after: url.searchParams.get('after') })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  wire.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  wire.close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  return wire
}

function passed(url: URL, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = incoming
  const outgoing = requestTo(url, { method, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 500, reply.headers)
    reply.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
}

/** What is to be so of each kind of a hostile PMS. */
export interface Expected {
  /** What the status says within a minute. */
  says: RegExp
  /** The kind of its messages in the quarantine, and how many there are; one unless said otherwise. */
  quarantined?: { kind: string; count?: number | 'many' }
  /** Whether what is booked at the PMS arrives meanwhile. */
  arrives?: boolean
  /** Whether what is changed here reaches the PMS meanwhile; true unless said otherwise. */
  reaches?: boolean
}

/**
 * Makes the PMS hostile, and looks whether the status says within a minute what is wrong, a change here is sent meanwhile, and all is
 * well again, without a person, within two minutes once the PMS is.
 */
export async function expectHealing(
  house: HealingHouse,
  what: string,
  { says, quarantined, arrives = false, reaches = true }: Expected,
  { begin, end }: { begin(): Promise<void> | void; end(): Promise<void> | void },
): Promise<void> {
  const send = await house.toSend()
  let isThere = () => false
  await begin()
  const isHere = house.book(what)
  try {
    await within(house, 60_000, house.warnings, (all) => says.test(all.join(' ')))
    isThere = await send()
    if (reaches) await within(house, 60_000, isThere, Boolean)
    if (arrives) await within(house, 60_000, isHere, Boolean)
    const { kind = '', count = 1 } = quarantined ?? { count: 0 }
    const messages = (await house.quarantined()).map(({ attributes }) => attributes)
    assert.deepEqual(
      messages.map((each) => each.kind),
      Array(count === 'many' ? messages.length : count).fill(kind),
    )
    for (const { payload } of messages) assert.ok(Buffer.byteLength(String(payload)) <= 65_536)
  } finally {
    await end()
  }
  await within(
    house,
    120_000,
    async () => [(await isHere()) && isThere(), ...(await house.warnings())],
    isWell,
  )
  assert.deepEqual(await house.quarantined(), [])
}

const isWell = (seen: unknown[]) => seen.length === 1 && seen[0] === true

/** Looks again and again until it is so, and fails when it is not so after `ms` of the clock. */
async function within<T>(
  { clock }: Pick<HealingHouse, 'clock'>,
  ms: number,
  look: () => Promise<T> | T,
  isSo: (seen: T) => boolean,
): Promise<void> {
  const from = clock.now()
  for (let pause = 500; ; pause = Math.min(5_000, pause * 1.5)) {
    const seen = await look()
    if (isSo(seen)) return
    assert.ok(clock.now() - from <= ms, `${isSo} after ${ms} ms; last seen: ${inspect(seen)}`)
    await passTime(pause)
  }
}
