import { parentPort, workerData } from 'node:worker_threads'
import { StoreRefused } from '../store/connection.ts'
import { remedyOf, type Trouble, troubleIn } from '../store/disk/disk-trouble.ts'
import { giveWay } from '../store/give-way.ts'
import { type BackupMade, type BackupOrder, makeBackup } from './archive/make-backup.ts'
import { BackupRefused } from './backup-refused.ts'
import type { BackupPhase, Watch } from './progress.ts'
import { rotateFolder } from './rotation/rotate-folder.ts'
import type { RotationRules } from './rotation/rotation.ts'
import { copyBackup } from './second-copy.ts'

/** The task of the backup thread: make one backup, copy it, remove old ones. */
export interface BackupTask {
  order: BackupOrder
  /** The second folder; null without one. */
  copyTo: string | null
  /** The rules for removing old backups; null removes none. */
  rules: RotationRules | null
  /** The IANA time zone of the property. */
  zone: string
}

export interface BackupDone {
  made: BackupMade
  /**
   * Why the copy in the second folder failed or protects nothing, or why old backups could not be removed, for people;
   * null otherwise.
   */
  copyProblem: string | null
}

/**
 * A message of the thread: progress, and at the end one of the others. `unreadable` is there when a part of the database could
 * not be read.
 */
export type FromBackupThread =
  | BackupDone
  | { refused: string; unreadable?: Trouble }
  | { fault: string }
  | { phase: BackupPhase; bytes: number; totalBytes: number | null }

/** Runs the thread that makes one backup, copies it, and removes old ones. It never removes the newest backup. */
export async function runBackup(): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('a backup is made in a thread of its own')
  giveWay()
  const tell = (message: FromBackupThread) => port.postMessage(message)
  tell(await answerTo(workerData.task as BackupTask, tell))
}

/** The bytes between two messages about the progress. */
const reportEveryBytes = 1_048_576

function watching(tell: (message: FromBackupThread) => void): Watch {
  let reported = { phase: '', bytes: 0 }
  return (phase, bytes, totalBytes) => {
    if (phase === reported.phase && bytes - reported.bytes < reportEveryBytes) return
    reported = { phase, bytes }
    tell({ phase, bytes, totalBytes })
  }
}

async function answerTo(
  task: BackupTask,
  tell: (message: FromBackupThread) => void,
): Promise<FromBackupThread> {
  try {
    return await carryOutBackup(task, watching(tell))
  } catch (error) {
    if (error instanceof BackupRefused || error instanceof StoreRefused) return { refused: error.message }
    const trouble = troubleIn(error)
    if (trouble?.is === 'unreadable')
      return { refused: `No backup was made. ${remedyOf(trouble)}`, unreadable: trouble }
    const { code, message, stack } = error as NodeJS.ErrnoException
    if (code)
      return {
        refused: `The backup could not be written (${message}). Check the disk, or configure another folder.`,
      }
    return { fault: stack ?? message }
  }
}

/** Carries out a backup task. Rejects as makeBackup does. */
export async function carryOutBackup(
  { order, copyTo, rules, zone }: BackupTask,
  watch: Watch = () => {},
): Promise<BackupDone> {
  const made = await makeBackup(order, watch)
  if (copyTo !== null) watch('second-copy', 0, null)
  const copyProblem = copyTo === null ? null : await copyBackup(order.folder, copyTo, made)
  if (rules === null) return { made, copyProblem }
  const rotation = { rules, zone, now: order.now, made: made.name }
  const problems = [copyProblem, await rotateFolder(order.folder, rotation)]
  // Also where the copy failed: a folder that becomes full would never take one again.
  if (copyTo !== null) problems.push(await rotateFolder(copyTo, rotation))
  return { made, copyProblem: problems.find((each) => each !== null) ?? null }
}
