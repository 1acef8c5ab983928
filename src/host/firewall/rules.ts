import { isIP } from 'node:net'
import { shortAddress } from '../machine/reachable.ts'
import type { Endpoint } from './endpoints.ts'

interface RuleOptions {
  /** The ports at which the box answers everybody. */
  ports: readonly number[]
  endpoints: readonly Endpoint[]
  /** Lets the program and the system connect to everywhere. */
  isOutOpen: boolean
}

/**
 * Returns rules for nft that drop what is not named, in both directions. They replace their own table as a whole and touch no
 * other. A host that is known by its name is open by its port, because nft would resolve the name only once. What begins no
 * connection goes out: the kernel does not know the connections that were there before the first rules.
 */
export function firewallRules({ ports, endpoints, isOutOpen }: RuleOptions): string {
  const open = `{ ${[...new Set(ports)].join(', ')} }`
  const rules = (direction: Endpoint['direction']) =>
    [...new Set(endpoints.filter((each) => each.direction === direction).map(ruleOf))].join('\n    ')
  return `# Made by "nightporter firewall" from the configuration of this property. Load it with: nft -f FILE
table inet nightporter
delete table inet nightporter

table inet nightporter {
  set clients { type ipv4_addr; flags dynamic; size 4096; timeout 1m; }
  set clients6 { type ipv6_addr; flags dynamic; size 4096; timeout 1m; }
  set refused { type ipv4_addr . inet_service; flags dynamic; size 64; timeout 1h; }
  set refused6 { type ipv6_addr . inet_service; flags dynamic; size 64; timeout 1h; }

  chain input {
    type filter hook input priority filter; policy drop;
    iif lo accept
    ct state established,related accept
    ct state invalid drop
    meta l4proto { icmpv6, igmp } accept
    meta l4proto icmp limit rate 20/second accept
    udp sport 67 udp dport 68 accept
    udp sport 547 udp dport 546 accept
    ip daddr 224.0.0.251 udp dport 5353 accept
    ip6 daddr ff02::fb udp dport 5353 accept
    udp sport 5353 udp dport 5353 accept
    tcp dport ${open} ct state new add @clients { ip saddr limit rate over 20/second burst 200 packets } drop
    tcp dport ${open} ct state new add @clients6 { ip6 saddr limit rate over 20/second burst 200 packets } drop
    tcp dport ${open} accept
    ${rules('in')}
    limit rate 6/minute log prefix "nightporter dropped in: "
  }

  chain forward {
    type filter hook forward priority filter; policy drop;
  }

  chain output {
    type filter hook output priority filter; policy ${isOutOpen ? 'accept' : 'drop'};
    oif lo accept
    ct state established,related accept
    tcp flags & (syn | ack) != syn accept
    meta l4proto { icmp, icmpv6, igmp } accept
    udp dport { 53, 67, 123, 547, 5353 } accept
    udp sport 5353 accept
    tcp dport { ${openToAll.join(', ')} } accept
    ${rules('out')}${isOutOpen ? '' : refusal}
  }
}
`
}

/** The ports of every host that the box may connect to: name servers and HTTPS. */
const openToAll = [53, 443, 853]

/** The status names what was refused. The program gets the answer at once, instead of waiting for one. */
const refusal = `
    limit rate 6/minute log prefix "nightporter dropped out: "
    meta nfproto ipv4 meta l4proto tcp add @refused { ip daddr . tcp dport }
    meta nfproto ipv6 meta l4proto tcp add @refused6 { ip6 daddr . tcp dport }
    meta l4proto tcp reject with icmpx admin-prohibited`

/** Whether rules of `firewallRules` let a connection of the box out to an endpoint. */
export function isOpenFor(endpoint: Endpoint, rules: string): boolean {
  return openToAll.includes(endpoint.port) || rules.includes(`\n    ${ruleOf(endpoint)}\n`)
}

function ruleOf({ direction, host, port }: Endpoint): string {
  const address = host === null ? null : addressOf(host)
  const side = direction === 'in' ? 'saddr' : 'daddr'
  const from = address === null ? '' : `${address.includes(':') ? 'ip6' : 'ip'} ${side} ${address} `
  return `${from}tcp dport ${port} accept`
}

/** The address or the network of a host in the form that nft reads; null for a name. */
function addressOf(host: string): string | null {
  const [written = '', bits] = host.split('/')
  // A rule has no interface of a link-local address.
  const address = shortAddress(written.replace(/%.*$/, ''))
  // To an IPv4 address in the form of IPv6 the kernel sends IPv4.
  if (isIP(address) === 0 || address.startsWith('::ffff:')) return null
  return bits === undefined ? address : `${address}/${Number(bits)}`
}
