import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFiles } from '../host/files/data-files.ts'

/** The sizes of the store's files, and the free space of the disk. Bytes; null for a missing file. */
export interface Storage {
  databaseBytes: number | null
  /** The size of the write-ahead log. */
  walBytes: number | null
  freeBytes: number
  /**
   * When the last checkpoint ran, Unix milliseconds: the modification time of the database file, which only a
   * checkpoint writes.
   */
  lastCheckpoint: number | null
}

/** Reads the sizes of a data folder. */
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
