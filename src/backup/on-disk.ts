import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openReader } from '../store/connection.ts'
import { migrationCopyOf } from '../store/copy.ts'
import { type BackupDone, carryOutBackup } from './backup-thread.ts'
import { type BackupSettings, backupFolder } from './backups.ts'

/**
 * Makes a backup of a data folder in this process, whether the appliance runs on it or not, and keeps as many as the settings
 * say. A copy of before a migration that waits to be packed is packed first. `now` in Unix milliseconds. Rejects with BackupRefused
 * and StoreRefused.
 */
export async function backupOnDisk(
  data: string,
  settings: BackupSettings,
  { version, now }: { version: string; now: number },
): Promise<BackupDone> {
  const { copyTo, daily, weekly, monthly, megabytes } = settings
  const order = { data, folder: backupFolder(data, settings), takenAt: now, version }
  const how = { copyTo, rules: { daily, weekly, monthly, megabytes }, zone: zoneIn(data) }
  const copy = migrationCopyOf(join(data, 'nightporter.db'))
  if (existsSync(copy)) await carryOutBackup({ ...how, order: { ...order, copy, reason: 'migration' } })
  return carryOutBackup({ ...how, order: { ...order, reason: 'asked' } })
}

/** The time zone of the property in a data folder; UTC before it has one. */
function zoneIn(data: string): string {
  const db = openReader(join(data, 'nightporter.db'))
  try {
    return (db.prepare('SELECT timeZone FROM settings LIMIT 1').pluck().get() as string | undefined) ?? 'UTC'
  } finally {
    db.close()
  }
}
