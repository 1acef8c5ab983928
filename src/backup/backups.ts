import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../host/clock.ts'
import type { Door, WriteOptions } from '../resource/change.ts'
import { migrationCopyOf } from '../store/copy.ts'
import { noteBackup } from './backup-changes.ts'
import { type BackupFile, type BackupReason, backupsIn } from './backup-files.ts'
import { BackupRefused } from './backup-refused.ts'
import type { BackupDone, BackupTask } from './backup-thread.ts'
import { readRecipients } from './recovery-key.ts'
import type { RotationRules } from './rotation.ts'
import { isDue } from './schedule.ts'

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
  /** The newest first. */
  list(): BackupFile[]
  /** The file of a backup; null when there is none of that name. */
  pathOf(id: string): string | null
  /** Makes one now; resolves when it was opened again. Rejects with BackupRefused. */
  make(reason: BackupReason, options: WriteOptions): Promise<BackupFile>
  state(): BackupState
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

/** How often it is looked whether a backup is due. */
const looksEveryMs = 15 * 60_000
/** The first answers of a start are not kept waiting. */
const firstLookMs = 60_000
/** After a failure; a disk that is full is not written to all night. */
const againAfterMs = 60 * 60_000
const actor = { by: 'backup', requestId: null }

/** Where the backups of a house go. */
export function backupFolder(data: string, { folder }: Pick<BackupSettings, 'folder'>): string {
  return folder ?? join(data, 'backups')
}

/** Makes the backups of a house: by night, and when somebody asks. */
export function backups(options: BackupsOptions): Backups {
  const { data, version, clock, door, at, copyTo, daily, weekly, monthly, megabytes } = options
  const folder = backupFolder(data, options)
  const migrationCopy = migrationCopyOf(join(data, 'nightporter.db'))
  let problem: string | null = null
  let failedAt: number | null = null
  let underWay: Promise<BackupFile> | null = null
  const ending = new AbortController()
  const first = clock.setTimeout(look, firstLookMs).unref()
  const looking = clock.setInterval(look, looksEveryMs).unref()

  /** Fails for nobody: it is told by the state, and tried again. */
  function look(): void {
    try {
      const reason = underWay || isTooSoon() ? null : nextReason()
      if (reason) void make(reason, { actor }).catch(() => {})
    } catch (error) {
      tell((error as Error).message)
    }
  }

  function nextReason(): BackupReason | null {
    if (!hasKey()) return null
    if (existsSync(migrationCopy)) return 'migration'
    return isDue(clock.now(), lastBackupAt(), at, options.zone()) ? 'nightly' : null
  }

  function isTooSoon(): boolean {
    return failedAt !== null && clock.monotonic() - failedAt < againAfterMs
  }

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

  async function made(reason: BackupReason, how: WriteOptions): Promise<BackupFile> {
    try {
      const done = await options.carryOut(taskOf(reason), ending.signal)
      const file = list().find(({ name }) => name === done.made.name)
      if (!file)
        throw new BackupRefused(`${folder} does not keep what is written to it. Look after the disk.`)
      const { id, bytes } = file
      await door.write(noteBackup, { id, bytes, reason }, how)
      tell(done.copyProblem)
      failedAt = null
      return file
    } catch (error) {
      failedAt = clock.monotonic()
      tell((error as Error).message)
      throw error
    }
  }

  function taskOf(reason: BackupReason): BackupTask {
    const order = { data, folder, reason, takenAt: clock.now(), version }
    const copy = reason === 'migration' ? { copy: migrationCopy } : {}
    const rules = options.mayRemove() ? { daily, weekly, monthly, megabytes } : null
    return { order: { ...order, ...copy }, copyTo, rules, zone: options.zone() }
  }

  function tell(found: string | null): void {
    if ((found === null) !== (problem === null)) options.changed(found)
    problem = found
  }

  function hasKey(): boolean {
    return readRecipients(data).length > 0
  }

  function state(): BackupState {
    try {
      return { lastBackupAt: lastBackupAt(), hasKey: hasKey(), problem }
    } catch (error) {
      return { lastBackupAt: null, hasKey: true, problem: (error as Error).message }
    }
  }

  const list = () => backupsIn(folder)
  const lastBackupAt = () => list()[0]?.takenAt ?? null
  return {
    list,
    pathOf(id) {
      const found = list().find((each) => each.id === id)
      return found ? join(folder, found.name) : null
    },
    make,
    state,
    isUnderWay: () => underWay !== null,
    async close() {
      first.cancel()
      looking.cancel()
      ending.abort(new BackupRefused('The appliance is stopping.'))
      await underWay?.catch(() => {})
    },
  }
}
