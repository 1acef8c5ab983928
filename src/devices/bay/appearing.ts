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
 * serial line, or any HID device for `hid:`. The function watches the folder and does not poll. Returns a function that
 * ends the watch. Where the folder cannot be watched, `appeared` is never called.
 */
export function appearing(address: string, clock: Clock, appeared: () => void): () => void {
  const hid = address.startsWith('hid:')
  if (!hid && !address.startsWith('/')) return () => {}
  const path = hid ? '/dev/hidraw' : address
  const looksAt = hid ? hidDevices : () => whatLiesAt(path)
  let seen = looksAt()
  let watcher: FSWatcher | null = null
  let folder = ''
  let timer: Timer | null = null
  let isOver = false

  function look(): void {
    timer = null
    if (isOver) return
    follow()
    const now = looksAt()
    const isNew = now !== null && now !== seen
    seen = now
    if (isNew) appeared()
  }

  function changed(): void {
    timer ??= clock.setTimeout(look, settlesMs).unref()
  }

  /** Watches the nearest folder that exists: udev removes the last folder together with its last device. */
  function follow(): void {
    const nearest = nearestFolder(path)
    if (nearest === folder) return
    watcher?.close()
    watcher = null
    folder = ''
    try {
      watcher = watch(nearest, { persistent: false }, (event, name) => {
        // Every byte that is written to a device reports a change of its node.
        if (event === 'change') return
        // A watched folder that is removed reports this itself. When it is created again, it is a different folder.
        if (name !== null && nearest.endsWith(`/${name}`)) folder = ''
        changed()
      })
      watcher.on('error', () => {
        folder = ''
        changed()
      })
      folder = nearest
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
    watcher?.close()
  }
}

function nearestFolder(path: string): string {
  let folder = dirname(path)
  while (folder !== '/' && !existsSync(folder)) folder = dirname(folder)
  return folder
}

/** An identifier of what is at a path now, to distinguish it from a later one; null when the path does not exist. */
function whatLiesAt(path: string): string | null {
  try {
    const link = lstatSync(path)
    const node = statSync(path)
    return [link.ino, node.ino, node.rdev].join()
  } catch {
    return null
  }
}

function hidDevices(): string | null {
  try {
    const names = readdirSync('/dev').filter((name) => name.startsWith('hidraw'))
    return names.length === 0 ? null : names.map((name) => `${name} ${whatLiesAt(`/dev/${name}`)}`).join()
  } catch {
    return null
  }
}
