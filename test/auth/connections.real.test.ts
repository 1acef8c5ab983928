import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { connectionLimits } from '../../src/auth/limits/connections.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'

let house: TestAppliance
const sockets = new Set<Socket>()
const agents = new Set<Agent>()
before(async () => {
  house = await startAppliance()
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const agent of agents) agent.destroy()
  sockets.clear()
})
after(() => house.stop())

/** Every address of 127.0.0.0/8 is this machine's, so a test can come from many. */
async function silent(localAddress: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(house.appliance.url).port), localAddress })
  sockets.add(socket)
  socket.on('error', () => {})
  socket.once('close', () => sockets.delete(socket))
  await once(socket, 'connect')
  return socket
}

/** Opens silent connections, and waits until `left` of them are open, or until nothing changes within 10 s. */
async function silentFrom(addresses: string[], each: number, left: number): Promise<void> {
  for (const address of addresses) await Promise.all(Array.from({ length: each }, () => silent(address)))
  const quiet = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  for (let tries = 0; sockets.size > left && tries < 100; tries++) await quiet(100)
  for (let before = -1; before !== sockets.size; await quiet(100)) before = sockets.size
}

function ask(localAddress: string, agent: Agent, token?: string): Promise<number> {
  agents.add(agent)
  return new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    const path = token === undefined ? '/healthz' : '/api/v2/status'
    get(house.appliance.url + path, { agent, localAddress, headers }, (message: IncomingMessage) => {
      message.resume().on('end', () => resolve(message.statusCode!))
    }).on('error', reject)
  })
}

const fresh = () => new Agent()

describe('Silent connections', () => {
  it('of one address have at most its share', async () => {
    await silentFrom(['127.0.0.2'], 1_000, connectionLimits.stranger.share)
    assert.equal(sockets.size, connectionLimits.stranger.share)
    assert.equal(await ask('127.0.0.3', fresh()), 200)
  })

  it('of many addresses leave connections for a client with a token, and for a new one', async () => {
    assert.equal(await ask('127.0.0.4', fresh(), 'demo'), 200)
    await silentFrom(
      Array.from({ length: 25 }, (_, number) => `127.0.1.${number + 1}`),
      50,
      connectionLimits.stranger.most,
    )
    assert.equal(sockets.size, connectionLimits.stranger.most)
    assert.equal(await ask('127.0.0.4', fresh(), 'demo'), 200)
    assert.equal(await ask('127.0.0.5', fresh()), 200)
    assert.equal(await ask('127.0.0.6', fresh(), 'demo'), 200)
  })

  it('of a known address have at most its share, and replace none with a running request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    assert.equal(await ask('127.0.0.7', agent, 'demo'), 200)
    const stream = get(`${house.appliance.url}/api/v2/events/stream`, {
      localAddress: '127.0.0.7',
      headers: { Authorization: 'Bearer demo', Accept: 'text/event-stream' },
    })
    const [message] = (await once(stream, 'response')) as [IncomingMessage]
    let isEnded = false
    message.resume().once('close', () => {
      isEnded = true
    })
    await silentFrom(['127.0.0.7'], connectionLimits.known.share + 50, connectionLimits.known.share - 1)
    assert.ok(sockets.size < connectionLimits.known.share)
    assert.equal(await ask('127.0.0.7', fresh(), 'demo'), 200)
    assert.equal(isEnded, false)
    stream.destroy()
  })
})

describe('An answer', () => {
  it('that its client does not read is cut off, and so is its connection', async () => {
    const socket = await silent('127.0.0.8')
    socket.pause()
    const request = 'GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
    for (let count = 0; count < 100; count++) socket.write(request)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await passTime(90_000)
    const taken = await bytesOf(socket)
    const whole = (await house.ask('GET', '/openapi.json', { token: null })).text.length * 100
    assert.ok(taken < whole, `${taken} of ${whole} bytes`)
  })

  it('that is read late is complete', async () => {
    const socket = await silent('127.0.0.9')
    socket.pause()
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
    await passTime(90_000)
    const whole = (await house.ask('GET', '/openapi.json', { token: null })).text.length
    assert.ok((await bytesOf(socket)) > whole)
  })
})

/** All that still comes, until the other end closes. */
async function bytesOf(socket: Socket): Promise<number> {
  let size = 0
  for await (const chunk of socket) size += (chunk as Buffer).length
  return size
}
