import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CloudEvent } from '../../../../src/events/cloud-event.ts'
import { pacer, requestLimit } from '../../../../src/pms/adapters/mews/pace.ts'
import { requestCounter } from '../../../../src/simulators/mews/request-counter.ts'
import { calling } from '../adapter-contract.ts'
import { mewsBench } from './bench.ts'

it('the status of a unit is set at Mews when it is otherwise there', async () => {
  const bench = await mewsBench()
  try {
    const statuses: Record<string, string> = { 201: 'Dirty', 202: 'Cleaning', 203: 'Inspected' }
    bench.unit = (_, name) => ({ name, status: statuses[name] })
    const changed = Object.keys(statuses).map((name) => ({
      type: 'unit.status-changed',
      subject: `units/${name}`,
    }))
    const events = [...changed, { type: 'stay.checked-in', subject: 'stays/1' }] as CloudEvent[]
    await bench.side.publish!(events, calling())
    const states = [...bench.there.rooms].map(([name, { state = 'Inspected' }]) => [name, state])
    assert.deepEqual(states, [
      ['201', 'Dirty'],
      ['202', 'Inspected'],
      ['203', 'Inspected'],
    ])
    assert.equal(bench.there.asked.filter(({ operation }) => operation === 'resources/update').length, 1)
  } finally {
    await bench.close()
  }
})

it('requests stay within the limit of Mews in every interval, after a pause as well', async () => {
  let now = 0
  const turn = pacer({
    monotonic: () => now,
    async sleep(ms) {
      now += ms
    },
  })
  const counter = requestCounter(requestLimit)
  for (let count = 0; count < 2_000; count++) {
    // After 300 requests a minute without any.
    if (count % 300 === 299) now += 60_000
    await turn(new AbortController().signal)
    assert.equal(counter.waitSeconds(now), 0, `request ${count} at ${now}`)
  }
})
