import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  AddressRefused,
  guarded,
  peerPolicies,
  urlProblem,
} from '../../../src/devices/network/peer-address.ts'

type Use = keyof typeof peerPolicies

const inClear: Record<Use, string> = {
  webhook: 'http://',
  pms: 'http://',
  broker: 'mqtt://',
  lockCloud: 'http://',
}
const overTls: Record<Use, string> = {
  webhook: 'https://',
  pms: 'https://',
  broker: 'mqtts://',
  lockCloud: 'https://',
}
const uses = Object.keys(peerPolicies) as Use[]

const isTaken = (use: Use, url: string) => urlProblem('url', url, peerPolicies[use]) === null

describe('a peer of any kind', () => {
  const local = ['127.0.0.1', '10.0.0.7', '172.31.0.1', '192.168.1.20', '[::1]', '[fd12::7]', 'localhost']
  for (const host of local)
    it(`may be ${host}, with TLS or without`, () => {
      for (const use of uses) {
        assert.ok(isTaken(use, overTls[use] + host), use)
        assert.ok(isTaken(use, inClear[use] + host), use)
      }
    })

  for (const host of ['8.8.8.8', '172.32.0.1', '[2001:db8::1]'])
    it(`may be ${host} over TLS alone`, () => {
      for (const use of uses) {
        assert.ok(isTaken(use, overTls[use] + host), use)
        assert.ok(!isTaken(use, inClear[use] + host), use)
      }
    })

  const forbidden = [
    '0.0.0.0',
    '169.254.169.254',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::169.254.169.254]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[ff02::1]',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
  ]
  for (const host of forbidden)
    it(`is never ${host}`, () => {
      for (const use of uses) {
        assert.ok(!isTaken(use, overTls[use] + host), use)
        assert.ok(!isTaken(use, inClear[use] + host), use)
      }
    })

  it('may be a name in clear where the policy of its use says so', () => {
    const taken = uses.filter((use) => isTaken(use, `${inClear[use]}pms.example`))
    assert.deepEqual(taken, ['webhook', 'broker'])
  })

  it('is called by no other protocol, and by no password', () => {
    for (const url of ['ftp://10.0.0.7', 'https://name:secret@pms.example', 'no url', ''])
      assert.ok(!isTaken('pms', url))
  })
})

/** What a connection to a URL would be opened to. */
function lookedUp(url: string, use: Use): Promise<string> {
  const { lookup } = guarded(new URL(url), peerPolicies[use])
  const { hostname } = new URL(url)
  return new Promise((resolve, reject) => {
    lookup(hostname, {}, (error, address) => (error ? reject(error) : resolve(String(address))))
  })
}

describe('what a name leads to', () => {
  it('is spoken to where an address like it might be', async () => {
    assert.match(await lookedUp('mqtt://localhost', 'broker'), /^(127\.0\.0\.1|::1)$/)
  })

  // The system reads a number as an address, which the text of the URL does not show.
  for (const [url, use] of [
    ['mqtts://0xa9fea9fe', 'broker'],
    ['mqtt://0x08080808', 'broker'],
  ] as const)
    it(`is refused otherwise: ${url}`, async () => {
      await assert.rejects(lookedUp(url, use), AddressRefused)
    })

  it('is not even asked for where the address is refused as it is written', () => {
    assert.throws(
      () => guarded(new URL('https://169.254.169.254/latest'), peerPolicies.pms),
      (error) => error instanceof AddressRefused && /169\.254\.169\.254/.test(error.message),
    )
  })
})
