import { existsSync, type FSWatcher, lstatSync, readdirSync, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock, Timer } from '../host/clock.ts'

/** After a change so long is waited, because one plug is many changes, and rights are set after the name is there. */
const settlesMs = 50

/**
 * Tells when what lies at an address of this machine appears, or is another than before: the path of a serial line, or any HID
 * device for `hid:`. The folder is watched, so nothing is looked at while nothing changes. Gives what ends it. Where
 * nothing can be watched, nothing is told.
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

  /** Watches the nearest folder there is: udev takes the last one away with the last device in it. */
  function follow(): void {
    const nearest = nearestFolder(path)
    if (nearest === folder) return
    watcher?.close()
    watcher = null
    folder = ''
    try {
      watcher = watch(nearest, { persistent: false }, (event, name) => {
        // Every byte that is written to a device changes its node.
        if (event === 'change') return
        // A watched folder that goes tells of itself, and is then another when it comes back.
        if (name !== null && nearest.endsWith(`/${name}`)) folder = ''
        changed()
      })
      watcher.on('error', () => {
        folder = ''
        changed()
      })
      folder = nearest
      // What happened before the watch began.
      changed()
    } catch {
      // No more watches, or no right to: the pauses between two attempts are all there is.
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

/** What tells one thing at a path from the next one there; null when there is none. */
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
