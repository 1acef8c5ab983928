import { isIP } from 'node:net'

/**
 * Returns the key of an address for quotas: an IPv4 address itself, or the /64 network of an IPv6 address,
 * because one client can use any address in it. Returns `unknown` for an invalid address, such as that of a
 * closed socket.
 */
export function networkOf(address = ''): string {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  const version = isIP(plain)
  if (version === 4) return plain
  return version === 6 ? `${firstHalf(plain).join(':')}::/64` : 'unknown'
}

/** Returns the first four groups, without leading zeros. */
function firstHalf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4)
}

/** An IPv4 address at the end replaces two groups. */
function groupsOf(text: string): string[] {
  if (text === '') return []
  return text
    .split(':')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : Number.parseInt(group, 16).toString(16)))
}
