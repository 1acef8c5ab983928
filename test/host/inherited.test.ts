import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inherited } from '../../src/host/inherited.ts'

describe('what systemd passes', () => {
  const nothing = { sockets: [], notify: null }
  const cases: [environment: Record<string, string>, expected: ReturnType<typeof inherited>][] = [
    [{}, nothing],
    [
      { LISTEN_PID: '7', LISTEN_FDS: '1' },
      { sockets: [3], notify: null },
    ],
    [
      { LISTEN_PID: '7', LISTEN_FDS: '1', LISTEN_FDNAMES: 'notify' },
      { sockets: [], notify: 3 },
    ],
    [
      { LISTEN_PID: '7', LISTEN_FDS: '3', LISTEN_FDNAMES: 'https:https:notify' },
      { sockets: [3, 4], notify: 5 },
    ],
    [{ LISTEN_PID: '8', LISTEN_FDS: '1' }, nothing],
    [{ LISTEN_PID: '7', LISTEN_FDS: 'one' }, nothing],
    [{ LISTEN_FDS: '1' }, nothing],
  ]
  for (const [environment, expected] of cases)
    it(`is taken once: ${JSON.stringify(environment)}`, () => {
      const given: NodeJS.ProcessEnv = { ...environment, PATH: '/bin' }
      assert.deepEqual(inherited(given, 7), expected)
      assert.deepEqual(given, { PATH: '/bin' })
    })
})
