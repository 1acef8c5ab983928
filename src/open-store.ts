import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { plain, resources, shapeOf } from './api.ts'
import type { Clock } from './host/clock.ts'
import type { Keeping } from './jsonapi/resource-routes.ts'
import { openedTo, speaker } from './jsonapi/speaker.ts'
import { propertyDay } from './reservation/property-day.ts'
import { openReader } from './store/connection.ts'
import { openDoor } from './store/door.ts'
import { lockStore } from './store/lock.ts'
import { isCurrent } from './store/migrate.ts'
import { reader } from './store/reader.ts'

export interface OpenStore {
  keeping: Keeping
  /** There was none before. */
  isNew: boolean
  /** Resolves when the file was checked whole; rejects with StoreRefused. */
  ready: Promise<void>
  /** Rejects when the writer is lost. */
  lost: Promise<never>
  /** Calls back each time something was written, until the returned function is called. */
  written(listener: () => void): () => void
  /** Changes under way and waiting. */
  waiting(): number
  close(): Promise<void>
}

/** Opens the store of a data folder for this program alone. Rejects with StoreRefused, and leaves nothing open then. */
export async function openStore(data: string, entry: URL, clock: Clock): Promise<OpenStore> {
  const { now } = clock
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const path = join(data, 'nightporter.db')
  const lock = lockStore(path)
  const isNew = !existsSync(path)
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  const door = openDoor({ path, entry, clock, lost: lost.reject })
  try {
    // What can be read as it is need not wait for the writer: the first answers leave while it still checks the file.
    if (!isCurrent(path)) await door.migrated
    const connection = openReader(path)
    const reading = reader(connection, resources, door.version, clock)
    return {
      keeping: { reader: reading, door, resources, plain, speaker: shapes(propertyDay(reading, now)) },
      isNew,
      ready: door.ready,
      lost: lost.promise,
      written: door.written,
      waiting: door.waiting,
      async close() {
        // The writer is the last to leave: then SQLite puts the log into the database, and one file holds it all.
        reading.close()
        connection.close()
        await door.close()
        lock.release()
      },
    }
  } catch (error) {
    await door.close()
    lock.release()
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
