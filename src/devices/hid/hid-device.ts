import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../host/clock.ts'
import { type HidAddress, hidText } from './hid-address.ts'
import { type HidChild, startHidChild } from './hid-child.ts'
import { type FeatureReports, reportWire } from './hid-reports.ts'

interface HidOptions {
  clock: Clock
  /** The interval of the check that the device is still plugged in, in ms. */
  checkMs: number
  signal?: AbortSignal | undefined
}

// The program lies beside this file with the same extension, in the source and in the bundle.
const library = new URL(`./hid-process${extname(import.meta.url)}`, import.meta.url)
/** Loading the library blocks while the system enumerates any USB device, for many seconds when a device is broken. */
const opensWithinMs = 60_000
/** The library limits a transfer to 1 s; a transfer that takes this long hangs. */
const transferWithinMs = 5_000

/**
 * Opens a USB HID device as a wire of feature reports (`reportLine` uses it). Rejects with an Error whose text names
 * the address and the problem, or with the signal's reason. The wire closes when the device is unplugged, and when its
 * process ends. Each device has a process of its own, which runs `program`: the native library blocks its thread, and a
 * crash in it ends only that process.
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

/** The wire of an open device. It closes when the kernel no longer lists the device, or lists another in its place. */
async function watched(path: string, child: HidChild, clock: Clock, checkMs: number): Promise<Duplex> {
  const number = await kernelNumber(path)
  const reports: FeatureReports = {
    async set(report) {
      await orGone(child.ask({ does: 'set', report }, transferWithinMs))
    },
    async get(id, length) {
      const result = await orGone(child.ask({ does: 'get', id, length }, transferWithinMs))
      return result instanceof Uint8Array ? result : new Uint8Array(0)
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

  /** The device has no interrupt endpoint, so nothing reports its removal: this check does. */
  async function look(): Promise<void> {
    if (number !== null && (await kernelNumber(path)) !== number)
      wire.destroy(new Error('the device was unplugged'))
  }

  /**
   * The library does not report why a transfer failed, so a failure starts a check whether the device is still there.
   */
  async function orGone<Result>(transfer: Promise<Result>): Promise<Result> {
    try {
      return await transfer
    } catch (error) {
      await look()
      throw error
    }
  }
}

/**
 * The kernel's number of the device at a path, which changes with each plugging-in. Null where there is no device, or
 * where the kernel keeps no such list.
 */
async function kernelNumber(path: string): Promise<bigint | null> {
  try {
    return (await stat(`/sys/bus/usb/devices/${path}`, { bigint: true })).ino
  } catch {
    return null
  }
}
