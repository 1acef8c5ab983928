import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkOf } from '../../src/auth/network.ts'

const rows: [address: string | undefined, network: string][] = [
  ['192.168.1.20', '192.168.1.20'],
  ['::ffff:192.168.1.20', '192.168.1.20'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::a1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['1::2:3:4:5:6.7.8.9', '1:0:2:3::/64'],
  ['', 'unknown'],
  [undefined, 'unknown'],
  ['somewhere', 'unknown'],
]

describe('the network of an address', () => {
  for (const [address, network] of rows) {
    it(`${address} is ${network}`, () => assert.equal(networkOf(address), network))
  }
})
