import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ServedCertificates } from '../../src/certificate/certificate-state.ts'
import type { Certificates } from '../../src/certificate/certificates.ts'
import { makeAuthority, makeLeaf } from '../../src/certificate/make-certificate.ts'
import { reachedAt } from '../../src/certificate/reached-at.ts'
import { trustNotes } from '../../src/listen/served-certificates.ts'
import { monday } from '../appliance.ts'

const names = ['box', 'box.local', 'keys.hotel.example', 'localhost']
const authority = makeAuthority({ permitted: names, now: monday })

/** A server with a certificate for `certified`, which other devices reach at `addresses`. */
function served(addresses: string[], port: number | null = 8443, certified = addresses): ServedCertificates {
  const reachable = addresses.map((address) => ({ address, interface: 'eth0' }))
  const leaf = makeLeaf(authority, { names, addresses: [...certified, '127.0.0.1', '::1'] }, monday)
  const leftOut = [{ address: '172.17.0.1', interface: 'docker0', reason: 'virtual' }] as const
  return { own: null, files: () => leaf.certificate, reach: () => ({ reachable, leftOut, port }) }
}

const both = ['192.168.1.10', '10.0.0.5']
const usual = [
  'https://192.168.1.10:8443',
  'https://box.local:8443',
  'https://10.0.0.5:8443',
  'https://keys.hotel.example:8443',
]
const fromTen = [usual[2], usual[1], usual[0], usual[3]]

describe('The addresses for other devices', () => {
  const asked: [host: string, urls: (string | undefined)[]][] = [
    ['', usual],
    ['127.0.0.1:8081', usual],
    ['localhost:8081', usual],
    ['[::1]:8081', usual],
    ['evil.example', usual],
    ['box.local:8443', usual],
    ['box:8443', usual],
    ['192.168.1.99', usual],
    ['not a host', usual],
    ['10.0.0.5:8443', fromTen],
    ['keys.hotel.example:8443', [usual[3], usual[1], usual[0], usual[2]]],
  ]
  for (const [host, urls] of asked)
    it(`begin with what every device opens, for a client of ${JSON.stringify(host)}`, () =>
      assert.deepEqual(reachedAt(served(both), host).urls, urls))

  it('have the port that a router maps, where the client has used it, and none for 443', () => {
    assert.equal(reachedAt(served(both), '10.0.0.5').urls[0], 'https://10.0.0.5')
    assert.equal(reachedAt(served(both), 'box.local:9443').urls[0], 'https://192.168.1.10:9443')
    assert.equal(reachedAt(served(both, 443)).urls[0], 'https://192.168.1.10')
    assert.equal(reachedAt(served(['fd00::5'], 8443)).urls[0], 'https://[fd00::5]:8443')
  })

  it('are none without an address in a network: a name in .local never stands alone', () => {
    assert.deepEqual(reachedAt(served([])).urls, [])
    assert.deepEqual(reachedAt(served([]), 'box.local:8443').urls, [])
    assert.deepEqual(reachedAt(served([]), '127.0.0.1:8443').urls, [])
    assert.match(trustNotes(served([])).join('\n'), /^Other devices are offered no address/)
  })

  it('have no address that the certificate lacks, which is listed with that reason', () => {
    const { urls, leftOut } = reachedAt(served(both, 8443, ['10.0.0.5']))
    assert.deepEqual(
      urls,
      fromTen.filter((each) => each !== usual[0]),
    )
    assert.deepEqual(leftOut[0], { address: '192.168.1.10', interface: 'eth0', reason: 'not-certified' })
  })

  it('have those that the next certificate of the box itself names', () => {
    const { files, reach } = served(['10.0.0.7'], 8443, [])
    const own = {
      kept: () => ({ uploaded: null, authority, permitted: names }),
      inUse: () => ({ certificate: files() ?? '' }),
      unsigned: () => [],
      foreign: () => [],
      wanted: () => ({ names, addresses: ['10.0.0.7'] }),
    } as unknown as Certificates
    assert.equal(reachedAt({ own, files: () => null, reach }).urls[0], 'https://10.0.0.7:8443')
  })

  it('have an address of the internet where the certificate names it, and otherwise say that they do not', () => {
    const leftOut = [{ address: '203.0.113.5', interface: 'eth0', reason: 'public' }] as const
    const of = (certified: string[]) => {
      const { files } = served([], 443, certified)
      return reachedAt({ own: null, files, reach: () => ({ reachable: [], leftOut, port: 443 }) })
    }
    assert.deepEqual(of(['203.0.113.5']).urls[0], 'https://203.0.113.5')
    assert.deepEqual(of(['203.0.113.5']).leftOut, [])
    assert.deepEqual(of([]), {
      urls: ['https://keys.hotel.example', 'https://box.local'],
      leftOut: [...leftOut],
    })
  })

  it('begin with the name where the certificate of another authority names no address', () => {
    for (const addresses of [['192.168.1.10'], ['fd00::5'], both]) {
      const { urls, leftOut } = reachedAt(served(addresses, 8443, []))
      assert.deepEqual(urls, [usual[3], usual[1]])
      assert.deepEqual(
        leftOut.map(({ reason }) => reason),
        [...addresses.map(() => 'not-certified'), 'virtual'],
      )
    }
    assert.match(trustNotes(served(both, 8443, [])).join('\n'), /^Other devices reach it at https:\/\/keys/)
  })

  it('are said at the start, with those that are left out', () => {
    assert.deepEqual(trustNotes(served(both)), [
      `Other devices reach it at ${usual.join(', ')}`,
      'Not offered: 172.17.0.1 (docker0): a bridge for containers or virtual machines on this machine',
    ])
  })
})
