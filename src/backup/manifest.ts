import { dataFiles } from '../host/data-files.ts'
import type { Part } from './archive.ts'
import { type BackupReason, backupReasons } from './backup-files.ts'
import { BackupRefused } from './backup-refused.ts'

/** The names of the parts of a backup. The key of the vault is sealed once more: who unpacks an archive to look at it has not that key. */
export const partNames = {
  manifest: 'manifest.json',
  database: dataFiles.database,
  key: `${dataFiles.key}.age`,
} as const

/** Files of a data folder that go with it, and are put back where there is none. */
export const settingsFiles = [dataFiles.settings, dataFiles.recipients] as const

/** What a backup says of itself; the first part of its archive. */
export interface Manifest {
  /** Of this list of contents. */
  format: 1
  /** The nightporter that made it. */
  version: string
  /** The number of the newest migration of the database. */
  schema: number
  /** What the house is called; null before it has a name. */
  property: string | null
  reason: BackupReason
  /** ISO 8601: the moment whose state it holds. */
  takenAt: string
  /** The newest line of the journal in it. */
  sequence: number
  parts: Part[]
}

/** Reads a manifest; throws BackupRefused. */
export function readManifest(text: string): Manifest {
  const found = parsed(text) as Partial<Manifest> | null
  if (found?.format !== 1)
    throw new BackupRefused(
      'This backup has a form that this nightporter does not know. Install a newer one, and restore again.',
    )
  const isWhole =
    typeof found.version === 'string' &&
    typeof found.schema === 'number' &&
    !Number.isNaN(Date.parse(String(found.takenAt))) &&
    backupReasons.includes(found.reason as BackupReason) &&
    Array.isArray(found.parts)
  if (!isWhole)
    throw new BackupRefused('The list of contents of this backup is damaged. Restore another backup.')
  return found as Manifest
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
