import { BlockList, isIP } from 'node:net'

/** Whether a peer at this address may connect. Takes the address as a socket gives it. */
export type IsPeer = (address: string) => boolean

const loopback = allowList(['127.0.0.0/8', '::1'])

/**
 * Reads a list of addresses (`192.168.1.20`) and networks (`192.168.1.0/28`) that may connect. Without any, only this
 * machine may. An entry that is neither is passed over, so that a wrong list lets in fewer and never more.
 */
export function peersOf(entries: readonly string[]): IsPeer {
  const allowed = entries.length > 0 ? allowList(entries) : loopback
  return (address) => isIn(allowed, address)
}

/** An IPv4 address in its IPv6 form, and the interface of a link-local one, are not part of the address. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

function allowList(entries: readonly string[]): BlockList {
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

function isIn(list: BlockList, address: string): boolean {
  const plain = plainAddress(address)
  const version = isIP(plain)
  return version !== 0 && list.check(plain, familyOf(version))
}

function familyOf(version: number): 'ipv4' | 'ipv6' {
  return version === 4 ? 'ipv4' : 'ipv6'
}
