import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { removeLeftCopy, removeUnfinishedMigrationCopy } from '../backup/archive/plain-copies.ts'
import { finishRestore } from '../backup/restore/restore.ts'
import { settleRecord } from '../backup/restore/restore-record.ts'
import { type BackgroundWork, backgroundWork } from '../host/background-work.ts'
import { type Clock, systemClock } from '../host/clock.ts'
import { dataFiles } from '../host/files/data-files.ts'
import { makeFolder } from '../host/files/durable.ts'
import type { Histogram } from '../host/histogram.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import { openedTo, serializer } from '../jsonapi/serializer.ts'
import { propertyDay, zoneOf } from '../reservation/resources/house.ts'
import type { Scratch } from '../resource/keeper.ts'
import { type DataFolder, openDataFolder } from '../startup/data-folder.ts'
import type { Startup } from '../startup/not-ready.ts'
import { openReader } from '../store/connection.ts'
import type { DiskWatch } from '../store/disk/disk-watch.ts'
import { integrityChecks } from '../store/integrity-checks.ts'
import { lockStore } from '../store/lock.ts'
import { reader } from '../store/reader.ts'
import { Scans } from '../store/scan/scans.ts'
import { openScratch } from '../store/scratch.ts'
import { OpenWriter, type WriterOptions } from '../store/writer/writer.ts'
import { observers, plain, resources, shapeOf } from './api.ts'

export interface OpenStore {
  store: Store
  /** The data folder, with the vault. */
  folder: DataFolder
  /** The result of a restore that a power cut interrupted, for people; null when there was none. */
  restore: string | null
  /** Resolves when the whole file was checked; rejects with StoreRefused, or with the SqliteError of the check. */
  ready: Promise<void>
  /** Rejects when the writer thread ends unexpectedly. */
  lost: Promise<never>
  /** Opens a store for a trial on the present data. It is to be closed. */
  scratch(): Scratch
  /** Calls the listener after each write, until the returned function is called. */
  written(listener: () => void): () => void
  /** Returns the number of commands that run or wait, plus one while a scan runs. */
  waiting(): number
  /** Resolves when no command runs or waits. */
  idle(): Promise<void>
  /** Whether the whole database is being checked. */
  isChecking(): boolean
  disk: DiskWatch
  /** How long commits took, in seconds. */
  commits: Histogram
  /** Whether each commit begins in a new block of the log; null until that is measured. */
  beginsInNewBlocks(): boolean | null
  /**
   * When the last check of the whole database at runtime succeeded, Unix milliseconds; null before the first.
   */
  soundAt(): number | null
  /** The work that the program does without being asked. */
  background: BackgroundWork
  /** Calls the listener with each fault of background work. */
  failed(listener: (error: unknown) => void): void
  close(): Promise<void>
}

/**
 * Opens the store of a data folder for this program alone. `foundAnew` renames the files of a folder that
 * lacks key or database. The writer gets a heartbeat every `beatMs` milliseconds. Rejects with StoreRefused,
 * StoreTaken, VaultRefused or SqliteError, and leaves nothing open then.
 */
export async function openStore(
  {
    data,
    foundAnew = false,
    beatMs = 5_000,
    step = () => {},
  }: { data: string; foundAnew?: boolean; beatMs?: number; step?(step: Startup): void },
  entry: URL,
  clock: Clock,
): Promise<OpenStore> {
  makeFolder(data)
  // SQLite would not say which permission is missing.
  accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK)
  const lock = lockStore(join(data, dataFiles.database))
  try {
    if (existsSync(join(data, dataFiles.restoreDecided))) step('restoring')
    const isAsked = settleRecord(data, clock.now())
    const finished = finishRestore(data)
    const restore = isAsked ? null : finished
    removeLeftCopy(data)
    removeUnfinishedMigrationCopy(data)
    step('opening')
    const folder = openDataFolder(data, foundAnew ? nameOf(clock.now()) : null)
    const beat = { clock: systemClock, everyMs: beatMs }
    // An empty database is made, not migrated.
    if (folder.isCurrent) step('checking')
    else if (folder.isFounded) step('migrating')
    return await openIn(folder, { entry, clock, beat }, { restore, release: lock.release })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Returns the time in a form for file names. */
function nameOf(now: number): string {
  return new Date(now).toISOString().replaceAll(':', '')
}

async function openIn(
  folder: DataFolder,
  options: Omit<WriterOptions, 'path' | 'lost' | 'failed'>,
  { restore, release }: { restore: string | null; release: () => void },
): Promise<OpenStore> {
  const { clock } = options
  const path = folder.database
  let listener: (error: unknown) => void = () => {}
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  const scanning = new Scans({ path, entry: options.entry, clock })
  const failed = (error: unknown) => listener(error)
  const background = backgroundWork({ clock, failed })
  const writer = new OpenWriter({ ...options, path, lost: lost.reject, failed })
  const version = () => writer.version()
  const files = new DisposableStack()
  try {
    // An up-to-date database can be read before the writer is ready: the first requests are answered while
    // the writer still checks the file.
    if (!folder.isCurrent) await writer.migrated
    const file = files.adopt(openSync(path, 'r'), closeSync)
    const connection = openReader(path)
    const reading = reader(connection, resources, { version, clock, scans: scanning })
    const { disk } = writer
    const intact = () => writer.tryDisk()
    const timeZone = () => zoneOf(reading)
    const checks = integrityChecks({ ...options, path, file, disk, timeZone, intact, background, failed })
    const serializer = shapes(propertyDay(reading, clock.now))
    return {
      store: { reader: reading, writer, resources, plain, serializer },
      folder,
      restore,
      ready: writer.ready,
      lost: lost.promise,
      scratch: () => openScratch({ path, resources, shapeOf, observers, clock, version }),
      written: (listener) => writer.written(listener),
      waiting: () => writer.waiting() + Number(scanning.isBusy()),
      idle: () => writer.idle(),
      isChecking: checks.isUnderWay,
      disk,
      commits: writer.commits,
      beginsInNewBlocks: () => writer.beginsInNewBlocks(),
      soundAt: checks.soundAt,
      background,
      failed(added) {
        listener = added
      },
      async close() {
        // The writer closes last: SQLite then copies the log into the database, and one file contains
        // everything.
        await Promise.all([scanning.close(), checks.close()])
        connection.close()
        await writer.close()
        files.dispose()
        release()
      },
    }
  } catch (error) {
    await writer.close()
    files.dispose()
    throw error
  }
}

/**
 * Returns the serializer. Reader and writer share the projection of the complete document, which is built
 * once.
 */
function shapes(today: () => string): Store['serializer'] {
  const narrow = serializer(resources, today)
  return {
    ...narrow,
    shape: (resource, chosen, caller) =>
      chosen || openedTo(caller, resource).length > 0
        ? narrow.shape(resource, chosen, caller)
        : shapeOf(resource),
  }
}
