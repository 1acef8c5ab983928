import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../host/clock.ts'
import { type HidAddress, hidExpected, mayBeSameHid, parseHid } from '../hid/hid-address.ts'
import { openHid } from '../hid/hid-device.ts'
import { troubleText } from '../network/line-trouble.ts'
import type { PluggedIn } from './plugged-in.ts'
import { openSerial } from './serial-wire.ts'
import { isNumbered, type PortMemory, settledAddress } from './usb-ports.ts'

/** Where a device is reached. */
export type WireAddress =
  | { transport: 'serial'; path: string }
  | { transport: 'tcp'; host: string; port: number }
  | HidAddress

/** `warning` is for the installer: the address works now, but may change. */
type ParsedAddress = { address: WireAddress; warning: string | null } | { problem: string }

export interface WireOptions {
  clock: Clock
  /** Serial lines only. Default: 9600. */
  baudRate?: number
  /** Cancels the opening; a wire that is already open is not affected. */
  signal?: AbortSignal
  /** TCP only. Default: 5 s. */
  connectTimeoutMs?: number
  /** Serial lines and HID: the interval of the check that the device is still there. Default: 2 s. */
  checkMs?: number
  /** Where the device of an address was; default: nothing is known, so one of several equal devices is not opened. */
  ports?: PortMemory
  /** The devices of this machine. Default: those that the kernel lists. */
  pluggedIn?: () => Promise<PluggedIn[]>
}

/**
 * Parses `tcp://host:port`, `hid://vendor:product` or the absolute path of a serial line. For any other text it returns
 * a problem as a sentence.
 */
export function parseAddress(text: string): ParsedAddress {
  if (text.startsWith('hid:')) return { warning: null, ...parseHid(text) }
  if (text.startsWith('tcp:')) return parseTcp(text)
  if (!/^\/[^\0]*[^\0/]$/.test(text)) return { problem: `${JSON.stringify(text)} is not ${expected}` }
  return { address: { transport: 'serial', path: text }, warning: unstable(text) }
}

/** Whether both addresses may mean the same device. */
export function mayBeSameDevice(one: string, other: string): boolean {
  const [a, b] = [parseHid(one), parseHid(other)]
  return one === other || ('address' in a && 'address' in b && mayBeSameHid(a.address, b.address))
}

/**
 * Opens a wire. Rejects with an Error whose text names the address and the problem (LineTrouble where it could reach another
 * device than the configured one), or with the signal's reason. A wire
 * that breaks later emits `close` and fails its writes; it never emits an unhandled `error`.
 */
export async function openWire(address: WireAddress, options: WireOptions): Promise<Duplex> {
  options.signal?.throwIfAborted()
  const wire = await open(await settled(address, options), options)
  if (options.signal?.aborted) {
    wire.destroy()
    throw options.signal.reason
  }
  return wire
}

async function settled(
  address: WireAddress,
  { ports, pluggedIn, signal }: WireOptions,
): Promise<WireAddress> {
  if (address.transport === 'tcp') return address
  const found = await settledAddress(address, ports ?? new Map(), pluggedIn)
  signal?.throwIfAborted()
  return found
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
  if (!isNumbered(path)) return null
  return `${path} is numbered in the order of plugging in and may be another device after the next start: use its path under /dev/serial/by-id/`
}

function openLine(path: string, { clock, baudRate = 9600, checkMs = 2_000 }: WireOptions): Promise<Duplex> {
  return openSerial(path, { clock, baudRate, checkMs })
}

async function openTcp(
  { host, port }: { host: string; port: number },
  { clock, signal, connectTimeoutMs = 5_000 }: WireOptions,
): Promise<Duplex> {
  // Small frames must leave at once. The keep-alive detects a peer that has lost its power.
  const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 })
  // Without a listener, an `error` event ends the process. The connection may break before its driver listens or after
  // the driver has stopped.
  socket.on('error', () => {})
  const timeout = clock.timeout(connectTimeoutMs)
  try {
    await once(socket, 'connect', { signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
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
  return `cannot be reached: ${troubleText(error)}`
}
