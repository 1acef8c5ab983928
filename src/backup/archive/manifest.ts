import { dataFiles } from '../../host/files/data-files.ts'
import { type BackupReason, backupReasons } from '../backup-files.ts'
import { BackupRefused } from '../backup-refused.ts'
import type { Part } from './encrypted-archive.ts'

/**
 * The names of the parts of a backup. The vault's key is encrypted once more, so that unpacking an archive
 * does not reveal it.
 */
export const partNames = {
  manifest: 'manifest.json',
  database: dataFiles.database,
  key: `${dataFiles.key}.age`,
} as const

/** Files of a data folder that a backup contains. A restore writes those that are missing. */
export const settingsFiles = [dataFiles.settings, dataFiles.recipients] as const

/**
 * A file with secrets that the vault's key encrypts. A backup contains the file if it exists, and a restore replaces it
 * together with the key.
 */
export const sealedFile = dataFiles.certificates

/** The first part of an archive, which describes the backup. */
export interface Manifest {
  /** The version of this format. */
  format: 1
  /** The version of the program that made the backup. */
  version: string
  /** The number of the migration that a program must know to open the database. */
  schema: number
  /** The name of the property; null before it has a name. */
  property: string | null
  reason: BackupReason
  /** The time of the state that the backup contains, ISO 8601. */
  takenAt: string
  /** The sequence number of the newest journal line in the backup. */
  sequence: number
  parts: Part[]
}

/** Parses a manifest. Throws BackupRefused. */
export function readManifest(text: string): Manifest {
  const found = parsed(text) as Partial<Manifest> | null
  if (found?.format !== 1)
    throw new BackupRefused(
      'The format of this backup is newer than this nightporter. Install a newer version, then restore again.',
    )
  const isWhole =
    typeof found.version === 'string' &&
    typeof found.schema === 'number' &&
    !Number.isNaN(Date.parse(String(found.takenAt))) &&
    backupReasons.includes(found.reason as BackupReason) &&
    Array.isArray(found.parts)
  if (!isWhole) throw new BackupRefused('The manifest of this backup is damaged. Restore another backup.')
  return found as Manifest
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
