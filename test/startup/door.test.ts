import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { defaults } from '../../src/config.ts'
import { urlOf } from '../../src/listen/listen.ts'
import { openDoor } from '../../src/startup/door.ts'
import { passing, refusing, type Startup } from '../../src/startup/not-ready.ts'
import { testClock } from '../test-clock.ts'

interface Refusal {
  errors: { code: string }[]
}

const config = { ...defaults, port: 0 }

async function opened(t: TestContext, startup: Startup = 'opening') {
  const answer = refusing(() => passing(startup))
  const clock = testClock()
  const door = await openDoor(config, { clock, secure: null, answer })
  t.after(() => door.close())
  return { door, clock, url: urlOf(door.server) }
}

const draining = refusing(() => passing('draining'))

/** Requests that are being answered when the door drains: each is answered by `answerAll`, or never. */
async function openedWithRequests(t: TestContext, count: number) {
  const { door, clock, url } = await opened(t)
  const under: ServerResponse[] = []
  door.answer((_request, response) => void under.push(response))
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const asked = Array.from({ length: count }, () => {
    const request = get(`${url}/long`, { agent })
    return once(request, 'response').then(
      ([{ statusCode }]) => statusCode as number,
      ({ code }) => code as string,
    )
  })
  while (under.length < count) await new Promise(setImmediate)
  const answerAll = () => {
    for (const response of under) response.writeHead(503).end()
  }
  return { door, clock, url, asked, answerAll }
}

describe('the ports', () => {
  it('answer while the program starts: with the step, and when to ask again', async (t) => {
    const { url } = await opened(t, 'migrating')
    const ready = await fetch(`${url}/readyz`)
    assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '5'])
    assert.partialDeepStrictEqual(await ready.json(), { status: 'fail', startup: 'migrating' })
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    const asked = await fetch(`${url}/api/v2/units`)
    assert.deepEqual([asked.status, asked.headers.get('retry-after')], [503, '5'])
    assert.equal(((await asked.json()) as Refusal).errors[0]?.code, 'starting-up')
    assert.match(await (await fetch(`${url}/desk`)).text(), /new version/)
  })

  it('let a running request end, refuse new ones with a time, and stay open', async (t) => {
    const { door, url } = await opened(t)
    const under: ServerResponse[] = []
    door.answer((_request, response) => void under.push(response))
    const agent = new Agent({ keepAlive: true })
    t.after(() => agent.destroy())
    const running = once(get(`${url}/long`, { agent }), 'response') as Promise<[IncomingMessage]>
    while (under.length === 0) await new Promise(setImmediate)
    const work = Promise.withResolvers<void>()
    const drained = door.drain(
      draining,
      () => work.promise,
      () => assert.fail('they have ended in time'),
    )
    const refused = await fetch(`${url}/readyz`)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
    assert.equal(((await refused.json()) as { startup: string }).startup, 'draining')
    work.resolve()
    under[0]!.end('done')
    const [answer] = await running
    assert.equal((await answer.toArray()).join(''), 'done')
    await drained
    door.answer((_request, response) => response.end('again'))
    assert.equal(await (await fetch(url)).text(), 'again')
  })

  it('answer what runs after 18 s, however long the work takes, and close nothing before', async (t) => {
    const { door, clock, url, asked, answerAll } = await openedWithRequests(t, 3)
    const began = clock.monotonic()
    const work = Promise.withResolvers<void>()
    const drained = door.drain(draining, () => work.promise, answerAll)
    assert.deepEqual(await Promise.all(asked), [503, 503, 503])
    assert.equal(clock.monotonic() - began, 18_000)
    assert.equal((await fetch(url)).status, 503)
    work.resolve()
    await drained
  })

  it('close two seconds later what is not answered then, and wait for nobody longer', async (t) => {
    const { door, clock, asked } = await openedWithRequests(t, 2)
    const began = clock.monotonic()
    const drained = door.drain(
      draining,
      () => clock.sleep(60_000),
      () => {},
    )
    assert.deepEqual(await Promise.all(asked), ['ECONNRESET', 'ECONNRESET'])
    assert.equal(clock.monotonic() - began, 20_000)
    await drained
    assert.equal(clock.monotonic() - began, 60_000)
  })

  it('answer the next request of a connection that sent it before the one that runs was answered', async (t) => {
    const { door, url } = await opened(t)
    const under: ServerResponse[] = []
    door.answer((_request, response) => void under.push(response))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const received = socket.setEncoding('utf8').toArray()
    socket.write('GET / HTTP/1.1\r\nHost: box\r\n\r\n'.repeat(2))
    while (under.length === 0) await new Promise(setImmediate)
    const drained = door.drain(
      draining,
      async () => {},
      () => assert.fail('they have ended in time'),
    )
    await new Promise(setImmediate)
    under[0]!.end('done')
    await drained
    await door.close()
    const statuses = (await received).join('').matchAll(/HTTP\/1\.1 (\d+)/g)
    assert.deepEqual(
      [...statuses].map(([, status]) => status),
      ['200', '503'],
    )
  })

  it('answer a request on a connection that was idle when the stop began', async (t) => {
    const { door, url } = await opened(t)
    door.answer((_request, response) => response.end('there'))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.after(() => agent.destroy())
    const ask = async () => {
      const request = get(url, { agent })
      const [message] = (await once(request, 'response')) as [IncomingMessage]
      await message.toArray()
      return { status: message.statusCode, isReused: request.reusedSocket }
    }
    assert.equal((await ask()).status, 200)
    const work = Promise.withResolvers<void>()
    const drained = door.drain(
      draining,
      () => work.promise,
      () => {},
    )
    assert.deepEqual(await ask(), { status: 503, isReused: true })
    work.resolve()
    await drained
  })
})
