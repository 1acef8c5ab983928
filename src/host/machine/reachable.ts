import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

/**
 * Why other devices are not offered an address. `not-listening`: the server does not answer there. `link-local`: no browser
 * opens it, or the machine has a better one. `virtual`: a bridge for containers or virtual machines on this machine, unless
 * the server listens at its address alone. `temporary`, `deprecated` and `not-ready`: an IPv6 address that ends soon, or is
 * not in use yet. `public`: an address outside private networks, for which the authority of the box may not sign. `not-certified`:
 * the certificate in use does not name it.
 */
export const leftOutReasons = [
  'not-listening',
  'link-local',
  'virtual',
  'temporary',
  'deprecated',
  'not-ready',
  'public',
  'not-certified',
] as const

/** An address of this machine. */
export interface OwnAddress {
  address: string
  /** The name of the network interface, such as `docker0`. */
  interface: string
}

export interface LeftOut extends OwnAddress {
  reason: (typeof leftOutReasons)[number]
}

/** The addresses of this machine at which other devices reach the server, the best one first: IPv4 before IPv6. */
export interface Reachable {
  addresses: string[]
  /** The name of the network interface of each of them. */
  interfaces: Record<string, string>
  leftOut: LeftOut[]
}

interface Facts {
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>
  /** The kernel's table of IPv6 addresses with their flags, in the form of `/proc/net/if_inet6`. */
  ipv6Table: string
}

/** Returns the addresses for a server that listens on `host`: an address, `0.0.0.0`, `::`, or a name. */
export function reachableAddresses(host: string, facts: Facts = factsOfMachine()): Reachable {
  const flags = ipv6Flags(facts.ipv6Table)
  const all = addressesIn(facts.interfaces)
  const judged = all.map((each) => ({ ...each, reason: reasonAgainst(each, normal(host), flags) }))
  const good = judged.filter(({ reason }) => reason === null)
  // Without any other address, a cable between two machines still has link-local IPv4 addresses.
  const last = judged.filter(({ address, reason }) => reason === 'link-local' && isIP(address) === 4)
  const offered = good.length > 0 ? good : last
  const sorted = offered.toSorted((one, other) => rank(one) - rank(other))
  return {
    addresses: [...new Set(sorted.map(({ address }) => address))],
    interfaces: Object.fromEntries(sorted.map(({ address, interface: name }) => [address, name])),
    leftOut: judged.flatMap(({ address, interface: name, reason }) =>
      reason === null || offered.some((each) => each.address === address)
        ? []
        : [{ address, interface: name, reason }],
    ),
  }
}

/** Whether an address is a loopback address or `localhost`. */
export function isLoopback(address = ''): boolean {
  const plain = address.replace(/^::ffff:/, '')
  return plain === '::1' || plain === 'localhost' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** Whether an address is one of this machine. */
export function isOwnAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return own.some((each) => each.address === address)
}

/** Returns a URL with `host` in the place of `0.0.0.0` or `[::]`, which no device can open. */
export function urlWithHost(url: string, host: string): string {
  return url.replace(/(?<=:\/\/)(?:0\.0\.0\.0|\[::\])(?=:|\/|$)/, urlHost(host))
}

/** Returns a name or an address as it is written in a URL: IPv6 in brackets. */
export function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}

/** Writes an IPv6 address in its short form; returns any other text unchanged. */
export function shortAddress(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}

/** Whether an address belongs to a private network. Link-local IPv6 addresses do not count: no browser opens them. */
export function isPrivate(address: string): boolean {
  if (isIP(address) === 6) return /^f[cd]/i.test(address)
  return /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(address)
}

/** Returns a sentence about an address that is left out, for the console and the screen. */
export function leftOutText({ address, interface: name, reason }: LeftOut): string {
  return `${address} (${name}): ${reasonTexts[reason]}`
}

const reasonTexts: Record<LeftOut['reason'], string> = {
  'not-listening': 'the server does not listen there',
  'link-local': 'a link-local address, which browsers do not open or which may change',
  virtual: 'a bridge for containers or virtual machines on this machine',
  temporary: 'a temporary IPv6 address, which changes',
  deprecated: 'an IPv6 address that ends soon',
  'not-ready': 'an IPv6 address that is not in use yet',
  public: 'an address outside private networks, for which the authority of the box may not sign',
  'not-certified': 'the certificate of the server does not name it',
}

function addressesIn(interfaces: Facts['interfaces']): OwnAddress[] {
  return Object.entries(interfaces).flatMap(([name, each = []]) =>
    each
      .filter(({ internal, address }) => !internal && isIP(address) !== 0)
      .map(({ address }) => ({ address, interface: name })),
  )
}

function factsOfMachine(): Facts {
  return { interfaces: networkInterfaces(), ipv6Table: ipv6TableOfMachine() }
}

/** Of a process its own, because the service does not see the rest of /proc. */
function ipv6TableOfMachine(): string {
  try {
    return readFileSync('/proc/self/net/if_inet6', 'utf8')
  } catch {
    return ''
  }
}

/** Linux: include/uapi/linux/if_addr.h. */
const kernelFlags: readonly [mask: number, reason: LeftOut['reason']][] = [
  [0x48, 'not-ready'],
  [0x20, 'deprecated'],
  [0x01, 'temporary'],
]

function ipv6Flags(table: string): Map<string, number> {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/))
  return new Map(
    rows.flatMap(([digits = '', , , , flags = '']) =>
      /^[\da-f]{32}$/.test(digits)
        ? [[normal((digits.match(/.{4}/g) ?? []).join(':')), Number.parseInt(flags, 16)] as const]
        : [],
    ),
  )
}

const virtualNames =
  /^(docker|br-[\da-f]{6}|veth|virbr|vnet|lxc|lxd|incus|podman|cni|flannel|cali|kube|vmnet|vboxnet)/
const tunnelNames = /^(tun|tap|wg|ppp|utun|tailscale|zt|nebula|ipsec|gre|sit)/

function reasonAgainst(
  { address, interface: name }: OwnAddress,
  host: string,
  flags: ReadonlyMap<string, number>,
): LeftOut['reason'] | null {
  if (!answersAt(host, address)) return 'not-listening'
  if (/^(fe[89ab]|169\.254\.)/i.test(address)) return 'link-local'
  if (virtualNames.test(name) && normal(address) !== host) return 'virtual'
  const found = flags.get(normal(address)) ?? 0
  const flagged = kernelFlags.find(([mask]) => (found & mask) !== 0)
  if (flagged) return flagged[1]
  return isPrivate(address) ? null : 'public'
}

/** Whether a server that listens on `host` answers at an address of this machine. A name may mean any of them. */
function answersAt(host: string, address: string): boolean {
  if (host === '::') return true
  if (host === '0.0.0.0') return isIP(address) === 4
  if (isIP(host) === 0) return !isLoopback(host)
  return normal(address) === host
}

/** Tunnels come last: the devices of the hotel are seldom in them. */
function rank({ address, interface: name }: OwnAddress): number {
  return (tunnelNames.test(name) ? 2 : 0) + (isIP(address) === 6 ? 1 : 0)
}

/** Writes an address in its short form, without a zone; an IPv4 address in an IPv6 one as IPv4. */
function normal(host: string): string {
  const plain = host
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
  return shortAddress(plain).toLowerCase()
}
