import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { requestLimit } from '../../pms/adapters/mews/pace.ts'
import type { MewsReservation } from '../../pms/adapters/mews/records.ts'
import { closed, listening } from '../listening.ts'
import { guestOperations } from './operations/guests.ts'
import { type Body, Refused } from './operations/operation.ts'
import { propertyOperations } from './operations/property.ts'
import { reservationOperations } from './operations/reservations.ts'
import { requestCounter } from './request-counter.ts'
import { type SimulatedMews, simulatedProperty } from './simulated-property.ts'
import { simulatedSocket } from './simulated-socket.ts'

interface MewsOptions {
  host?: string
  /** Default: any free port. */
  port?: number
  /** Unix milliseconds: the time of Mews advances from here by a second with each change. */
  startMs: number
  /** The clock of Mews instead. With it, more requests than Mews allows are refused. */
  now?(): number
  /** Called for each reservation that a request has changed. */
  changed?(operation: string, record: MewsReservation): void
}

/** The maximum number of remembered requests. */
const mostRemembered = 50_000

/** Serves a simulated property. Rejects with the system's error when the port is not available. */
export async function simulatedMews(options: MewsOptions): Promise<SimulatedMews> {
  const { host = '127.0.0.1', port = 0, now, changed = () => {} } = options
  const mews = simulatedProperty(options)
  const operations = {
    ...reservationOperations(mews),
    ...guestOperations(mews),
    ...propertyOperations(mews),
  }
  const counter = requestCounter(requestLimit)

  function carriedOut(operation: string, body: Body): [status: number, body: unknown] {
    try {
      const done = operations[operation]
      if (!done) return [404, { Message: 'There is no such operation.' }]
      const said = done(body)
      for (const record of namedIn(body, mews)) changed(operation, record)
      return [200, said]
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return [error.status, { Message: error.message }]
    }
  }

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
    const waitSeconds = now ? counter.waitSeconds(now()) : 0
    if (waitSeconds > 0) {
      mews.limited++
      return answer(response, 429, { Message: 'Too many requests.' }, waitSeconds)
    }
    await mews.slow?.()
    const at = mews.faults.findIndex((fault) => fault.at === operation)
    const [fault] = at < 0 ? [] : mews.faults.splice(at, 1)
    fault?.taken?.()
    if (fault?.does === 'silence') return
    if (fault?.does === 'cut-before') return void response.destroy()
    if (fault?.does === 'null') return answer(response, 200, null)
    if (typeof fault?.does === 'number')
      return answer(response, fault.does, { Message: fault.message ?? 'A fault that a test has asked for.' })
    const done = carriedOut(operation, rest)
    if (fault?.does === 'cut-after') return void response.destroy()
    answer(response, ...done)
  })
  const socket = simulatedSocket(server, mews)
  mews.send = socket.send
  mews.cutSockets = socket.cut
  const at = await listening(server, host, port)
  mews.platformAddress = `http://${at}`
  mews.webSocketAddress = `ws://${at}`
  mews.close = () => {
    socket.cut()
    return closed(server)
  }
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

function answer(response: ServerResponse, status: number, body: unknown, retryAfterSeconds = 30): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 429 && { 'retry-after': String(retryAfterSeconds) }),
  })
  response.end(JSON.stringify(body))
}
