import { BlockList, isIP } from 'node:net'

const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  privateNetworks.addSubnet(network, bits, 'ipv6')
}

/** Null for an address that may be spoken to: HTTPS to anywhere, or HTTP within the house. Otherwise what is wrong with `name`. */
export function urlProblem(name: string, text: string): string | null {
  const url = URL.parse(text)
  if (!url) return `${name} must be a URL.`
  if (url.username !== '' || url.password !== '') return `${name} must not hold a name or a password.`
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:' && isPrivate(url.hostname)) return null
  return `${name} must be https, or http to a private address.`
}

function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  return family !== 0 && privateNetworks.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
