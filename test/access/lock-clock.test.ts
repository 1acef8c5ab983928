import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lockClock } from '../../src/access/providers/lock-clock.ts'

const berlin = 'Europe/Berlin'
const at = (text: string) => Date.parse(text)

/** What a lock system's clock shows around both clock changes of 2026. */
const rows: [
  policy: 'Local' | 'LocalNoDst' | 'Utc',
  zone: string,
  instant: string,
  date: string,
  time: string,
][] = [
  ['Local', berlin, '2026-03-29T00:59:59Z', '2026-03-29', '01:59:59'],
  ['Local', berlin, '2026-03-29T01:00:00Z', '2026-03-29', '03:00:00'],
  ['Local', berlin, '2026-10-25T00:30:00Z', '2026-10-25', '02:30:00'],
  ['Local', berlin, '2026-10-25T01:30:00Z', '2026-10-25', '02:30:00'],
  ['LocalNoDst', berlin, '2026-07-01T10:00:00Z', '2026-07-01', '11:00:00'],
  ['LocalNoDst', berlin, '2026-12-01T10:00:00Z', '2026-12-01', '11:00:00'],
  ['LocalNoDst', berlin, '2026-03-29T01:00:00Z', '2026-03-29', '02:00:00'],
  ['LocalNoDst', 'Australia/Sydney', '2026-01-10T13:30:00Z', '2026-01-10', '23:30:00'],
  ['LocalNoDst', 'Europe/Dublin', '2026-07-01T10:00:00Z', '2026-07-01', '10:00:00'],
  ['Utc', berlin, '2026-07-01T23:30:00Z', '2026-07-01', '23:30:00'],
]

describe('the clock of a lock system', () => {
  for (const [policy, zone, instant, date, time] of rows) {
    it(`${policy} in ${zone} at ${instant} shows ${date} ${time}`, () => {
      assert.deepEqual(lockClock(policy, zone).wallTime(at(instant)), { date, time })
    })
  }

  it('shows a repeated hour twice: a start is the earlier, an end the later moment', () => {
    const { instantOf } = lockClock('Local', berlin)
    const wall = { date: '2026-10-25', time: '02:30:00' }
    assert.equal(instantOf(wall, 'start'), at('2026-10-25T00:30:00Z'))
    assert.equal(instantOf(wall, 'end'), at('2026-10-25T01:30:00Z'))
  })

  it('leads back to the moment, to the second, where nothing is shown twice', () => {
    for (const policy of ['Local', 'LocalNoDst', 'Utc'] as const) {
      const { wallTime, instantOf } = lockClock(policy, berlin)
      for (const instant of ['2026-03-29T05:17:23Z', '2026-07-15T22:00:01Z', '2026-12-31T23:59:59Z'])
        assert.equal(instantOf(wallTime(at(instant)), 'start'), at(instant), `${policy} ${instant}`)
    }
  })
})
