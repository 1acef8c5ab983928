import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../host/clock.ts'
import { dataFiles } from '../host/data-files.ts'
import type { Door, WriteOptions } from '../resource/change.ts'
import { noteBackup } from './backup-changes.ts'
import type { BackupFile, BackupReason } from './backup-files.ts'
import { backupList } from './backup-list.ts'
import { BackupRefused } from './backup-refused.ts'
import type { BackupDone, BackupTask } from './backup-thread.ts'
import type { RotationRules } from './rotation.ts'

export interface BackupSettings extends RotationRules {
  /** Null is the folder `backups` in the data folder. */
  folder: string | null
  /** A second folder on another disk; null without one. */
  copyTo: string | null
  /** When the nightly backup is due, HH:MM by the clock of the property. */
  at: string
}

/** How it is with the backups of a house. Moments in Unix milliseconds. */
export interface BackupState {
  lastBackupAt: number | null
  /** There is a recovery key, so that backups can be made. */
  hasKey: boolean
  /** Why the newest attempt made none, or did not copy it, for people; null when it did. */
  problem: string | null
}

export interface Backups {
  /** The newest first. Rejects where the folder cannot be read. */
  list(): Promise<BackupFile[]>
  /** Where the file of a backup lies. */
  pathOf(file: BackupFile): string
  /** Makes one now; resolves when it was opened again. Rejects with BackupRefused. */
  make(reason: BackupReason, options: WriteOptions): Promise<BackupFile>
  /** Resolves however it is with the folder. */
  state(): Promise<BackupState>
  isUnderWay(): boolean
  /** Gives up what is under way, and resolves when that has ended. */
  close(): Promise<void>
}

export interface BackupsOptions extends BackupSettings {
  data: string
  version: string
  clock: Clock
  door: Door
  zone(): string
  /** Whether the clock is right enough to say which backups are old. */
  mayRemove(): boolean
  /** Carries a task out in a thread of its own. */
  carryOut(task: BackupTask, signal: AbortSignal): Promise<BackupDone>
  /** Told when backups begin to fail, with the reason, and with null when they are well again. */
  changed(problem: string | null): void
}

/** Where the backups of a house go. */
export function backupFolder(data: string, { folder }: Pick<BackupSettings, 'folder'>): string {
  return folder ?? join(data, dataFiles.backups)
}

/**
 * Makes the backups of a house, one at a time, and says how it is with them. A folder may be on a disk that hangs: nothing here waits
 * for it but who asks.
 */
export function backups(options: BackupsOptions): Backups {
  const folder = backupFolder(options.data, options)
  const { list, listInTime } = backupList(folder, options.clock)
  const ending = new AbortController()
  let problem: string | null = null
  let underWay: Promise<BackupFile> | null = null

  async function make(reason: BackupReason, how: WriteOptions): Promise<BackupFile> {
    if (underWay)
      throw new BackupRefused('Another backup is being made right now. Wait for it, and look at the list.')
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
        throw new BackupRefused(`${folder} does not keep what is written to it. Look after the disk.`)
      const { id, bytes } = file
      await options.door.write(noteBackup, { id, bytes, reason }, write)
      tell(done.copyProblem)
      return file
    } catch (error) {
      tell((error as Error).message)
      throw error
    }
  }

  function tell(found: string | null): void {
    if ((found === null) !== (problem === null)) options.changed(found)
    problem = found
  }

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
    list,
    pathOf: ({ name }) => join(folder, name),
    make,
    state,
    isUnderWay: () => underWay !== null,
    async close() {
      ending.abort(new BackupRefused('The appliance is stopping.'))
      await underWay?.catch(() => {})
    },
  }
}

/** All that is done with one backup, by the settings. `removes` the older ones that these do not keep. */
export function backupTask(
  settings: BackupSettings & { data: string; version: string },
  { reason, now, zone, removes }: { reason: BackupReason; now: number; zone: string; removes: boolean },
): BackupTask {
  const { data, version, copyTo, daily, weekly, monthly, megabytes } = settings
  const order = { data, folder: backupFolder(data, settings), reason, now, version }
  return { order, copyTo, rules: removes ? { daily, weekly, monthly, megabytes } : null, zone }
}

/** Whether a file is there; one that cannot be looked at counts as there, and whoever opens it finds out why. */
export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  )
}
