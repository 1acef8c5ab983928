import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { DeviceFault } from '../../src/devices/fault.ts'
import { Problem } from '../../src/resource/problem.ts'
import { type Reply, startAppliance } from '../appliance.ts'
import { refused } from '../reservation/api/house.ts'
import {
  type HouseWithPms,
  openHouseWithPms,
  reconfigure,
  type Script,
  silence,
} from './adapters/scripted-adapter.ts'

let house: HouseWithPms
before(async () => {
  house = await openHouseWithPms()
})
after(() => house.stop())
beforeEach(() => house.pms.does({}))

const invoke = (method: string, name: string, body?: unknown, headers: Record<string, string> = {}) =>
  house.ask(method, `${house.provider}/extensions/${name}`, { headers, ...(body !== undefined && { body }) })

const answering = (payload: unknown): Script => ({ extension: () => ({ is: 'answered', payload }) })

describe('A call of an extension', () => {
  it('reaches the adapter with its method, query string and body as they were sent', async () => {
    const body = '{ "big": 12345678901234567890, "twice": 1, "twice": 2.0 }'
    for (const method of ['POST', 'DELETE']) {
      house.pms.does(answering(null))
      const reply = await invoke(method, 'sync?startDate=2026-06-01&x=%20y&x=+&empty=&flag', body)
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(house.pms.extensionsAsked, [
        { name: 'sync', method, query: 'startDate=2026-06-01&x=%20y&x=+&empty=&flag', body },
      ])
    }
  })

  it('reaches it without a body and without a query as well', async () => {
    house.pms.does(answering(null))
    for (const method of ['GET', 'POST', 'DELETE']) await invoke(method, 'inventory-units')
    assert.deepEqual(
      house.pms.extensionsAsked,
      ['GET', 'POST', 'DELETE'].map((method) => ({ name: 'inventory-units', method, query: '', body: '' })),
    )
  })

  it('answers 200 with the adapter response under data', async () => {
    const payload = [{ code: 'A', 'odd name': [null, 1.5, 'ü'] }]
    house.pms.does(answering(payload))
    const reply = await invoke('GET', 'payment-methods')
    assert.deepEqual([reply.status, reply.body], [200, { data: payload }])
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    assert.equal(reply.headers.get('x-api-version'), '2.2.0-alpha.1')
  })

  it('answers data null where the adapter has nothing to say', async () => {
    house.pms.does(answering(undefined))
    assert.deepEqual((await invoke('POST', 'sync')).body, { data: null })
  })

  it('says on whose behalf it is', async () => {
    let actor: unknown
    house.pms.does({
      extension: (_request, call) => {
        actor = call.actor
        return { is: 'answered', payload: null }
      },
    })
    await invoke('GET', 'units', undefined, { 'X-Request-Id': 'night-1' })
    assert.deepEqual(actor, { by: 'demo', requestId: 'night-1' })
  })

  it('answers 404 when the extension is unknown', async () => {
    refused(await invoke('GET', 'teapots'), 404, 'extension-not-implemented')
  })

  it('answers 404 when the method of a known one is unsupported', async () => {
    house.pms.does({
      extension: ({ method }) => (method === 'POST' ? { is: 'answered', payload: {} } : undefined),
    })
    assert.equal((await invoke('POST', 'sync')).status, 200)
    refused(await invoke('GET', 'sync'), 404, 'extension-not-implemented')
  })

  it('answers 404 for a name that could be none, and asks nobody', async () => {
    for (const name of ['a%2Fb', '..%2Fx', '%00', 'x'.repeat(101), '-x']) {
      refused(await invoke('GET', name), 404, 'extension-not-implemented')
    }
    assert.deepEqual(house.pms.extensionsAsked, [])
  })

  it('answers 404 for a configuration that is not there', async () => {
    for (const id of ['0197c0de-0000-7000-8000-000000000000', 'sync']) {
      refused(await house.ask('GET', `/api/v2/pms/providers/${id}/extensions/units`), 404, 'not-found')
    }
  })

  it('answers 409 while the configuration is switched off', async () => {
    await reconfigure(house, { enabled: false })
    refused(await invoke('GET', 'units'), 409, 'configuration-disabled')
    refused(await house.ask('GET', `${house.provider}/capabilities`), 409, 'configuration-disabled')
    await reconfigure(house, { enabled: true })
    assert.deepEqual(house.pms.extensionsAsked, [])
  })

  it('answers 422 to a body that is no object, and 400 to one that is no JSON', async () => {
    for (const body of ['[1]', '"text"', '7', 'null']) {
      refused(await invoke('POST', 'sync', body), 422, 'validation-failed')
    }
    refused(await invoke('DELETE', 'webhooks', '{"callbackUrl":'), 400, 'malformed-json')
    assert.deepEqual(house.pms.extensionsAsked, [])
  })

  it('is the same for HEAD as for GET', async () => {
    house.pms.does(answering([]))
    const reply = await invoke('HEAD', 'units?a=b')
    assert.deepEqual([reply.status, reply.text], [200, ''])
    assert.deepEqual(house.pms.extensionsAsked, [{ name: 'units', method: 'GET', query: 'a=b', body: '' }])
  })

  it('is not answered to other methods, nor to who may not', async () => {
    refused(await invoke('PUT', 'sync', {}), 405, 'method-not-allowed')
    const token = await house.tokenOf('housekeeping')
    const reply = await house.ask('GET', `${house.provider}/extensions/units`, { token })
    refused(reply, 403, 'scope-required', undefined, { scope: 'extensions.invoke' })
  })

  it('answers with what the adapter found wrong with the request', async () => {
    house.pms.does({
      extension: () => {
        throw new Problem('malformed-request', 'startDate: expected date.', { parameter: 'startDate' })
      },
    })
    const reply = await invoke('POST', 'sync?startDate=soon')
    refused(reply, 400, 'malformed-request')
    assert.deepEqual(reply.body.errors[0].source, { parameter: 'startDate' })
  })
})

describe('An Idempotency-Key on a POST to an extension', () => {
  const key = (name: string) => ({ 'Idempotency-Key': name })

  it('asks the adapter once, and answers the same again', async () => {
    let count = 0
    house.pms.does({ extension: () => ({ is: 'answered', payload: { count: ++count } }) })
    const first = await invoke('POST', 'webhooks', { a: 1 }, key('ext-1'))
    const again = await invoke('POST', 'webhooks', { a: 1 }, key('ext-1'))
    assert.deepEqual([first.body, again.body], [{ data: { count: 1 } }, { data: { count: 1 } }])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(house.pms.extensionsAsked.length, 1)
  })

  it('is refused with another body', async () => {
    house.pms.does(answering({}))
    await invoke('POST', 'webhooks', { a: 1 }, key('ext-2'))
    refused(await invoke('POST', 'webhooks', { a: 2 }, key('ext-2')), 422, 'idempotency-key-reused')
  })

  it('may be tried again after the adapter failed', async () => {
    house.pms.does({ extension: silence })
    assert.equal((await invoke('POST', 'sync', {}, key('ext-3'))).status, 502)
    house.pms.does(answering({ done: true }))
    assert.deepEqual((await invoke('POST', 'sync', {}, key('ext-3'))).body, { data: { done: true } })
  })
})

const failure = (reply: Reply, errorCode: string, outcomeUnknown: boolean) => {
  refused(reply, 502, errorCode, undefined, { errorCode, outcomeUnknown })
  assert.deepEqual(reply.body.meta, { errorCode, outcomeUnknown })
  assert.equal(reply.headers.get('retry-after'), '10')
}

describe('An adapter', () => {
  it('that says nothing is a 502 adapter-timeout, its outcome unknown where it may have changed something', async () => {
    house.pms.does({ extension: silence })
    const [read, changed, removed] = await Promise.all([
      invoke('GET', 'units'),
      invoke('POST', 'sync'),
      invoke('DELETE', 'webhooks'),
    ])
    failure(read, 'adapter-timeout', false)
    failure(changed, 'adapter-timeout', true)
    failure(removed, 'adapter-timeout', true)
  })

  it('is aborted when no caller waits for it any longer', async () => {
    const aborted = Promise.withResolvers<void>()
    house.pms.does({
      extension: (_request, { signal }) => {
        signal.addEventListener('abort', () => aborted.resolve())
        return silence()
      },
    })
    await invoke('GET', 'units')
    await aborted.promise
  })

  for (const [what, script] of Object.entries<Script>({
    'that throws': {
      extension: () => {
        throw new TypeError('secret text of the adapter')
      },
    },
    'that rejects later': {
      extension: async () => {
        await new Promise(setImmediate)
        throw new Error('secret text of the adapter')
      },
    },
    'that throws what is no error': { extension: () => Promise.reject('secret text of the adapter') },
  })) {
    it(`${what} is a 502 adapter-crashed, without its words`, async () => {
      house.pms.does(script)
      const reply = await invoke('POST', 'sync')
      failure(reply, 'adapter-crashed', true)
      assert.doesNotMatch(reply.text, /secret/)
    })
  }

  it('that cannot even be opened is a 502 adapter-crashed, and is opened again with the next question', async () => {
    house.pms.does({
      open: () => {
        throw new Error('no line')
      },
    })
    await reconfigure(house, { heartbeatSeconds: 61 })
    failure(await invoke('GET', 'units'), 'adapter-crashed', false)
    house.pms.does(answering([]))
    assert.equal((await invoke('GET', 'units')).status, 200)
  })

  const circle: Record<string, unknown> = {}
  circle.again = circle
  for (const [what, answer] of Object.entries<unknown>({
    'a text': 'done',
    'another word': { is: 'fine', payload: {} },
    'a circle': { is: 'answered', payload: circle },
    'a number without end': { is: 'answered', payload: 10n },
    'more than anybody reads': { is: 'answered', payload: 'x'.repeat(2_000_001) },
  })) {
    it(`that answers ${what} is a 502 vendor-error`, async () => {
      house.pms.does({ extension: () => answer })
      failure(await invoke('GET', 'units'), 'vendor-error', true)
    })
  }

  it('says by itself what failed at the other end', async () => {
    house.pms.does({
      extension: () => {
        throw new DeviceFault('vendor-error', 'The PMS is closed.', { vendorCode: 'E17' })
      },
    })
    const reply = await invoke('GET', 'units')
    failure(reply, 'vendor-error', true)
    assert.equal(reply.body.errors[0].meta.vendorCode, 'E17')
  })

  it('that hangs holds sixteen questions and no more, and is opened anew when it holds them for good', async () => {
    await reconfigure(house, { heartbeatSeconds: 62 })
    house.pms.does({ extension: silence })
    const held = Array.from({ length: 20 }, () => invoke('GET', 'units'))
    for (const reply of await Promise.all(held)) failure(reply, 'adapter-timeout', false)
    assert.equal(house.pms.extensionsAsked.length, 16)
    house.pms.does(answering([]))
    assert.equal((await invoke('GET', 'units')).status, 200)
    assert.deepEqual([house.pms.opened.length, house.pms.closed], [1, 1])
  })

  it('of another build is a 502 unsupported-operation', async () => {
    const data = mkdtempSync(join(tmpdir(), 'nightporter-'))
    const { provider, appliance } = await openHouseWithPms({ data })
    await appliance.close()
    const later = await startAppliance({ data })
    const reply = await later.ask('GET', `${provider}/extensions/units`)
    refused(reply, 502, 'unsupported-operation', undefined, { outcomeUnknown: false })
    assert.equal((await later.ask('GET', `${provider}/capabilities`)).status, 502)
    await later.stop()
    rmSync(data, { recursive: true })
  })
})
