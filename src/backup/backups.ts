import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../host/clock.ts'
import { dataFiles } from '../host/data-files.ts'
import type { WriteOptions, Writer } from '../resource/command.ts'
import { noteBackup } from './backup-commands.ts'
import type { BackupFile, BackupReason } from './backup-files.ts'
import { backupList } from './backup-list.ts'
import { BackupRefused } from './backup-refused.ts'
import type { BackupDone, BackupTask } from './backup-thread.ts'
import type { RotationRules } from './rotation.ts'

export interface BackupSettings extends RotationRules {
  /** Null means the folder `backups` in the data folder. */
  folder: string | null
  /** A second folder on another disk; null without one. */
  copyTo: string | null
  /** The time of the nightly backup, HH:MM by the clock of the property. */
  at: string
}

/** The state of a property's backups. Times in Unix milliseconds. */
export interface BackupState {
  lastBackupAt: number | null
  /** Whether a recovery key exists, without which no backup is made. */
  hasKey: boolean
  /** Why the newest attempt failed, or could not copy the backup, for people; null when it succeeded. */
  problem: string | null
}

export type Backups = ReturnType<typeof backups>

export interface BackupsOptions extends BackupSettings {
  data: string
  version: string
  clock: Clock
  writer: Writer
  zone(): string
  /** Whether the clock is reliable enough to decide which backups are old. */
  mayRemove(): boolean
  /** Carries out a task in a thread of its own. */
  carryOut(task: BackupTask, signal: AbortSignal): Promise<BackupDone>
  /** Called with the reason when backups begin to fail, and with null when they succeed again. */
  changed(problem: string | null): void
}

/** Returns the folder of the backups. */
export function backupFolder(data: string, { folder }: Pick<BackupSettings, 'folder'>): string {
  return folder ?? join(data, dataFiles.backups)
}

/**
 * Makes the backups of a property, one at a time, and reports their state. A folder may be on a disk that
 * hangs; only calls that need the folder wait for it.
 */
export function backups(options: BackupsOptions) {
  const folder = backupFolder(options.data, options)
  const { list, listInTime } = backupList(folder, options.clock)
  const ending = new AbortController()
  let problem: string | null = null
  let underWay: Promise<BackupFile> | null = null

  /** Makes a backup now; resolves when it is verified. Rejects with BackupRefused. */
  async function make(reason: BackupReason, how: WriteOptions): Promise<BackupFile> {
    if (underWay)
      throw new BackupRefused('Another backup is being made. Wait until it is in the list of backups.')
    underWay = made(reason, how)
    try {
      return await underWay
    } finally {
      underWay = null
    }
  }

  async function made(reason: BackupReason, write: WriteOptions): Promise<BackupFile> {
    try {
      const how = { reason, now: options.clock.now(), zone: options.zone(), removes: options.mayRemove() }
      const done = await options.carryOut(backupTask(options, how), ending.signal)
      const file = (await list()).find(({ name }) => name === done.made.name)
      if (!file)
        throw new BackupRefused(`The backup disappeared from ${folder} after it was written. Check the disk.`)
      const { id, bytes } = file
      await options.writer.execute(noteBackup, { id, bytes, reason }, write)
      report(done.copyProblem)
      return file
    } catch (error) {
      report((error as Error).message)
      throw error
    }
  }

  function report(found: string | null): void {
    if ((found === null) !== (problem === null)) options.changed(found)
    problem = found
  }

  /** Returns the state. It resolves even when the folder cannot be read. */
  async function state(): Promise<BackupState> {
    const hasKey = await isThere(join(options.data, dataFiles.recipients))
    try {
      const [newest] = await listInTime()
      return { lastBackupAt: newest?.takenAt ?? null, hasKey, problem }
    } catch (error) {
      return { lastBackupAt: null, hasKey, problem: (error as Error).message }
    }
  }

  return {
    /** Returns the backups, newest first. Rejects when the folder cannot be read. */
    list,
    /** Returns the path of a backup's file. */
    pathOf: ({ name }: BackupFile): string => join(folder, name),
    make,
    state,
    isUnderWay: (): boolean => underWay !== null,
    /** Cancels the running backup, and resolves when it has ended. */
    async close(): Promise<void> {
      ending.abort(new BackupRefused('The appliance is stopping.'))
      await underWay?.catch(() => {})
    },
  }
}

/**
 * Builds the task for one backup from the settings. `removes`: also remove the old backups that the settings
 * do not keep.
 */
export function backupTask(
  settings: BackupSettings & { data: string; version: string },
  { reason, now, zone, removes }: { reason: BackupReason; now: number; zone: string; removes: boolean },
): BackupTask {
  const { data, version, copyTo, daily, weekly, monthly, megabytes } = settings
  const order = { data, folder: backupFolder(data, settings), reason, now, version }
  return { order, copyTo, rules: removes ? { daily, weekly, monthly, megabytes } : null, zone }
}

/**
 * Whether a file exists. A file that cannot be examined counts as existing; opening it reports the reason.
 */
export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  )
}
