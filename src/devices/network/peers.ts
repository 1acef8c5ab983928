import { networks } from './networks.ts'

/** Whether a peer at this address may connect. The address is in the form that a socket reports. */
export type IsPeer = (address: string) => boolean

const isLoopback = networks(['127.0.0.0/8', '::1'])

/**
 * Parses a list of addresses (`192.168.1.20`) and networks (`192.168.1.0/28`) that may connect. An empty list admits
 * only this machine. An invalid entry is skipped, so that a wrong list admits fewer peers and never more.
 */
export function peersOf(entries: readonly string[]): IsPeer {
  return entries.length > 0 ? networks(entries) : isLoopback
}
