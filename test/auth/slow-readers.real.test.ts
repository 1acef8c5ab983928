import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { cutSlowReaders } from '../../src/auth/limits/slow-readers.ts'
import { systemClock, type Timer } from '../../src/host/clock.ts'
import { certificates, noOpenssl } from '../pms/adapters/cloudevents/certificates.ts'

/** More than the buffers of the system take. */
const long = Buffer.alloc(32_000_000)
const answer: RequestListener = (_, response) => response.end(long)
const request = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

/** Opens a server, and a connection whose client asks and does not read. `check` is the periodic check. */
async function unread(server: Server, open: (port: number) => Socket) {
  let check = () => {}
  const timer: Timer = { cancel: () => {}, unref: () => timer }
  const setInterval = (run: () => void) => {
    check = run
    return timer
  }
  cutSlowReaders(server, { ...systemClock, setInterval })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = open((server.address() as AddressInfo).port)
  client.on('error', () => {})
  client.pause()
  client.write(request)
  const [{ socket }] = (await once(server, 'request')) as [IncomingMessage]
  return { client, check: () => check(), isCut: () => socket.destroyed }
}

const servers: [
  name: string,
  skip: false | string | boolean,
  make: () => [Server, (port: number) => Socket],
][] = [
  ['TCP', false, () => [createServer(answer), (port) => connect(port, '127.0.0.1')]],
  [
    'TLS',
    noOpenssl,
    () => [
      createHttpsServer(certificates().server, answer),
      (port) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }),
    ],
  ],
]

describe('A client that does not read its answer', () => {
  for (const [name, skip, make] of servers)
    it(`is cut off at the second check over ${name}`, { skip }, async (t) => {
      const [server, open] = make()
      const { client, check, isCut } = await unread(server, open)
      t.after(() => {
        client.destroy()
        server.closeAllConnections()
        server.close()
      })
      check()
      assert.equal(isCut(), false)
      check()
      assert.equal(isCut(), true)
    })
})
