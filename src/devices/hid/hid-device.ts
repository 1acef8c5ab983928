import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../host/clock.ts'
import { type HidAddress, hidText } from './hid-address.ts'
import { type HidChild, startHidChild } from './hid-child.ts'
import { type FeatureReports, reportWire } from './hid-reports.ts'

interface HidOptions {
  clock: Clock
  /** How often to look whether the device is still plugged in. */
  checkMs: number
  signal?: AbortSignal | undefined
}

// Beside this file under the same ending, from source and in the bundle.
const library = new URL(`./hid-process${extname(import.meta.url)}`, import.meta.url)
/** Loading the library waits while any USB device is being recognised, for many seconds where one is broken. */
const opensWithinMs = 60_000
/** The library gives a transfer 1 s; one that takes so long hangs. */
const transferWithinMs = 5_000

/**
 * Opens a USB HID device as a wire of feature reports (`reportLine` asks on it). Rejects with an Error whose text names
 * the address and what is wrong with it, or with the signal's reason. A device that is unplugged closes its wire, and so
 * does the end of its process.
 *
 * Each device has a process of its own, which runs `program`: the native library waits where it must not, and a crash in it
 * takes nobody else with it there.
 */
export async function openHid(
  address: HidAddress,
  { clock, checkMs, signal }: HidOptions,
  program: URL = library,
): Promise<Duplex> {
  signal?.throwIfAborted()
  const child = await startHidChild(program, hidText(address), clock)
  const giveUp = () => child.kill(signal?.reason)
  signal?.addEventListener('abort', giveUp)
  try {
    signal?.throwIfAborted()
    const path = String(await child.ask({ does: 'open', address }, opensWithinMs))
    return await watched(path, child, clock, checkMs)
  } catch (error) {
    void child.close()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}

/** The wire of an open device, which is closed when the kernel knows the device no longer, or knows another in its place. */
async function watched(path: string, child: HidChild, clock: Clock, checkMs: number): Promise<Duplex> {
  const number = await kernelNumber(path)
  const reports: FeatureReports = {
    async set(report) {
      await orGone(child.ask({ does: 'set', report }, transferWithinMs))
    },
    async get(id, length) {
      const given = await orGone(child.ask({ does: 'get', id, length }, transferWithinMs))
      return given instanceof Uint8Array ? given : new Uint8Array(0)
    },
    close() {
      check.cancel()
      return child.close()
    },
  }
  const wire = reportWire(reports)
  const check = clock.setInterval(() => void look(), checkMs).unref()
  const cut = () => wire.destroy(child.ended.reason)
  child.ended.addEventListener('abort', cut)
  if (child.ended.aborted) cut()
  return wire

  /** Without an endpoint nothing says by itself that the device is gone. */
  async function look(): Promise<void> {
    if (number !== null && (await kernelNumber(path)) !== number)
      wire.destroy(new Error('the device was unplugged'))
  }

  /** The library does not say why a transfer failed. */
  async function orGone<Given>(transfer: Promise<Given>): Promise<Given> {
    try {
      return await transfer
    } catch (error) {
      await look()
      throw error
    }
  }
}

/** Another each time that something is plugged in; null where there is nothing, or the kernel keeps no such list. */
async function kernelNumber(path: string): Promise<bigint | null> {
  try {
    return (await stat(`/sys/bus/usb/devices/${path}`, { bigint: true })).ino
  } catch {
    return null
  }
}
