import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import cloudevents from 'cloudevents'
import { type BusOptions, bus } from '../../src/events/bus.ts'
import type { CloudEvent } from '../../src/events/cloud-event.ts'

const monday = Date.UTC(2026, 5, 1, 16, 0, 0)
const source = 'urn:property:0197c0de-0000-7000-8000-0000000000f1'

function openBus(options: Partial<BusOptions> = {}) {
  const failures: unknown[] = []
  const failed = (error: unknown) => failures.push(error)
  return { failures, ...bus({ source: () => source, now: () => monday, failed, ...options }) }
}

const published = (open: ReturnType<typeof openBus>) =>
  open.publish('pms.capabilities.requested', 'pms/1', { requestId: 'a' })

describe('an event on the bus', () => {
  it('is a CloudEvent 1.0 for every reader', () => {
    const event = published(openBus())
    const text = JSON.stringify(event)
    const read = new cloudevents.CloudEvent(JSON.parse(text), true)
    assert.equal(read.validate(), true)
    assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(text))
    assert.deepEqual(
      { ...event },
      {
        specversion: '1.0',
        id: event.id,
        source,
        type: 'pms.capabilities.requested',
        subject: 'pms/1',
        time: '2026-06-01T16:00:00.000Z',
        datacontenttype: 'application/json',
        data: { requestId: 'a' },
      },
    )
  })

  it('has an id of its own', () => {
    const open = openBus()
    assert.notEqual(published(open).id, published(open).id)
  })

  it('cannot be changed by a listener', async () => {
    const open = openBus()
    const heard: CloudEvent[] = []
    open.subscribe('pms.capabilities.requested', (event) => {
      Object.assign(event.data, { requestId: 'b' })
    })
    open.subscribe('pms.capabilities.requested', (event) => {
      heard.push(event)
    })
    published(open)
    await nextTurn()
    assert.deepEqual(heard[0]?.data, { requestId: 'a' })
    assert.match(String(open.failures[0]), /read only/)
  })

  for (const [what, wrong] of Object.entries<Parameters<ReturnType<typeof openBus>['publish']>>({
    'a type without a dot': ['requested', 'pms/1', {}],
    'a type in capitals': ['Pms.Requested', 'pms/1', {}],
    'a subject that is no path': ['pms.requested', 'pms 1', {}],
    'no subject': ['pms.requested', '', {}],
  })) {
    it(`is refused with ${what}`, () => {
      const open = openBus()
      assert.throws(() => open.publish(...wrong), RangeError)
    })
  }

  it('is refused when the source is invalid', () => {
    assert.throws(() => published(openBus({ source: () => '' })), RangeError)
  })
})

describe('a listener', () => {
  it('gets the events of its type, in order, and no others', async () => {
    const open = openBus()
    const heard: object[] = []
    open.subscribe('pms.asked', ({ data }) => {
      heard.push(data)
    })
    open.publish('pms.asked', 'pms/1', { n: 1 })
    open.publish('pms.answered', 'pms/1', { n: 2 })
    open.publish('pms.asked', 'pms/1', { n: 3 })
    assert.deepEqual(heard, [])
    await nextTurn()
    assert.deepEqual(heard, [{ n: 1 }, { n: 3 }])
  })

  it('that throws affects no other', async () => {
    const open = openBus()
    const heard: string[] = []
    open.subscribe('pms.asked', () => {
      throw new Error('at once')
    })
    open.subscribe('pms.asked', async () => {
      throw new Error('later')
    })
    open.subscribe('pms.asked', ({ id }) => {
      heard.push(id)
    })
    const { id } = open.publish('pms.asked', 'pms/1', {})
    await nextTurn()
    assert.deepEqual(heard, [id])
    assert.deepEqual(open.failures.map(String), ['Error: at once', 'Error: later'])
  })

  it('gets nothing more after it was removed, not even earlier events', async () => {
    const open = openBus()
    const heard: string[] = []
    const stop = open.subscribe('pms.asked', ({ id }) => {
      heard.push(id)
    })
    open.publish('pms.asked', 'pms/1', {})
    stop()
    open.publish('pms.asked', 'pms/1', {})
    await nextTurn()
    assert.deepEqual(heard, [])
  })

  it('that never resolves is skipped after a hundred events, and the others are not', async () => {
    const open = openBus()
    let heard = 0
    open.subscribe('pms.asked', () => new Promise(() => {}))
    open.subscribe('pms.asked', () => {
      heard++
    })
    for (let n = 0; n < 300; n++) {
      open.publish('pms.asked', 'pms/1', { n })
      await nextTurn()
    }
    assert.equal(heard, 300)
    assert.equal(open.failures.length, 200)
  })

  it('is refused when there are too many', () => {
    const open = openBus()
    const listen = () => open.subscribe('pms.asked', () => {})
    const stops = Array.from({ length: 500 }, listen)
    assert.throws(listen, RangeError)
    stops[0]?.()
    listen()
  })
})
