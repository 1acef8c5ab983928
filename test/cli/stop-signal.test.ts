import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { endAfter, longestStopMs } from '../../src/cli/stop-signal.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { abandonedAfterMs } from '../../src/startup/door.ts'
import { elapse } from '../test-clock.ts'

it('a stop that takes too long ends the process, and says why and what it means', async (t) => {
  const said = t.mock.method(console, 'error', () => {})
  const clock = virtualClock(0)
  const stop = Promise.withResolvers<void>()
  let ended = 0
  const ending = endAfter(stop.promise, clock, () => ended++)
  elapse(clock, 3_600_000)
  assert.equal(ended, 0)
  stop.resolve()
  await ending
  elapse(clock, longestStopMs - 1)
  assert.deepEqual([ended, said.mock.callCount()], [0, 0])
  elapse(clock, 1)
  assert.equal(ended, 1)
  assert.match(String(said.mock.calls[0]?.arguments[0]), /has taken 25 s.* confirmed is on the disk/)
})

it('every request is answered before the process ends, and the process ends before systemd ends it', () => {
  const unit = readFileSync(new URL('../../systemd/nightporter.service', import.meta.url), 'utf8')
  const limitMs = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) * 1_000
  assert.ok(abandonedAfterMs + 5_000 <= longestStopMs)
  assert.ok(longestStopMs + 5_000 <= limitMs)
})
