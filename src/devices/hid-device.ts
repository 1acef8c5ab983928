import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Duplex } from 'node:stream'
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
 * the address and what is wrong with it. A device that is unplugged closes its wire.
 *
 * Each device has a thread of its own, because the library waits where it must not: loading it looks at every USB device
 * and waits, on the thread that loads it, while any of them is being recognised; a transfer to a device that is dead
 * takes a second.
 */
export async function openHid(address: HidAddress, { checkMs, signal }: HidOptions): Promise<Duplex> {
  if (leaving.size >= mostLeaving) {
    throw new Error(
      `${hidText(address)} cannot be opened: USB has not answered ${mostLeaving} earlier attempts`,
    )
  }
  const thread = hidThread()
  const giveUp = () => void thread.close()
  signal?.addEventListener('abort', giveUp, { once: true })
  let path: string
  try {
    path = String(await thread.ask({ does: 'open', address }))
  } catch (error) {
    void thread.close()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
  return watched(path, thread, checkMs)
}

/** Threads that were told to end and have not: their last call to the library has not come back. */
const leaving = new Set<Worker>()
const mostLeaving = 4
const closesWithinMs = 3_000

interface HidThread {
  /** Rejects with an Error in words; at once when the thread has ended. */
  ask(request: HidRequest): Promise<string | Uint8Array | null>
  /** Resolves once the device is let go, or when that takes too long. */
  close(): Promise<void>
}

function hidThread(): HidThread {
  // Beside this file under the same ending, from source and in the bundle.
  const thread = new Worker(new URL(`./hid-thread${extname(import.meta.url)}`, import.meta.url))
  const asked: { resolve(given: string | Uint8Array | null): void; reject(error: Error): void }[] = []
  let why: Error | null = null
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))

  function end(error: Error) {
    why ??= error
    for (const each of asked.splice(0)) each.reject(why)
  }

  thread.on('message', (reply: HidReply) => {
    const first = asked.shift()
    if (asked.length === 0) thread.unref()
    if ('error' in reply) first?.reject(new Error(reply.error))
    else first?.resolve(reply.given)
  })
  thread.on('error', end)
  thread.once('exit', () => {
    end(new Error('the device is closed'))
    leaving.delete(thread)
  })
  // A device at rest does not keep the process from ending.
  thread.unref()

  return {
    ask(request) {
      if (why) return Promise.reject(why)
      return new Promise((resolve, reject) => {
        asked.push({ resolve, reject })
        thread.ref()
        thread.postMessage(request)
      })
    },
    async close() {
      if (why) return
      leaving.add(thread)
      thread.unref()
      thread.postMessage({ does: 'close' } satisfies HidRequest)
      end(new Error('the device is closed'))
      const tooLong = AbortSignal.timeout(closesWithinMs)
      await Promise.race([ended, new Promise((resolve) => tooLong.addEventListener('abort', resolve))])
    },
  }
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
      return thread.close()
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
