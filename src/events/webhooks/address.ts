import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Of the house: what may be spoken to in clear. */
const local = new BlockList()
/** Where clouds and routers tell their secrets to whoever asks, and what is no address of anybody's. */
const forbidden = new BlockList()

for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  local.addSubnet(network, bits, 'ipv4')
local.addAddress('::1', 'ipv6')
local.addSubnet('fc00::', 7, 'ipv6')

for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  forbidden.addSubnet(network, bits, 'ipv4')
forbidden.addAddress('::', 'ipv6')
forbidden.addSubnet('fe80::', 10, 'ipv6')
forbidden.addSubnet('ff00::', 8, 'ipv6')
forbidden.addAddress('fd00:ec2::254', 'ipv6')

/** What is wrong with a URL as it is written; null for one that may be spoken to. Names are looked up when it is. */
export function urlProblem(text: string): string | null {
  const url = URL.parse(text)
  if (!url) return 'url must be a URL.'
  if (url.username !== '' || url.password !== '') return 'url must not hold a name or a password.'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'url must be https or http.'
  return isIP(bare(url.hostname)) === 0 ? null : addressProblem(bare(url.hostname), url.protocol)
}

/** What is wrong with speaking to an address. */
export function addressProblem(address: string, protocol: string): string | null {
  if (isForbidden(address)) return `${address} is no address that is spoken to.`
  if (protocol === 'https:' || isLocal(address)) return null
  return 'url must be https, or http to an address of the local network.'
}

/** Whether nobody may be spoken to at an address, by whatever protocol. */
export function isForbidden(address: string): boolean {
  return isIn(forbidden, address)
}

/** Whether an address is of the house's own network. */
export function isLocal(address: string): boolean {
  return isIn(local, address)
}

function isIn(networks: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return networks.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
}

/** Refused when it was about to be spoken to: a name that leads where it must not. */
export class AddressRefused extends Error {}

/** Looks names up as usual, and takes none of their addresses that must not be spoken to: what a name leads to may change. */
export function guardedLookup(protocol: string): LookupFunction {
  return (hostname, options, answer) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = found as LookupAddress[] | undefined
      const [first] = addresses ?? []
      if (error || !first) return answer(error ?? new Error(`${hostname} has no address`), '', 0)
      const problem = addresses!.map(({ address }) => addressProblem(address, protocol)).find(Boolean)
      if (problem) return answer(new AddressRefused(problem), '', 0)
      // Node asks for one address or for all of them.
      if (options.all) return (answer as (...all: unknown[]) => void)(null, addresses)
      answer(null, first.address, first.family)
    })
  }
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}
