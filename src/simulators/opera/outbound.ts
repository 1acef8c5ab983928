import { createServer, type Server } from 'node:http'

import { text } from 'node:stream/consumers'
import type { Clock } from '../../host/clock.ts'
import { listening } from '../listening.ts'
import type { Body } from './gateway.ts'

interface DoorLockInterface {
  /** Where OPERA reaches the relay. */
  relayUrl: string
  hotelId: string
  user: string
  password: string
  clock: Pick<Clock, 'timeout'>
}

/** OPERA's clerk orders a key, as the Outbound System Service does: one request, whose answer is waited for 20 s. */
export async function orderRoomKey(
  { relayUrl, hotelId, user, password, clock }: DoorLockInterface,
  order: Body,
): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${relayUrl}/fof/v1/hotels/${hotelId}/roomKeysOutbound`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(order),
    signal: clock.timeout(20_000),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

/** An order with all members that OPERA requires. */
export function roomKeyOrder(over: Body = {}): Body {
  return {
    encoderId: 'DESK1',
    encoderTerminal: 'FRONT',
    keyType: 'New',
    noOfKeys: 1,
    keyValidityStart: '2026-06-01T16:00:00',
    keyValidityEnd: '2026-06-03T11:00:00',
    keyRequestTime: '2026-06-01T16:00:00',
    roomKeyType: 'HardKey',
    keyUserType: 'Guest',
    ...over,
  }
}

/** The relay that the hotel runs: it forwards each order to the callback address of the appliance, and its answer back. */
export async function simulatedRelay(callbackUrl: string): Promise<{ relayUrl: string; close(): void }> {
  const server: Server = createServer(async (request, response) => {
    const answer = await fetch(callbackUrl, {
      method: 'POST',
      headers: {
        authorization: request.headers.authorization ?? '',
        'content-type': request.headers['content-type'] ?? '',
      },
      body: await text(request),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  const relayUrl = `http://${await listening(server, '127.0.0.1', 0)}`
  return { relayUrl, close: () => void server.close() }
}
