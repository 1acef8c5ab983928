import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import { type HidAddress, hidExpected, parseHid } from './hid/hid-address.ts'
import { openHid } from './hid/hid-device.ts'
import { openSerial } from './serial-wire.ts'

/** Where a device is reached. */
export type WireAddress =
  | { transport: 'serial'; path: string }
  | { transport: 'tcp'; host: string; port: number }
  | HidAddress

/** `warning` is for who sets the device up: the address works, but not for long. */
type ParsedAddress = { address: WireAddress; warning: string | null } | { problem: string }

export interface WireOptions {
  clock: Clock
  /** Serial lines alone; 9600 unless said otherwise. */
  baudRate?: number
  /** Gives up the opening; a wire already open is not touched. */
  signal?: AbortSignal
  /** TCP alone; 5 s unless said otherwise. */
  connectTimeoutMs?: number
  /** Serial lines and HID: how often to look whether the device is still there; 2 s unless said otherwise. */
  checkMs?: number
}

/** Reads `tcp://host:port`, `hid://vendor:product` or the absolute path of a serial line; anything else is a problem in words. */
export function parseAddress(text: string): ParsedAddress {
  if (text.startsWith('hid:')) return { warning: null, ...parseHid(text) }
  if (text.startsWith('tcp:')) return parseTcp(text)
  if (!/^\/[^\0]*[^\0/]$/.test(text)) return { problem: `${JSON.stringify(text)} is not ${expected}` }
  return { address: { transport: 'serial', path: text }, warning: unstable(text) }
}

/**
 * Opens a wire. Rejects with an Error whose text names the address and what is wrong, or with the signal's reason.
 * A wire that breaks later says so by `close` and by failing writes, never by an unheard `error`.
 */
export async function openWire(address: WireAddress, options: WireOptions): Promise<Duplex> {
  options.signal?.throwIfAborted()
  const wire = await open(address, options)
  if (options.signal?.aborted) {
    wire.destroy()
    throw options.signal.reason
  }
  return wire
}

function open(address: WireAddress, options: WireOptions): Promise<Duplex> {
  if (address.transport === 'tcp') return openTcp(address, options)
  const { clock, checkMs = 2_000, signal } = options
  return address.transport === 'hid'
    ? openHid(address, { clock, checkMs, signal })
    : openLine(address.path, options)
}

const expected = `an address: give the path of a serial line (/dev/serial/by-id/...), tcp://host:port (tcp://192.168.1.20:4001) or, for a USB HID device, ${hidExpected}`

function parseTcp(text: string): ParsedAddress {
  const [, bracketed, plain, digits] =
    /^tcp:\/\/(?:\[([\da-f:.]+)\]|([^\s/:@?#[\]]+)):(\d+)$/i.exec(text) ?? []
  const host = bracketed ?? plain
  if (!host) return { problem: `${JSON.stringify(text)} is not ${expected}` }
  const port = Number(digits)
  if (port < 1 || port > 65_535) return { problem: `${JSON.stringify(text)} has no port from 1 to 65535` }
  return { address: { transport: 'tcp', host, port }, warning: null }
}

function unstable(path: string): string | null {
  if (!/\/tty(USB|ACM)\d+$/.test(path)) return null
  return `${path} is numbered in the order of plugging in and may be another device after the next start: use its path under /dev/serial/by-id/`
}

function openLine(path: string, { clock, baudRate = 9600, checkMs = 2_000 }: WireOptions): Promise<Duplex> {
  return openSerial(path, { clock, baudRate, checkMs })
}

async function openTcp(
  { host, port }: { host: string; port: number },
  { clock, signal, connectTimeoutMs = 5_000 }: WireOptions,
): Promise<Duplex> {
  // Small frames must leave at once; a peer that lost its power is noticed by the keep-alive in the end.
  const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 })
  // An `error` nobody listens to ends the process, and a line may break before its driver listens or after it left.
  socket.on('error', () => {})
  const givenUp = clock.timeout(connectTimeoutMs)
  try {
    await once(socket, 'connect', { signal: signal ? AbortSignal.any([signal, givenUp]) : givenUp })
    return socket
  } catch (error) {
    socket.destroy()
    signal?.throwIfAborted()
    throw new Error(`tcp://${host}:${port} ${refusal(error, connectTimeoutMs)}`, { cause: error })
  }
}

function refusal(error: unknown, connectTimeoutMs: number): string {
  if (!(error instanceof Error)) return 'cannot be reached'
  if (error.name === 'AbortError') return `did not answer within ${connectTimeoutMs} ms`
  // Where a name has several addresses the message is empty and the code alone says what happened.
  return `cannot be reached: ${'code' in error ? error.code : error.message}`
}
