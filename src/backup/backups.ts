import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../host/clock.ts'
import { dataFiles } from '../host/files/data-files.ts'
import type { WriteOptions, Writer } from '../resource/command.ts'
import { noteBackup } from './backup-commands.ts'
import { type BackupFile, type BackupReason, backupsIn, madeAhead, newestUpTo } from './backup-files.ts'
import { backupList } from './backup-list.ts'
import { BackupRefused } from './backup-refused.ts'
import type { BackupDone, BackupTask } from './backup-thread.ts'
import type { SegmentState } from './keys/key-segments.ts'
import { type BackupPhase, type ProgressMeter, progressMeter, type Watch } from './progress.ts'
import type { RotationRules } from './rotation/rotation.ts'
import { secondFolderProblem } from './second-folder.ts'

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
  /** How many backups of the box are dated after now, and the latest of these dates; null without one. */
  ahead: { count: number; latest: number } | null
  /** Whether a recovery key exists, without which no backup is made. */
  hasKey: boolean
  /** Why the newest attempt failed, or could not copy the backup, for people; null when it succeeded. */
  problem: string | null
  /** The keys since the newest backup on second media. */
  keys: SegmentState
  /** The places outside the box, and when the newest backup that was read back from one was found undamaged. */
  elsewhere: { places: number; verifiedAt: number | null }
}

/** A running backup, or the last one that was started. */
export interface Making {
  id: string
  reason: BackupReason
  phase: BackupPhase | null
  meter: ProgressMeter | null
  /** The backup, once it is complete. */
  file: BackupFile | null
  /** Why the backup failed, for people. */
  problem: string | null
}

const idle = { phase: null, meter: null }

function anotherIsMade(): BackupRefused {
  return new BackupRefused('Another backup is being made. Wait until it is in the list of backups.')
}

/** What a person may change while the appliance runs. */
export type BackupSchedule = Pick<BackupSettings, 'at' | 'daily' | 'weekly' | 'monthly'>

export interface BackupsOptions extends BackupSettings {
  /** Returns the present schedule, in place of that of the settings. */
  schedule(): BackupSchedule
  data: string
  version: string
  clock: Clock
  writer: Writer
  zone(): string
  /** Whether the clock is reliable enough to decide which backups are old. */
  mayRemove(): boolean
  /** Carries out a task in a thread of its own. */
  carryOut(task: BackupTask, signal: AbortSignal, watch: Watch): Promise<BackupDone>
  /** Called with the reason when backups begin to fail, and with null when they succeed again. */
  changed(problem: string | null): void
  /** Called with each new backup, and with the identity that decrypts only this backup. */
  made(file: BackupFile, identity: string): void
}

/** Returns the folder of the backups. */
export function backupFolder(data: string, { folder }: Pick<BackupSettings, 'folder'>): string {
  return folder ?? join(data, dataFiles.backups)
}

/**
 * Makes the backups of a property, one at a time, and reports their state. A folder may be on a disk that
 * hangs; only calls that need the folder wait for it.
 */
export class Backups {
  readonly #options: BackupsOptions
  readonly #folder: string
  readonly #files: ReturnType<typeof backupList>
  readonly #ending = new AbortController()
  #problem: string | null = null
  #underWay: Promise<BackupFile> | null = null
  #newest: Making | null = null
  #copiedAt: number | null = null

  constructor(options: BackupsOptions) {
    this.#options = options
    this.#folder = backupFolder(options.data, options)
    this.#files = backupList(this.#folder, options.clock)
    // A start forgets what the newest backup has found. Looked at once, because a folder that hangs would keep each look.
    if (options.copyTo !== null) void this.#lookForCopies(options.copyTo)
  }

  /** Makes a backup now; resolves when it is verified. Rejects with BackupRefused. */
  async make(reason: BackupReason, how: WriteOptions): Promise<BackupFile> {
    if (this.#underWay) throw anotherIsMade()
    const making: Making = { id: randomUUID(), reason, file: null, problem: null, ...idle }
    this.#newest = making
    this.#underWay = this.#made(making, how)
    try {
      making.file = await this.#underWay
      return making.file
    } catch (error) {
      making.problem = (error as Error).message
      throw error
    } finally {
      Object.assign(making, idle)
      this.#underWay = null
    }
  }

  /** Starts a backup as `make` does, and returns at once. Throws BackupRefused while another backup runs. */
  begin(reason: BackupReason, how: WriteOptions): Making {
    if (this.#underWay) throw anotherIsMade()
    void this.make(reason, how).catch(() => {})
    return this.#newest!
  }

  /** Returns the backups, newest first. Rejects when the folder cannot be read. */
  list(): Promise<BackupFile[]> {
    return this.#files.list()
  }

  /** Returns the path of a backup's file. */
  pathOf({ name }: BackupFile): string {
    return join(this.#folder, name)
  }

  /** Returns the last backup that was started since the start of the program; null without one. */
  newest(): Making | null {
    return this.#newest
  }

  /** Returns the state. It resolves even when the folder cannot be read. */
  async state(): Promise<Omit<BackupState, 'keys' | 'elsewhere'>> {
    const hasKey = await isThere(join(this.#options.data, dataFiles.recipients))
    try {
      const [there, now] = [await this.#files.listInTime(), this.#options.clock.now()]
      const [latest, ...others] = madeAhead(there, now)
      const ahead = latest ? { count: others.length + 1, latest: latest.takenAt } : null
      return { lastBackupAt: newestUpTo(there, now)?.takenAt ?? null, ahead, hasKey, problem: this.#problem }
    } catch (error) {
      return { lastBackupAt: null, ahead: null, hasKey, problem: (error as Error).message }
    }
  }

  /**
   * Whether a backup is dated within a range of Unix milliseconds, the end excluded. It counts although it is dated after now, because
   * the clock was set back since. False where the folder cannot be read: the next backup reports the reason.
   */
  async hasOneOf({ from, until }: { from: number; until: number }): Promise<boolean> {
    try {
      return (await this.#files.listInTime()).some(({ takenAt }) => takenAt >= from && takenAt < until)
    } catch {
      return false
    }
  }

  /** Returns when the newest backup was made that is in the second folder; null without one. */
  copiedAt(): number | null {
    return this.#copiedAt
  }

  schedule(): BackupSettings {
    return scheduleOf({ ...this.#options, ...this.#options.schedule() })
  }

  isUnderWay(): boolean {
    return this.#underWay !== null
  }

  /** Cancels the running backup, and resolves when it has ended. */
  async close(): Promise<void> {
    this.#ending.abort(new BackupRefused('The appliance is stopping.'))
    await this.#underWay?.catch(() => {})
  }

  async #lookForCopies(copyTo: string): Promise<void> {
    const found = await secondFolderProblem(this.#folder, copyTo)
    if (this.#newest === null) this.#report(found)
    if (found !== null) return
    // What differs from its backup is not left there. The next backup says why a folder cannot be read.
    const there = await backupsIn(copyTo).catch(() => [])
    this.#copiedAt ??= newestUpTo(there, this.#options.clock.now())?.takenAt ?? null
  }

  async #made(making: Making, write: WriteOptions): Promise<BackupFile> {
    const { reason } = making
    const { clock, zone, mayRemove, schedule, carryOut, writer, copyTo, made } = this.#options
    try {
      const how = { reason, now: clock.now(), zone: zone(), removes: mayRemove() }
      const task = backupTask({ ...this.#options, ...schedule() }, how)
      const done = await carryOut(task, this.#ending.signal, watchOf(making, clock))
      const file = (await this.list()).find(({ name }) => name === done.made.name)
      if (!file)
        throw new BackupRefused(
          `The backup disappeared from ${this.#folder} after it was written. Check the disk.`,
        )
      const { id, bytes } = file
      await writer.execute(noteBackup, { id, bytes, reason }, write)
      this.#report(done.copyProblem)
      if (copyTo !== null && done.copyProblem === null) this.#copiedAt = file.takenAt
      made(file, done.made.identity)
      return file
    } catch (error) {
      this.#report((error as Error).message)
      throw error
    }
  }

  #report(found: string | null): void {
    if ((found === null) !== (this.#problem === null)) this.#options.changed(found)
    this.#problem = found
  }
}

/** Creates a progress meter for each phase, because the rate of one phase predicts nothing about the next. */
function watchOf(making: Making, clock: Clock): Watch {
  return (phase, bytes, totalBytes) => {
    if (phase !== making.phase) Object.assign(making, { phase, meter: progressMeter(clock, totalBytes) })
    making.meter?.at(bytes)
  }
}

/** When backups are made, where they are stored, and how many are kept. */
function scheduleOf({
  at,
  folder,
  copyTo,
  daily,
  weekly,
  monthly,
  megabytes,
}: BackupSettings): BackupSettings {
  return { at, folder, copyTo, daily, weekly, monthly, megabytes }
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
