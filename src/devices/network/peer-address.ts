import dns, { type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networks } from './networks.ts'

/** How the box speaks to one kind of peer. No kind is ever spoken to at a forbidden address, by whatever protocol. */
interface PeerPolicy {
  /** Protocols over TLS: to any other address, of the local network or not. */
  secure: string
  /** The same without TLS: to addresses of the local network alone, which are private ranges and this machine. */
  clear: string
  /** Without TLS also to a name, as long as every address that it leads to is local; else to an address alone. */
  clearByName: boolean
}

/** The policy of each use. A PMS on the local network is normal, with TLS or without. */
export const peerPolicies = {
  /** It hears of events, signed; who sets one up may be a client of the API. */
  webhook: { secure: 'https:', clear: 'http:', clearByName: true },
  /** It is sent credentials and the data of guests: no name server decides that these cross the line in clear. */
  pms: { secure: 'https:', clear: 'http:', clearByName: false },
  /** A broker; networks of containers know theirs by name alone. */
  broker: { secure: 'mqtts:', clear: 'mqtt:', clearByName: true },
  /** It is sent a password that opens doors. */
  lockCloud: { secure: 'https:', clear: 'http:', clearByName: false },
} as const satisfies Record<string, PeerPolicy>

/** Of the local network: what may be spoken to in clear. */
const isLocal = networks(['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1', 'fc00::/7'])
/** Where clouds and routers tell their secrets to whoever asks, and what is no address of a peer. */
const isForbidden = networks([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/3',
  '::',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::254',
  // 169.254.0.0/16 behind a router that translates IPv6 to IPv4 (RFC 6052).
  '64:ff9b::a9fe:0/112',
])

/**
 * What is wrong with a URL as it is written, in a sentence that begins with `name`; null for one that may be spoken to. What
 * a name leads to is checked when it is spoken to, by `guarded`.
 */
export function urlProblem(name: string, text: string, policy: PeerPolicy): string | null {
  const { secure, clear, clearByName } = policy
  const url = URL.parse(text)
  if (!url) return `${name} must be a URL.`
  if (url.username !== '' || url.password !== '') return `${name} must not hold a name or a password.`
  const [tls, plain] = [secure, clear].map((each) => each.slice(0, -1))
  if (url.protocol !== secure && url.protocol !== clear) return `${name} must be ${tls} or ${plain}.`
  const host = hostOf(url)
  if (isIP(host) !== 0) return addressProblem(name, host, url.protocol, policy)
  if (url.protocol === secure || clearByName || host === 'localhost') return null
  return `${name} must be ${tls}, or ${plain} to an address of the local network.`
}

/** What is wrong with speaking to an address by a protocol; null for one that may be spoken to. */
function addressProblem(
  name: string,
  address: string,
  protocol: string,
  { secure, clear }: PeerPolicy,
): string | null {
  if (isForbidden(address)) return `${name}: ${address} is no address that is spoken to.`
  if (protocol === secure || isLocal(address)) return null
  const [tls, plain] = [secure, clear].map((each) => each.slice(0, -1))
  return `${name} must be ${tls}, or ${plain} to an address of the local network.`
}

/** The peer was not spoken to, because its address is not allowed or its name leads to one that is not. Its message says which. */
export class AddressRefused extends Error {
  /** As errors of the system have one: who passes errors on tells them from others by it. */
  code = 'ERR_ADDRESS_REFUSED'
}

/**
 * The options with which a connection to a URL is opened. A name is looked up as usual, and the connection is refused with
 * AddressRefused where any of its addresses must not be spoken to: what a name leads to may change. Throws AddressRefused for
 * a URL that must not be spoken to as it is written.
 */
export function guarded(url: URL, policy: PeerPolicy): { lookup: LookupFunction } {
  const problem = urlProblem('The address', url.href, policy)
  if (problem) throw new AddressRefused(problem)
  return { lookup: guardedLookup(url.protocol, policy) }
}

function guardedLookup(protocol: string, policy: PeerPolicy): LookupFunction {
  return (hostname, options, answer) => {
    dns.lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = found as LookupAddress[] | undefined
      const [first] = addresses ?? []
      if (error || !first) return answer(error ?? new Error(`${hostname} has no address`), '', 0)
      const problem = addresses!
        .map(({ address }) => addressProblem(hostname, address, protocol, policy))
        .find(Boolean)
      if (problem) return answer(new AddressRefused(problem), '', 0)
      // Node asks for one address or for all of them.
      if (options.all) return (answer as (...all: unknown[]) => void)(null, addresses)
      answer(null, first.address, first.family)
    })
  }
}

/** The name or address of a URL; without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}
