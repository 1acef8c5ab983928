import { once } from 'node:events'
import { request } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { connect, type PeerCertificate } from 'node:tls'
import type { OwnNames } from '../../src/certificate/make-certificate.ts'
import { startAppliance, type TestAppliance, type TestOptions } from '../appliance.ts'

/** The machine that these tests take the box for. */
export const machine: OwnNames = { names: ['porter', 'porter.local'], addresses: ['192.168.1.10'] }

export interface SecuredReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
  body: any
}

export interface SecuredHouse extends TestAppliance {
  /** Asks over TLS, and trusts what `/ca.crt` has given unless the certificate is of no interest. */
  over(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<SecuredReply>
  /** What a client sees that trusts these authorities only, and opens the box by this name or address. */
  seen(ca: string, name: string): Promise<PeerCertificate>
  port: number
}

/** An empty house that other machines can reach, with an administrator's token. */
export async function securedHouse(options: TestOptions = {}): Promise<SecuredHouse> {
  const house = (await startAppliance({
    host: '0.0.0.0',
    sample: false,
    timeZone: 'Europe/Lisbon',
    country: 'PT',
    network: () => machine,
    ...options,
  })) as SecuredHouse
  let token = ''
  Object.defineProperty(house, 'port', { get: () => Number(new URL(house.appliance.url).port) })
  house.over = (method, path, { body, headers = {} } = {}) =>
    house.during(
      asked(house.port, method, path, body, {
        Accept: 'application/vnd.api+json, */*',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      }),
    )
  house.seen = (ca, name) => house.during(seenAt(house.port, ca, name))
  const code = house.appliance.pairingCode
  if (code) {
    const paired = await house.over('POST', '/api/config/v1/pairing', { body: { code } })
    token = paired.body.meta.token
  }
  return house
}

async function asked(
  port: number,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<SecuredReply> {
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers,
    rejectUnauthorized: false,
    agent: false,
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, 'response')
  const bytes = await buffer(response)
  const isJson = /json/.test(response.headers['content-type'] ?? '')
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes,
    body: isJson ? JSON.parse(`${bytes}`) : null,
  }
}

/** What a client sees at a port that trusts these authorities only, and opens the box by this name or address. */
export async function seenAt(port: number, ca: string, name: string): Promise<PeerCertificate> {
  // The address stands for the name, as a resolver would tell.
  const socket = connect({
    port,
    host: '127.0.0.1',
    ca,
    servername: /^[\d.]+$/.test(name) ? '' : name,
    checkServerIdentity: (_, certificate) => checked(name, certificate),
  })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerCertificate()
  } finally {
    socket.destroy()
  }
}

const { checkServerIdentity: checked } = process.getBuiltinModule('node:tls')
