import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { printFirewall } from '../../../src/cli/firewall/firewall.ts'
import { type Endpoint, endpointsIn } from '../../../src/host/firewall/endpoints.ts'
import { firewallRules } from '../../../src/host/firewall/rules.ts'
import { networkFormats } from '../../../src/jsonapi/schemas/network-formats.ts'
import { programMissing } from '../../programs.ts'
import fc from '../../seed.ts'

describe('the endpoints of a configuration', () => {
  const out = (host: string, port: number): Endpoint => ({ direction: 'out', host, port })
  const cases: [value: unknown, expected: Endpoint[]][] = [
    [{ url: 'https://pms.example/api' }, [out('pms.example', 443)]],
    [{ deep: [{ broker: 'mqtts://broker.example' }] }, [out('broker.example', 8883)]],
    ['tcp://192.168.1.5:5010', [out('192.168.1.5', 5010)]],
    ['https://[fd00::5]:8443/x', [out('fd00::5', 8443)]],
    [{ host: '10.0.0.7', port: 4000 }, [out('10.0.0.7', 4000)]],
    [
      { host: '0.0.0.0', port: 5010, peers: ['192.168.1.9', '192.168.2.0/24'] },
      [
        { direction: 'in', host: '192.168.1.9', port: 5010 },
        { direction: 'in', host: '192.168.2.0/24', port: 5010 },
      ],
    ],
    [{ port: 5010 }, [{ direction: 'in', host: null, port: 5010 }]],
    ['http://127.0.0.1:9', []],
    // This machine: a rule that lets others in would be wrong.
    ['http://0.0.0.0:8080/', []],
    ['sftp://[::]:2222/backups', []],
    ['simulated:dispenser', []],
    // A device at a USB port, by its vendor and product.
    ['hid://076b:5321', []],
    ['hid://1fc9:0117', []],
    // As the product reads the URL of a webhook.
    ['https:/hook.example:8443/x', [out('hook.example', 8443)]],
    ['https:\\\\hook.example:8443/x', [out('hook.example', 8443)]],
    [' http://10.0.0.8:8080/x ', [out('10.0.0.8', 8080)]],
    ['sftp://hotel:pass%40word@nas.example:2222/backups', [out('nas.example', 2222)]],
    ['HTTPS://[FD00:0::5]:8443/x', [out('fd00::5', 8443)]],
    ['mqtt://broker.example:0', [out('broker.example', 1883)]],
    ['/dev/ttyUSB0', []],
    ['tcp://host:70000', []],
    ['sftp://nas.example/backups', [out('nas.example', 22)]],
    ['file:///media/stick', []],
    [null, []],
  ]
  for (const [value, expected] of cases)
    it(JSON.stringify(value), () => assert.deepEqual(endpointsIn(value), expected))
})

describe('the rules', () => {
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV6().map((each) => `${each}%eth0`),
  )
  const peer = fc.oneof(
    address,
    address.map((each) => `${each}/${each.includes(':') ? '064' : '024'}`),
  )
  const ofAnyForm = fc.sample(fc.tuple(address, peer), 50).flatMap(([host, each], at): Endpoint[] => [
    { direction: 'out', host, port: 5_100 + at },
    { direction: 'in', host: each, port: 5_200 + at },
  ])
  const endpoints = [
    ...endpointsIn({ url: 'mqtts://broker.example' }),
    ...endpointsIn('tcp://192.168.1.5:5010'),
    ...endpointsIn('tcp://[fd00::5]:5011'),
    ...endpointsIn({ host: '0.0.0.0', port: 5012, peers: ['192.168.2.0/24'] }),
  ]

  it('open what is configured, and drop the rest in both directions', () => {
    const text = firewallRules({ ports: [80, 443, 443], endpoints, isOutOpen: false })
    for (const line of [
      'tcp dport { 80, 443 } accept',
      'tcp dport 8883 accept',
      'ip daddr 192.168.1.5 tcp dport 5010 accept',
      'ip6 daddr fd00::5 tcp dport 5011 accept',
      'ip saddr 192.168.2.0/24 tcp dport 5012 accept',
    ])
      assert.ok(text.includes(`\n    ${line}\n`), line)
    assert.equal(text.match(/policy drop;/g)?.length, 3)
    // A name is answered to computers that ask from another port, and a switch keeps sending what the box listens to.
    for (const line of ['udp sport 5353 accept', 'meta l4proto { icmpv6, igmp } accept'])
      assert.ok(text.includes(`\n    ${line}\n`), line)
    // The image of a box has no /etc/protocols, which nft would look this name up in.
    assert.doesNotMatch(text, /ipv6-icmp/)
    const open = firewallRules({ ports: [443], endpoints: [], isOutOpen: true })
    assert.match(open, /hook output priority filter; policy accept;/)
  })

  it('name an address as nft reads it, and none that it does not read', () => {
    const rule = (direction: Endpoint['direction'], host: string) =>
      firewallRules({ ports: [443], endpoints: [{ direction, host, port: 5013 }], isOutOpen: false })
        .split('\n')
        .find((line) => line.includes('dport 5013'))
        ?.trim()
    for (const [host, expected] of [
      ['fe80::1%eth0', 'ip6 daddr fe80::1 '],
      ['FD00:0:0::20', 'ip6 daddr fd00::20 '],
      ['10.0.0.7', 'ip daddr 10.0.0.7 '],
      ['::FFFF:10.0.0.7', ''],
      ['0:0:0:0:0:ffff:10.0.0.7', ''],
      ['nas.example', ''],
    ] as const)
      assert.equal(rule('out', host), `${expected}tcp dport 5013 accept`)
    for (const [peer, expected] of [
      ['fe80::1%eth0/64', 'ip6 saddr fe80::1/64 '],
      ['10.0.0.5/08', 'ip saddr 10.0.0.5/8 '],
      ['10.0.0.0/024', 'ip saddr 10.0.0.0/24 '],
      ['2001:DB8::/032', 'ip6 saddr 2001:db8::/32 '],
      ['::ffff:10.0.0.5', ''],
    ] as const) {
      assert.ok(networkFormats.network(peer), peer)
      assert.equal(rule('in', peer), `${expected}tcp dport 5013 accept`)
    }
  })

  it('are rules for nft', { skip: programMissing('nft') || (process.getuid?.() !== 0 && 'not root') }, () => {
    for (const [isOutOpen, some] of [
      [false, endpoints],
      [true, []],
      [false, ofAnyForm],
    ] as const) {
      const input = firewallRules({ ports: [80, 443], endpoints: some, isOutOpen })
      const { status, stderr } = spawnSync('nft', ['-c', '-f', '-'], { input, encoding: 'utf8' })
      assert.equal(status, 0, stderr)
    }
  })
})

it('opens the source of updates that the release names, unless the hotel names another', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'firewall-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [data, entry] = [join(folder, 'data'), pathToFileURL(join(folder, 'nightporter.js'))]
  mkdirSync(data)
  const log = t.mock.method(console, 'log', () => {})
  const printed = () => {
    printFirewall({ data }, entry)
    return String(log.mock.calls.at(-1)?.arguments[0])
  }
  writeFileSync(join(folder, 'update.json'), '{"from": "http://10.0.0.9:8080/updates"}')
  assert.match(printed(), /ip daddr 10\.0\.0\.9 tcp dport 8080 accept/)
  writeFileSync(join(data, 'nightporter.json'), '{"update": {"from": "http://10.0.0.8:8000/updates"}}')
  assert.match(printed(), /ip daddr 10\.0\.0\.8 tcp dport 8000 accept/)
  assert.doesNotMatch(printed(), /10\.0\.0\.9/)
})
