import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFiles } from './host/data-files.ts'

/** What the disk holds of us, and has left. Bytes; null for a file that is not there. */
export interface Storage {
  databaseBytes: number | null
  /** The log that was not put into the database yet. */
  walBytes: number | null
  freeBytes: number
  /** When the log was put into the database last, Unix milliseconds: nothing else writes to that file. */
  lastCheckpoint: number | null
}

/** Looks at a data folder. */
export async function storageOf(data: string): Promise<Storage> {
  const database = join(data, dataFiles.database)
  const [disk, file, log] = await Promise.all([statfs(data), fileAt(database), fileAt(`${database}-wal`)])
  return {
    databaseBytes: file?.size ?? null,
    walBytes: log?.size ?? null,
    freeBytes: disk.bavail * disk.bsize,
    lastCheckpoint: file ? Math.round(file.mtimeMs) : null,
  }
}

async function fileAt(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
