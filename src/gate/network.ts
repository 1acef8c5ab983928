import { isIP } from 'node:net'

/**
 * Who shares a quota by address: an IPv4 address by itself, and a whole /64 of IPv6, because that is what one client can
 * choose its addresses from. `unknown` for what is no address, such as that of a socket that has gone.
 */
export function networkOf(address = ''): string {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  const version = isIP(plain)
  if (version === 4) return plain
  return version === 6 ? `${firstHalf(plain).join(':')}::/64` : 'unknown'
}

/** The first four groups, without leading zeros. */
function firstHalf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4)
}

/** An IPv4 address at the end stands for two groups. */
function groupsOf(text: string): string[] {
  if (text === '') return []
  return text
    .split(':')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : Number.parseInt(group, 16).toString(16)))
}
