import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../host/files/data-files.ts'
import { atRest } from '../store/connection.ts'
import { migrationCopyOf } from '../store/disk/copy.ts'
import type { BackupReason } from './backup-files.ts'
import { type BackupDone, carryOutBackup } from './backup-thread.ts'
import { type BackupSchedule, type BackupSettings, backupTask } from './backups.ts'

/**
 * Makes a backup of a data folder in this process, whether the appliance is running or not, and removes old
 * ones as the settings say. If a migration left a copy, that copy is packed first. `now` in Unix
 * milliseconds. Rejects with BackupRefused and StoreRefused.
 */
export async function backupOnDisk(
  data: string,
  settings: BackupSettings,
  { version, now }: { version: string; now: number },
): Promise<BackupDone> {
  const { zone, schedule } = houseIn(data)
  const how = { now, zone, removes: true }
  const carryOut = (reason: BackupReason) =>
    carryOutBackup(backupTask({ ...settings, ...schedule, data, version }, { ...how, reason }))
  if (existsSync(migrationCopyOf(join(data, dataFiles.database)))) await carryOut('migration')
  return carryOut('asked')
}

/**
 * Returns the time zone of the property in a data folder, and its schedule of backups. A property without settings has
 * UTC, and a database from before the schedule has none.
 */
function houseIn(data: string): { zone: string; schedule: Partial<BackupSchedule> } {
  const row = atRest(join(data, dataFiles.database), (db) =>
    db.prepare('SELECT * FROM settings LIMIT 1').get(),
  ) as { timeZone?: string; backupSchedule?: string | null } | undefined
  const schedule = row?.backupSchedule ? (JSON.parse(row.backupSchedule) as BackupSchedule) : {}
  return { zone: row?.timeZone ?? 'UTC', schedule }
}
