import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type LeftOut, reachableAddresses, urlWithHost } from '../../src/host/machine/reachable.ts'
import fc from '../seed.ts'

type Machine = Record<string, readonly string[]>

const loopback = { lo: ['127.0.0.1', '::1'] }
const pi: Machine = { ...loopback, eth0: ['192.168.1.10', 'fe80::1'], wlan0: ['192.168.2.10', 'fe80::2'] }

function addressesOf(machine: Machine, host: string, ipv6Table = '') {
  const interfaces = Object.entries(machine).map(([name, addresses]) => [
    name,
    addresses.map((address) => ({ address, internal: name === 'lo' }) as NetworkInterfaceInfo),
  ])
  return reachableAddresses(host, { interfaces: Object.fromEntries(interfaces), ipv6Table })
}

const table: {
  name: string
  machine: Machine
  host: string
  ipv6Table?: string
  addresses: string[]
  leftOut: Record<string, LeftOut['reason']>
}[] = [
  { name: 'a container with loopback only', machine: loopback, host: '::', addresses: [], leftOut: {} },
  {
    name: 'a server of this machine alone',
    machine: pi,
    host: '127.0.0.1',
    addresses: [],
    leftOut: {
      '192.168.1.10': 'not-listening',
      'fe80::1': 'not-listening',
      '192.168.2.10': 'not-listening',
      'fe80::2': 'not-listening',
    },
  },
  {
    name: 'a Pi with cable and radio',
    machine: pi,
    host: '::',
    addresses: ['192.168.1.10', '192.168.2.10'],
    leftOut: { 'fe80::1': 'link-local', 'fe80::2': 'link-local' },
  },
  {
    name: 'a network with IPv6 alone',
    machine: { ...loopback, eth0: ['fd12:3456::10', 'fe80::1', '2001:db8::10'] },
    host: '::',
    addresses: ['fd12:3456::10'],
    leftOut: { 'fe80::1': 'link-local', '2001:db8::10': 'public' },
  },
  {
    name: 'IPv6 addresses at which the server does not listen',
    machine: { ...loopback, eth0: ['fd12:3456::10', '10.0.0.5'] },
    host: '0.0.0.0',
    addresses: ['10.0.0.5'],
    leftOut: { 'fd12:3456::10': 'not-listening' },
  },
  {
    name: 'a bridge at whose address alone the server listens',
    machine: { ...loopback, docker0: ['172.17.0.1'], eth0: ['10.0.0.5'] },
    host: '172.17.0.1',
    addresses: ['172.17.0.1'],
    leftOut: { '10.0.0.5': 'not-listening' },
  },
  {
    name: 'IPv4 before IPv6',
    machine: { ...loopback, eth0: ['fd12:3456::10', '10.0.0.5'] },
    host: '::',
    addresses: ['10.0.0.5', 'fd12:3456::10'],
    leftOut: {},
  },
  {
    name: 'bridges of containers and virtual machines, and a bridge of the network',
    machine: {
      ...loopback,
      docker0: ['172.17.0.1'],
      'br-0a1b2c3d4e5f': ['172.18.0.1'],
      veth12ab: ['169.254.7.7'],
      virbr0: ['192.168.122.1'],
      br0: ['192.168.1.10'],
    },
    host: '::',
    addresses: ['192.168.1.10'],
    leftOut: {
      '172.17.0.1': 'virtual',
      '172.18.0.1': 'virtual',
      '169.254.7.7': 'link-local',
      '192.168.122.1': 'virtual',
    },
  },
  {
    name: 'a tunnel, which comes last',
    machine: { ...loopback, tun0: ['10.8.0.2'], wg0: ['10.9.0.2'], eth0: ['192.168.1.10', 'fd12::10'] },
    host: '::',
    addresses: ['192.168.1.10', 'fd12::10', '10.8.0.2', '10.9.0.2'],
    leftOut: {},
  },
  {
    name: 'a link-local IPv4 address beside a better one',
    machine: { ...loopback, eth0: ['169.254.10.1'], wlan0: ['192.168.2.10'] },
    host: '0.0.0.0',
    addresses: ['192.168.2.10'],
    leftOut: { '169.254.10.1': 'link-local' },
  },
  {
    name: 'a link-local IPv4 address of a cable to one computer',
    machine: { ...loopback, eth0: ['169.254.10.1', 'fe80::1'] },
    host: '::',
    addresses: ['169.254.10.1'],
    leftOut: { 'fe80::1': 'link-local' },
  },
  {
    name: 'the address of another VLAN, with the server at one of them',
    machine: { ...loopback, 'eth0.10': ['10.0.10.5'], 'eth0.20': ['10.0.20.5', 'fd00:20::5'] },
    host: '10.0.20.5',
    addresses: ['10.0.20.5'],
    leftOut: { '10.0.10.5': 'not-listening', 'fd00:20::5': 'not-listening' },
  },
  {
    name: 'a server at one IPv6 address, however it is written',
    machine: { ...loopback, eth0: ['10.0.20.5', 'fd00:20::5'] },
    host: 'FD00:20:0:0::5',
    addresses: ['fd00:20::5'],
    leftOut: { '10.0.20.5': 'not-listening' },
  },
  {
    name: 'IPv6 addresses that change or end',
    machine: { ...loopback, eth0: ['fd00::1', 'fd00::2', 'fd00::3', 'fd00::4'] },
    host: '::',
    ipv6Table: [
      'fd000000000000000000000000000001 02 40 00 00     eth0',
      'fd000000000000000000000000000002 02 40 00 01     eth0',
      'fd000000000000000000000000000003 02 40 00 20     eth0',
      'fd000000000000000000000000000004 02 40 00 40     eth0',
      '00000000000000000000000000000001 01 80 10 80       lo',
      'rubbish',
    ].join('\n'),
    addresses: ['fd00::1'],
    leftOut: { 'fd00::2': 'temporary', 'fd00::3': 'deprecated', 'fd00::4': 'not-ready' },
  },
]

describe('Other devices are offered', () => {
  for (const { name, machine, host, ipv6Table, addresses, leftOut } of table)
    it(`the right addresses of ${name}`, () => {
      const found = addressesOf(machine, host, ipv6Table)
      assert.deepEqual(found.addresses, addresses)
      assert.deepEqual(
        Object.fromEntries(found.leftOut.map(({ address, reason }) => [address, reason])),
        leftOut,
      )
    })

  it('each address or hear why not, and none at which the server does not answer', () => {
    const address = fc.oneof(
      fc.ipV4().filter((each) => !each.startsWith('127.')),
      fc.constantFrom('192.168.1.10', '10.1.2.3', 'fd00::7', 'fe80::9', '2001:db8::1', '169.254.3.4'),
    )
    const name = fc.constantFrom('eth0', 'wlan0', 'docker0', 'tun0', 'br0', 'enp3s0')
    const machines = fc.dictionary(name, fc.array(address, { maxLength: 4 }), { maxKeys: 4 })
    const hosts = fc.oneof(fc.constantFrom('::', '0.0.0.0', '127.0.0.1', '::1', 'localhost'), address)
    fc.assert(
      fc.property(machines, hosts, (machine, host) => {
        const { addresses, leftOut } = addressesOf(machine, host)
        const all = new Set(Object.values(machine).flat())
        assert.deepEqual(new Set([...addresses, ...leftOut.map((each) => each.address)]), all)
        assert.equal(new Set(addresses).size, addresses.length)
        for (const each of addresses) {
          assert.doesNotMatch(each, /^(fe80|127\.|::1$)/)
          assert.ok(
            host === '::' || host === each || (host === '0.0.0.0' && isIP(each) === 4),
            `${each} at ${host}`,
          )
        }
      }),
    )
  })
})

it('A URL for another device has a host in the place of every address', () => {
  assert.equal(urlWithHost('https://0.0.0.0:8443', '192.168.1.10'), 'https://192.168.1.10:8443')
  assert.equal(urlWithHost('https://[::]:8443', 'fd00::1'), 'https://[fd00::1]:8443')
  assert.equal(urlWithHost('https://[::]/setup', 'localhost'), 'https://localhost/setup')
  assert.equal(urlWithHost('https://10.0.0.0:1', 'x'), 'https://10.0.0.0:1')
})

it('One file alone reads the network interfaces', () => {
  const source = join(import.meta.dirname, '../../src')
  const files = globSync('**/*.ts', { cwd: source })
  assert.deepEqual(
    files.filter((file) => /\bnetworkInterfaces\b/.test(readFileSync(join(source, file), 'utf8'))),
    ['host/machine/reachable.ts'],
  )
})
