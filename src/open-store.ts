import { join } from 'node:path'
import { plain, resources, shapeOf } from './api.ts'
import { finishRestore } from './backup/restore.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { type Clock, systemClock } from './host/clock.ts'
import { dataFiles } from './host/data-files.ts'
import { makeFolder } from './host/durable.ts'
import type { Keeping } from './jsonapi/resource-routes.ts'
import { openedTo, speaker } from './jsonapi/speaker.ts'
import { zoneOf } from './reservation/kept-settings.ts'
import { propertyDay } from './reservation/property-day.ts'
import { openReader } from './store/connection.ts'
import type { DiskWatch } from './store/disk-watch.ts'
import { type DoorOptions, openDoor } from './store/door.ts'
import { lockStore } from './store/lock.ts'
import { reader } from './store/reader.ts'
import { scans } from './store/scans.ts'
import { weeklyCheck } from './weekly-check.ts'

export interface OpenStore {
  keeping: Keeping
  /** What the store lies in, with the key of what is sealed in it. */
  folder: DataFolder
  /** What became of a restore that a power cut interrupted, for people; null when there was none. */
  restore: string | null
  /** Resolves when the file was checked whole; rejects with StoreRefused. */
  ready: Promise<void>
  /** Rejects when the writer is lost. */
  lost: Promise<never>
  /** Calls back each time something was written, until the returned function is called. */
  written(listener: () => void): () => void
  /** Changes under way and waiting, and one more while a page is looked for. */
  waiting(): number
  disk: DiskWatch
  /** When the whole database was found sound last while it was at work, Unix milliseconds; null when it was not. */
  soundAt(): number | null
  /** Calls back with faults of ours in work that nobody waits for. */
  failed(listener: (error: unknown) => void): void
  close(): Promise<void>
}

/**
 * Opens the store of a data folder for this program alone; `foundAnew` is the way past a folder that lacks key or database.
 * Every `beatMs` the writer is asked whether it is there. Rejects with StoreRefused, StoreTaken or VaultRefused, and leaves
 * nothing open then.
 */
export async function openStore(
  { data, foundAnew = false, beatMs = 5_000 }: { data: string; foundAnew?: boolean; beatMs?: number },
  entry: URL,
  clock: Clock,
): Promise<OpenStore> {
  makeFolder(data)
  const lock = lockStore(join(data, dataFiles.database))
  try {
    const restore = finishRestore(data)
    const folder = openDataFolder(data, foundAnew ? nameOf(clock.now()) : null)
    const beat = { clock: systemClock, everyMs: beatMs }
    return await openIn(folder, { entry, clock, beat }, { restore, release: lock.release })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** For names of files. */
function nameOf(now: number): string {
  return new Date(now).toISOString().replaceAll(':', '')
}

async function openIn(
  folder: DataFolder,
  options: Omit<DoorOptions, 'path' | 'lost' | 'failed'>,
  { restore, release }: { restore: string | null; release: () => void },
): Promise<OpenStore> {
  const { clock } = options
  const path = folder.database
  let listener: (error: unknown) => void = () => {}
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  const scanning = scans({ path, entry: options.entry, clock })
  const door = openDoor({ ...options, path, lost: lost.reject, failed: (error) => listener(error) })
  try {
    // What can be read as it is need not wait for the writer: the first answers leave while it still checks the file.
    if (!folder.isCurrent) await door.migrated
    const connection = openReader(path)
    const reading = reader(connection, resources, { version: door.version, clock, scans: scanning })
    const weekly = weeklyCheck({
      ...options,
      path,
      disk: door.disk,
      timeZone: () => zoneOf(reading),
      failed: (error) => listener(error),
    })
    return {
      keeping: { reader: reading, door, resources, plain, speaker: shapes(propertyDay(reading, clock.now)) },
      folder,
      restore,
      ready: door.ready,
      lost: lost.promise,
      written: door.written,
      waiting: () => door.waiting() + Number(scanning.isBusy()),
      disk: door.disk,
      soundAt: weekly.soundAt,
      failed(told) {
        listener = told
      },
      async close() {
        // The writer is the last to leave: then SQLite puts the log into the database, and one file holds it all.
        await Promise.all([scanning.close(), weekly.close()])
        connection.close()
        await door.close()
        release()
      },
    }
  } catch (error) {
    await door.close()
    throw error
  }
}

/** The whole document is drawn once for reader and writer alike. */
function shapes(today: () => string): Keeping['speaker'] {
  const narrow = speaker(resources, today)
  return {
    ...narrow,
    shape: (resource, chosen, caller) =>
      chosen || openedTo(caller, resource).length > 0
        ? narrow.shape(resource, chosen, caller)
        : shapeOf(resource),
  }
}
