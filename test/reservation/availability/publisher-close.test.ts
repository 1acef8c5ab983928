import assert from 'node:assert/strict'
import { it } from 'node:test'
import { backgroundWork } from '../../../src/host/background-work.ts'
import { virtualClock } from '../../../src/host/virtual-clock.ts'
import { availabilityPublisher } from '../../../src/reservation/availability/availability-events.ts'
import type { Writer } from '../../../src/resource/command.ts'
import { elapse, monday } from '../../test-clock.ts'

it('starts no timer when it is closed while it publishes', async () => {
  const clock = virtualClock(monday)
  const published = Promise.withResolvers<null>()
  const failures: unknown[] = []
  const publisher = availabilityPublisher({
    clock,
    reader: { count: () => 1, text: () => null, all: () => [] },
    writer: { execute: () => published.promise } as unknown as Writer,
    written: () => () => {},
    background: backgroundWork({ clock, failed: assert.fail }),
    failed: (error) => failures.push(error),
  })
  elapse(clock, 2_000)
  assert.equal(clock.next(), null)
  publisher.close()
  published.resolve(null)
  await new Promise(setImmediate)
  assert.equal(clock.next(), null)
  assert.deepEqual(failures, [])
})
