import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { Ajv } from 'ajv'
import {
  type MessageKind,
  messages,
  type RequestType,
} from '../../../../src/pms/adapters/cloudevents/messages/messages.ts'
import { channels, kindOf, topicsOf } from '../../../../src/pms/adapters/cloudevents/mqtt/topics.ts'
import { startAppliance } from '../../../appliance.ts'
import { channelOf, document, documentedAs } from './documented-messages.ts'
import { clientId, prefix } from './mqtt/mqtt-peer.ts'

const official = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json') as object
// It brings its own draft of JSON Schema along.
const check = new Ajv({
  strict: false,
  allErrors: true,
  validateFormats: false,
  meta: false,
  validateSchema: false,
}).compile(official)

describe('the AsyncAPI document', () => {
  it('is served to everybody, and once to who has seen it', async (t) => {
    const house = await startAppliance({ sample: false })
    t.after(() => house.stop())
    const served = await house.ask('GET', '/asyncapi.json', { token: null })
    assert.equal(served.headers.get('content-type'), 'application/json')
    const { info, ...others } = served.body
    const { info: _, ...expected } = document as unknown as Record<string, unknown>
    assert.deepEqual(others, expected)
    assert.match(info.version, /^\d+\.\d+\.\d+$/)
    const headers = { 'If-None-Match': served.headers.get('etag') ?? '' }
    assert.equal((await house.ask('GET', '/asyncapi.json', { token: null, headers })).status, 304)
  })

  it('is as the official schema of AsyncAPI 3.0.0 says', () => {
    assert.ok(check(document), JSON.stringify(check.errors, null, 1))
  })

  const mistakes: [string, (wrong: Record<string, Record<string, object>>) => void][] = [
    ['an unknown action', ({ operations }) => Object.assign(operations!.tellState!, { action: 'shout' })],
    ['a channel with a strange member', ({ channels: all }) => Object.assign(all!.state!, { colour: 'red' })],
    [
      'a quality of service that there is not',
      ({ operations }) =>
        Object.assign(operations!.tellState!, { bindings: { mqtt: { qos: 7, bindingVersion: '0.2.0' } } }),
    ],
  ]
  for (const [what, spoil] of mistakes) {
    it(`would not be with ${what}`, () => {
      const wrong = structuredClone(document) as never
      spoil(wrong)
      assert.ok(!check(wrong))
    })
  }

  it('refers only to what is in it, and names every message there is', () => {
    const referred = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path ?? '',
    )
    for (const path of referred) {
      const found = path
        .split('/')
        .reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], document)
      assert.ok(found, path)
    }
    const shown = Object.values(document.channels).flatMap(({ messages: all }) => Object.keys(all))
    assert.deepEqual(shown.sort(), ['house.event', 'house.state.told', ...Object.keys(messages)].sort())
    assert.deepEqual(Object.keys(document.components.messages).sort(), shown.sort())
  })

  it('has each topic that the carrier uses, and no other', () => {
    const { state, replies, changes, request, event } = topicsOf(prefix, clientId)
    const asked = (Object.keys(messages) as RequestType[]).filter((type) => 'reply' in messages[type])
    const used = [state, replies, changes, event('stay.checked-in'), ...asked.map(request)]
    const names = used.map((topic) => channelOf(topic)?.name)
    assert.deepEqual([...new Set(names)].sort(), Object.keys(document.channels).sort())
    assert.deepEqual(Object.keys(document.channels).sort(), Object.keys(channels).sort())
    for (const topic of ['x', `${prefix}/state/x`, `${prefix}/requests`, 'nightporter/v2/x/state']) {
      assert.equal(channelOf(topic), null, topic)
    }
  })

  it('says who sends what: requests with their own reply or a failure, and news', () => {
    for (const [type, kind] of Object.entries(messages as Record<string, MessageKind>)) {
      if (kind.is !== 'request') continue
      const { action, reply, messages: sent } = document.operations[`ask-${kindOf(type as RequestType)}`]!
      assert.equal(action, 'send')
      assert.deepEqual(sent, [{ $ref: `#/channels/requests/messages/${type}` }])
      assert.deepEqual(
        reply?.messages.map(({ $ref }) => $ref.split('/').at(-1)),
        [kind.reply, 'pms.request.failed'],
      )
    }
    const actions = Object.entries(document.operations).map(([name, { action }]) => `${name} ${action}`)
    assert.ok(actions.includes('hearChanges receive') && actions.includes('tellEvents send'))
  })

  it('has examples that are as their own schemas say', () => {
    let count = 0
    for (const [name, { examples = [], correlationId }] of Object.entries(document.components.messages)) {
      for (const { payload } of examples) {
        count++
        const is = (messages as Record<string, MessageKind>)[name]?.is
        const topic = { request: 'requests/x', reply: 'replies/x', notification: 'changes' }[
          is ?? 'notification'
        ]
        const headers = correlationId
          ? { correlationData: Buffer.from('0'), responseTopic: 'x', messageExpiryInterval: 1 }
          : {}
        assert.equal(
          documentedAs({ topic: `${prefix}/${topic}`, payload: JSON.stringify(payload), ...headers }),
          name,
        )
      }
    }
    assert.equal(count, Object.keys(messages).length)
  })

  it('does not take a message for one of another topic', () => {
    const { example } = messages['pms.lease.changed']
    const payload = JSON.stringify(example)
    assert.throws(() => documentedAs({ topic: `${prefix}/state`, payload }), /house.state.told/)
    const wrong = JSON.stringify({ ...example, data: { ...example.data, revision: -1 } })
    assert.throws(() => documentedAs({ topic: `${prefix}/changes`, payload: wrong }), /revision/)
  })
})
