import { existsSync, type FSWatcher, lstatSync, readdirSync, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock, Timer } from '../../host/clock.ts'

/**
 * The delay after the last change: plugging in one device causes several changes, and udev sets the permissions after
 * it creates the name.
 */
const settlesMs = 50

/**
 * Calls `appeared` when something appears at an address of this machine or replaces what was there: the path of a
 * serial line, or any USB device for `hid:`. The function watches folders and does not poll. Returns a function that ends
 * the watch. Where a folder cannot be watched, `appeared` is not called.
 */
export function appearing(address: string, clock: Clock, appeared: () => void, dev = '/dev'): () => void {
  const isHid = address.startsWith('hid:')
  if (!isHid && !address.startsWith('/')) return () => {}
  const { folders, looksAt } = isHid ? usbDevicesIn(`${dev}/bus/usb`) : at(address)
  const watchers = new Map<string, FSWatcher>()
  let seen = looksAt()
  let timer: Timer | null = null
  let isOver = false

  function look(): void {
    timer = null
    if (isOver) return
    follow()
    const now = looksAt()
    const isNew = now.some((each) => !seen.includes(each))
    seen = now
    if (isNew) appeared()
  }

  function changed(): void {
    timer ??= clock.setTimeout(look, settlesMs).unref()
  }

  function follow(): void {
    const wanted = folders()
    for (const folder of watchers.keys()) if (!wanted.includes(folder)) leave(folder)
    for (const folder of wanted) if (!watchers.has(folder)) begin(folder)
  }

  function leave(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  function begin(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        // Every byte that is written to a device reports a change of its node.
        if (event === 'change') return
        // A watched folder that is removed reports this itself. When it is created again, it is a different folder.
        if (name !== null && folder.endsWith(`/${name}`)) leave(folder)
        changed()
      })
      watcher.on('error', () => {
        leave(folder)
        changed()
      })
      watchers.set(folder, watcher)
      // This call covers changes that happened before the watch began.
      changed()
    } catch {
      // The system has no more watches, or the process has no right to watch. The bay then relies on the pauses between
      // its attempts.
    }
  }

  follow()
  return () => {
    isOver = true
    timer?.cancel()
    for (const folder of watchers.keys()) leave(folder)
  }
}

/** What is observed, and the folders in which it changes. `looksAt` identifies each thing that is there now. */
interface Observed {
  folders(): string[]
  looksAt(): string[]
}

function at(path: string): Observed {
  return { folders: () => [nearestFolder(path)], looksAt: () => whatLiesAt(path) }
}

/**
 * The nodes of all USB devices, in a folder for each bus. A HID device without an interrupt endpoint has no other node:
 * the kernel creates no /dev/hidraw* for it.
 */
function usbDevicesIn(usb: string): Observed {
  const buses = () => namesIn(usb).map((bus) => `${usb}/${bus}`)
  return {
    folders: () => [nearestFolder(`${usb}/001`), ...buses()],
    looksAt: () => buses().flatMap((bus) => namesIn(bus).flatMap((name) => whatLiesAt(`${bus}/${name}`))),
  }
}

/** The nearest folder that exists: udev removes the last folder together with its last device. */
function nearestFolder(path: string): string {
  let folder = dirname(path)
  while (folder !== '/' && !existsSync(folder)) folder = dirname(folder)
  return folder
}

/** An identifier of what is at a path now, to distinguish it from a later one; empty when the path does not exist. */
function whatLiesAt(path: string): string[] {
  try {
    const link = lstatSync(path)
    const node = statSync(path)
    return [[path, link.ino, node.ino, node.rdev].join()]
  } catch {
    return []
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
