import dns, { type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networks } from './networks.ts'

/**
 * How the appliance connects to one kind of peer. It connects to a forbidden address for no kind of peer and by no
 * protocol.
 */
interface PeerPolicy {
  /** The protocol over TLS: allowed for every other address, in the local network or outside. */
  secure: string
  /**
   * The protocol without TLS: allowed only for addresses of the local network, which are private ranges and this
   * machine.
   */
  clear: string
  /**
   * Whether a name is allowed without TLS, provided that every address it resolves to is local. If not, only an address
   * is allowed.
   */
  clearByName: boolean
}

/** The policy of each kind of peer. A PMS on the local network is normal, with TLS or without. */
export const peerPolicies = {
  /** A webhook receives signed events; a client of the API may create one. */
  webhook: { secure: 'https:', clear: 'http:', clearByName: true },
  /**
   * A PMS receives credentials and the data of guests. A name server must not be able to cause that these are sent
   * without TLS.
   */
  pms: { secure: 'https:', clear: 'http:', clearByName: false },
  /** A broker; in container networks a broker is known only by its name. */
  broker: { secure: 'mqtts:', clear: 'mqtt:', clearByName: true },
  /** A lock cloud receives a password that opens doors. */
  lockCloud: { secure: 'https:', clear: 'http:', clearByName: false },
} as const satisfies Record<string, PeerPolicy>

/** The addresses of the local network, which allow connections in clear. */
const isLocal = networks(['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1', 'fc00::/7'])
/** Addresses at which clouds and routers reveal their secrets to any client, and addresses that belong to no peer. */
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
 * The problem of a URL as it is written, in a sentence that begins with `name`; null for an allowed URL. `guarded`
 * checks the addresses of a name when it connects.
 */
export function urlProblem(name: string, text: string, policy: PeerPolicy): string | null {
  const { secure, clear, clearByName } = policy
  const url = URL.parse(text)
  if (!url) return `${name} must be a URL.`
  if (url.username !== '' || url.password !== '') return `${name} must not hold a name or a password.`
  const [tls, plain] = [secure, clear].map((each) => each.slice(0, -1))
  if (url.protocol !== secure && url.protocol !== clear) return `${name} must be ${tls} or ${plain}.`
  // Without the brackets of IPv6.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return addressProblem(name, host, url.protocol, policy)
  if (url.protocol === secure || clearByName || host === 'localhost') return null
  return `${name} must be ${tls}, or ${plain} to an address of the local network.`
}

/** The problem of connecting to an address by a protocol; null when it is allowed. */
function addressProblem(
  name: string,
  address: string,
  protocol: string,
  { secure, clear }: PeerPolicy,
): string | null {
  if (isForbidden(address)) return `${name}: ${address} is not an allowed address.`
  if (protocol === secure || isLocal(address)) return null
  const [tls, plain] = [secure, clear].map((each) => each.slice(0, -1))
  return `${name} must be ${tls}, or ${plain} to an address of the local network.`
}

/**
 * The appliance did not connect to the peer, because its address is forbidden or its name resolves to a forbidden one.
 * The message says which.
 */
export class AddressRefused extends Error {
  /** A code as system errors have one: callers use it to distinguish errors. */
  code = 'ERR_ADDRESS_REFUSED'
}

/**
 * The options with which a connection to a URL is opened. A name is resolved as usual, and the connection is refused
 * with AddressRefused when any of its addresses is forbidden: a name may resolve to other addresses later. Throws
 * AddressRefused for a URL that is forbidden as it is written.
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
