import { networks } from './networks.ts'

/** Whether a peer at this address may connect. Takes the address as a socket gives it. */
export type IsPeer = (address: string) => boolean

const isLoopback = networks(['127.0.0.0/8', '::1'])

/**
 * Reads a list of addresses (`192.168.1.20`) and networks (`192.168.1.0/28`) that may connect. Without any, only this
 * machine may. An entry that is neither is passed over, so that a wrong list lets in fewer and never more.
 */
export function peersOf(entries: readonly string[]): IsPeer {
  return entries.length > 0 ? networks(entries) : isLoopback
}
