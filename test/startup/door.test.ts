import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
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
  const door = await openDoor(config, { clock: testClock(), secure: null, answer })
  t.after(() => door.close())
  return { door, url: urlOf(door.server) }
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
      refusing(() => passing('draining')),
      () => work.promise,
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
})
