import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type HidAddress, hidText } from './hid-address.ts'
import { type FeatureReports, reportWire } from './hid-reports.ts'
import type { HidReply, HidRequest } from './hid-thread.ts'

export interface HidOptions {
  /** How often to look whether the device is still plugged in. */
  checkMs: number
  signal?: AbortSignal | undefined
}

/**
 * Opens a USB HID device as a wire of feature reports (`reportLine` asks on it). Rejects with an Error whose text names
 * the address and what is wrong with it, or with the signal's reason. A device that is unplugged closes its wire.
 *
 * Each device has a thread of its own, because the library waits where it must not: loading it looks at every USB device
 * and waits, on the thread that loads it, while any of them is being recognised; a transfer to a device that is dead
 * takes a second.
 */
export async function openHid(address: HidAddress, { checkMs, signal }: HidOptions): Promise<Duplex> {
  const thread = idle.pop() ?? startThread(address)
  try {
    const path = String(await thread.ask({ does: 'open', address }))
    signal?.throwIfAborted()
    return await watched(path, thread, checkMs)
  } catch (error) {
    void letGo(thread)
    throw error
  }
}

/** Threads without a device. They are kept, because the library cannot be loaded anew once its last thread has ended. */
const idle: HidThread[] = []
let started = 0
const mostThreads = 8
const closesWithinMs = 3_000

interface HidThread {
  /** Carried out in the order of asking. Rejects with an Error in words; at once when the thread has ended. */
  ask(request: HidRequest): Promise<string | Uint8Array | null>
}

/** Throws an Error when all threads there may be are at work, or wait for a device that does not answer. */
function startThread(address: HidAddress): HidThread {
  if (started >= mostThreads) {
    throw new Error(`${hidText(address)} cannot be opened: ${mostThreads} devices are open or do not answer`)
  }
  // Beside this file under the same ending, from source and in the bundle.
  const thread = new Worker(new URL(`./hid-thread${extname(import.meta.url)}`, import.meta.url))
  const asked: { resolve(given: string | Uint8Array | null): void; reject(error: Error): void }[] = []
  let why: Error | null = null
  started++

  function end(error: Error) {
    why ??= error
    for (const each of asked.splice(0)) each.reject(why)
  }

  thread.on('message', (reply: HidReply) => {
    const first = asked.shift()
    // A device at rest does not keep the process from ending.
    if (asked.length === 0) thread.unref()
    if ('error' in reply) first?.reject(new Error(reply.error))
    else first?.resolve(reply.given)
  })
  thread.on('error', end)
  thread.once('exit', () => {
    started--
    end(new Error('the thread of the device has ended'))
  })

  return {
    ask(request) {
      if (why) return Promise.reject(why)
      return new Promise((resolve, reject) => {
        asked.push({ resolve, reject })
        thread.ref()
        thread.postMessage(request)
      })
    },
  }
}

/** Resolves once the device is let go, or when that takes too long; the thread is idle only then. */
async function letGo(thread: HidThread): Promise<void> {
  const closed = thread.ask({ does: 'close' }).then(
    () => void idle.push(thread),
    () => {},
  )
  await Promise.race([closed, pause(closesWithinMs, undefined, { ref: false })])
}

/** The wire of an open device, which is closed when the kernel knows the device no longer, or knows another in its place. */
async function watched(path: string, thread: HidThread, checkMs: number): Promise<Duplex> {
  const number = await kernelNumber(path)
  const reports: FeatureReports = {
    async set(report) {
      await orGone(thread.ask({ does: 'set', report }))
    },
    async get(id, length) {
      const given = await orGone(thread.ask({ does: 'get', id, length }))
      return given instanceof Uint8Array ? given : new Uint8Array(0)
    },
    close() {
      clearInterval(check)
      return letGo(thread)
    },
  }
  const wire = reportWire(reports)
  const check = setInterval(look, checkMs)
  check.unref()
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
