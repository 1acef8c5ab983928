import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BayEvent } from '../../../src/devices/bay/bay-event.ts'
import { refusalText, visitors } from '../../../src/devices/network/visitors.ts'
import { elapse, testClock } from '../../test-clock.ts'

const hour = 3_600_000

it('a stranger who tries every second is told of once, and again after an hour of rest', () => {
  const clock = testClock({ always: false })
  const told: string[] = []
  const log = ({ what, visitor }: BayEvent) => told.push(`${what} ${visitor?.why} ${visitor?.address}`)
  const { refused, now } = visitors('PMS', clock, log)
  for (let second = 0; second < 100; second++) {
    refused('stranger', `192.0.2.${second}`)
    elapse(clock, 1_000)
  }
  assert.deepEqual(told, ['refused stranger 192.0.2.0'])
  const [found] = now()
  assert.deepEqual([found?.count, found?.address], [100, '192.0.2.99'])
  assert.match(refusalText(found!), /192\.0\.2\.99 was refused .*100 connections.*add it to `peers`/)
  elapse(clock, hour)
  assert.deepEqual(told.slice(1), ['quiet stranger 192.0.2.99'])
  assert.deepEqual(now(), [])
  refused('stranger', '192.0.2.7')
  assert.equal(told.length, 3)
})

it('a second system is told of beside the strangers', () => {
  const clock = testClock({ always: false })
  const told: string[] = []
  const { refused, now, close } = visitors('PMS', clock, ({ visitor }) => told.push(visitor!.why))
  for (const why of ['stranger', 'second', 'stranger', 'second'] as const) refused(why, '192.0.2.1')
  assert.deepEqual(told, ['stranger', 'second'])
  assert.equal(now().length, 2)
  close()
  elapse(clock, 2 * hour)
  assert.equal(told.length, 2, 'nothing is told of a listener that is closed')
})
