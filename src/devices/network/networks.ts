import { BlockList, isIP } from 'node:net'

/**
 * Reads a list of addresses (`192.168.1.20`) and networks (`192.168.1.0/28`), and answers whether an address, as a socket gives
 * it, is among them. An entry that is neither is passed over.
 */
export function networks(entries: readonly string[]): (address: string) => boolean {
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
  return (address) => {
    const plain = plainAddress(address)
    const version = isIP(plain)
    return version !== 0 && list.check(plain, familyOf(version))
  }
}

/** An IPv4 address in its IPv6 form, and the interface of a link-local one, are not part of the address. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

function familyOf(version: number): 'ipv4' | 'ipv6' {
  return version === 4 ? 'ipv4' : 'ipv6'
}
