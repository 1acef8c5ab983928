import assert from 'node:assert/strict'
import { it } from 'node:test'
import { networks } from '../../../src/devices/network/networks.ts'

for (const [entries, address, allowed] of [
  [[], '127.0.0.1', false],
  [[], '::1', false],
  [['127.0.0.1'], '::ffff:127.0.0.1', true],
  [[], '192.168.1.20', false],
  [['192.168.1.20'], '192.168.1.20', true],
  [['192.168.1.20'], '::ffff:192.168.1.20', true],
  [['192.168.1.20'], '192.168.1.21', false],
  [['192.168.1.20'], '127.0.0.1', false],
  [['192.168.1.16/28'], '192.168.1.31', true],
  [['192.168.1.16/28'], '192.168.1.32', false],
  [['fd12::/64', '10.0.0.1'], 'fd12::5', true],
  [['fd12::/64', '10.0.0.1'], '10.0.0.1', true],
  [['fe80::/64'], 'fe80::1%eth0', true],
  [['0.0.0.0/0'], '192.168.1.20', false],
  [['nonsense', '10.0.0.0/40'], '10.0.0.1', false],
  [['192.168.1.20'], '', false],
] as const)
  it(`${address || 'nobody'} is ${allowed ? 'a' : 'no'} peer by [${entries.join(', ')}]`, () => {
    assert.equal(networks(entries)(address), allowed)
  })
