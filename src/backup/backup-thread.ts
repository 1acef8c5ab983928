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

/** All that is done with one backup. */
export interface BackupTask {
  order: BackupOrder
  /** A second folder for it; null without one. */
  copyTo: string | null
  /** Which backups are kept; null removes none. */
  rules: RotationRules | null
  /** IANA time zone of the property. */
  zone: string
}

export interface BackupDone {
  made: BackupMade
  /** Why it is not in the second folder, for people; null when it is, or when there is none. */
  copyProblem: string | null
}

/** What the thread answers, once. */
export type FromBackupThread = BackupDone | { refused: string } | { fault: string }

/** The thread that makes one backup, copies it, and removes those that are not kept any more; the newest never is. */
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
        refused: `The backup could not be written (${message}). Look after the disk, or name another folder.`,
      }
    return { fault: stack ?? message }
  }
}

/** Makes a backup as a task says. Rejects as makeBackup does. */
export async function carryOutBackup({ order, copyTo, rules, zone }: BackupTask): Promise<BackupDone> {
  const made = await makeBackup(order)
  const copyProblem = copyTo === null ? null : await copyBackup(order.folder, copyTo, made)
  if (rules === null) return { made, copyProblem }
  await removeOutdated(order.folder, rules, zone)
  if (copyTo !== null && copyProblem === null) await removeOutdated(copyTo, rules, zone)
  return { made, copyProblem }
}

/** Called only when a backup has just been written there and opened again. */
async function removeOutdated(folder: string, rules: RotationRules, zone: string): Promise<void> {
  for (const { name } of outdated(await backupsIn(folder), rules, zone))
    rmSync(join(folder, name), { force: true })
}
