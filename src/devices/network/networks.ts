import { BlockList, isIP } from 'node:net'

/**
 * Parses a list of addresses (`192.168.1.20`) and networks (`192.168.1.0/28`). Returns a function that answers whether
 * an address, as a socket reports it, is among them. An invalid entry is skipped, so that a wrong list admits fewer and never more; an
 * empty one admits none.
 */
export function networks(entries: readonly string[]): (address: string) => boolean {
  // The list is built at the first use, because it would cost every start 4 ms.
  let list: BlockList | null = null
  return (address) => {
    const plain = plainAddress(address)
    const version = isIP(plain)
    list ??= listOf(entries)
    return version !== 0 && list.check(plain, familyOf(version))
  }
}

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const version = isIP(address)
    if (version === 0) continue
    const most = version === 4 ? 32 : 128
    const prefix = bits === undefined ? most : Number(bits)
    if (Number.isInteger(prefix) && prefix >= 1 && prefix <= most)
      list.addSubnet(address, prefix, familyOf(version))
  }
  return list
}

/** Strips the IPv6 form of an IPv4 address, and the interface of a link-local address. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

function familyOf(version: number): 'ipv4' | 'ipv6' {
  return version === 4 ? 'ipv4' : 'ipv6'
}
