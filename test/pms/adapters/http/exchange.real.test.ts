import assert from 'node:assert/strict'
import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test'
import { AddressRefused } from '../../../../src/devices/network/peer-address.ts'
import { type HttpRequest, httpClient, NoAnswer } from '../../../../src/pms/adapters/http/exchange.ts'

let server: Server
/** The paths that were asked for, and those of them at which the connection is cut, each once. */
let asked: string[]
let cutAt: string[]
let pms: ReturnType<typeof httpClient>

beforeEach(async () => {
  asked = []
  cutAt = []
  pms = httpClient({})
  server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    if (cutAt.includes(path)) {
      cutAt.splice(cutAt.indexOf(path), 1)
      request.socket.destroy()
    } else response.end('done')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  pms.close()
  server.closeAllConnections()
  server.close()
})

function asking(path: string, mayRepeat: boolean): HttpRequest {
  const { port } = server.address() as AddressInfo
  return {
    method: 'POST',
    url: new URL(`http://127.0.0.1:${port}${path}`),
    headers: {},
    body: '{}',
    signal: AbortSignal.timeout(5_000),
    largest: 1_000,
    mayRepeat,
  }
}

const isUnknown = (error: unknown) => error instanceof NoAnswer && error.sent

describe('a request over a kept connection that ends', () => {
  beforeEach(async () => {
    await pms.exchange(asking('/before', false))
    cutAt = ['/deed']
  })

  it('is made once more where it may be repeated', async () => {
    const { status } = await pms.exchange(asking('/deed', true))
    assert.equal(status, 200)
    assert.deepEqual(asked, ['/before', '/deed', '/deed'])
  })

  it('is made once where it may not, and nobody knows what came of it', async () => {
    await assert.rejects(pms.exchange(asking('/deed', false)), isUnknown)
    assert.deepEqual(asked, ['/before', '/deed'])
  })

  it('is made twice at most', async () => {
    cutAt = ['/deed', '/deed']
    await assert.rejects(pms.exchange(asking('/deed', true)), isUnknown)
    assert.deepEqual(asked, ['/before', '/deed', '/deed'])
  })
})

it('a request over a connection of its own is made once, whether it may be repeated or not', async () => {
  cutAt = ['/deed']
  await assert.rejects(pms.exchange(asking('/deed', true)), isUnknown)
  assert.deepEqual(asked, ['/deed'])
})

describe('the address of a PMS', () => {
  /** The name servers of the hotel say so, whatever is asked. */
  function leadsTo(t: TestContext, address: string): void {
    const answer = (...all: unknown[]) =>
      (all.at(-1) as (...given: unknown[]) => void)(null, [{ address, family: 4 }])
    t.mock.method(dns, 'lookup', answer as never)
    syncBuiltinESMExports()
    t.after(() => {
      t.mock.restoreAll()
      syncBuiltinESMExports()
    })
  }

  const at = (url: string) => ({
    ...asking('/', false),
    url: new URL(url),
    signal: AbortSignal.timeout(300),
  })

  it('is looked at when it is spoken to: its name may lead elsewhere by then', async (t) => {
    leadsTo(t, '169.254.169.254')
    await assert.rejects(
      pms.exchange(at('https://pms.example/changes')),
      (error) => error instanceof AddressRefused && /pms\.example: 169\.254\.169\.254/.test(error.message),
    )
  })

  it('is looked at where it stands in the configuration of an older version', async () => {
    await assert.rejects(pms.exchange(at('http://169.254.169.254/latest')), AddressRefused)
  })
})
