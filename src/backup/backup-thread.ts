import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { StoreRefused } from '../store/connection.ts'
import { giveWay } from '../store/give-way.ts'
import { backupsIn } from './backup-files.ts'
import { BackupRefused } from './backup-refused.ts'
import { type BackupMade, type BackupOrder, makeBackup } from './make-backup.ts'
import { outdated, type RotationRules } from './rotation.ts'
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
   * Why the copy in the second folder failed, for people; null when it succeeded, or without a second folder.
   */
  copyProblem: string | null
}

/** The one message that the thread sends. */
export type FromBackupThread = BackupDone | { refused: string } | { fault: string }

/** Runs the thread that makes one backup, copies it, and removes old ones. It never removes the newest. */
export async function runBackup(): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('a backup is made in a thread of its own')
  giveWay()
  port.postMessage(await answerTo(workerData.task as BackupTask))
}

async function answerTo(task: BackupTask): Promise<FromBackupThread> {
  try {
    return await carryOutBackup(task)
  } catch (error) {
    if (error instanceof BackupRefused || error instanceof StoreRefused) return { refused: error.message }
    const { code, message, stack } = error as NodeJS.ErrnoException
    if (code)
      return {
        refused: `The backup could not be written (${message}). Check the disk, or configure another folder.`,
      }
    return { fault: stack ?? message }
  }
}

/** Carries out a backup task. Rejects as makeBackup does. */
export async function carryOutBackup({ order, copyTo, rules, zone }: BackupTask): Promise<BackupDone> {
  const made = await makeBackup(order)
  const copyProblem = copyTo === null ? null : await copyBackup(order.folder, copyTo, made)
  if (rules === null) return { made, copyProblem }
  await removeOutdated(order.folder, rules, zone)
  if (copyTo !== null && copyProblem === null) await removeOutdated(copyTo, rules, zone)
  return { made, copyProblem }
}

/** Removes old backups. Called only after a new backup was written to this folder and verified. */
async function removeOutdated(folder: string, rules: RotationRules, zone: string): Promise<void> {
  for (const { name } of outdated(await backupsIn(folder), rules, zone))
    rmSync(join(folder, name), { force: true })
}
