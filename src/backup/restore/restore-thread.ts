import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { dataFiles } from '../../host/files/data-files.ts'
import { syncPath } from '../../host/files/durable.ts'
import { openVault } from '../../host/vault.ts'
import { openCopied, StoreRefused } from '../../store/connection.ts'
import { giveWay } from '../../store/give-way.ts'
import { migrate } from '../../store/migrate.ts'
import { carryErased } from '../archive/erased.ts'
import { type Manifest, partNames } from '../archive/manifest.ts'
import { BackupRefused, WrongKey } from '../backup-refused.ts'
import { keysInto } from '../keys/gather-keys.ts'
import { unwrapRecoveryKey } from '../recovery-key.ts'
import { unpackBackup } from './unpack-backup.ts'

/** The task of the restore thread: open one backup beside the property. It changes no other files. */
export interface OpeningTask {
  /** The path of the backup. */
  file: string
  /** The text of the recovery key, and its passphrase. */
  recoveryKey: string
  passphrase: string | null
  /** The data folder. */
  data: string
  /** Folders with segments of keys. */
  segments: string[]
}

/** The result of opening a backup. */
export interface Opened extends Manifest {
  /** Until this time, segments contain every key, Unix milliseconds; null without segments. */
  keysUntil: number | null
}

/** An opened backup, and the fingerprint of the vault of its property. */
export interface OpenedBeside extends Opened {
  house: string
}

/** `unpacking`: the file was decrypted up to `bytes`. `checking`: the database is being checked and migrated. */
export type OpeningPhase = 'unpacking' | 'checking'

/** A message of the thread: progress, and at the end one of the others. */
export type FromRestoreThread =
  | { phase: OpeningPhase; bytes: number }
  | { opened: OpenedBeside }
  | { refused: string; isKey: boolean }
  | { fault: string }

/** The bytes between two messages about the progress. */
const reportEveryBytes = 1_048_576

/** Runs the thread that opens a backup for a restore. */
export async function runOpening(): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('a backup is opened in a thread of its own')
  giveWay()
  const tell = (message: FromRestoreThread) => port.postMessage(message)
  tell(await opened(workerData.task as OpeningTask, tell))
}

async function opened(
  task: OpeningTask,
  tell: (message: FromRestoreThread) => void,
): Promise<FromRestoreThread> {
  try {
    return { opened: await openForRestore(task, (phase, bytes) => tell({ phase, bytes })) }
  } catch (error) {
    if (error instanceof BackupRefused || error instanceof StoreRefused)
      return { refused: error.message, isKey: error instanceof WrongKey }
    const { code, message, stack } = error as NodeJS.ErrnoException
    if (!code) return { fault: stack ?? message }
    return { refused: `The backup could not be unpacked (${message}). Check the disk.`, isKey: false }
  }
}

/**
 * Opens a backup in the data folder, as the folder of an undecided restore: decrypted, checked, and migrated to this
 * program's version. Everything is on the disk when this resolves. Rejects with BackupRefused and StoreRefused.
 */
async function openForRestore(
  { file, recoveryKey, passphrase, data, segments }: OpeningTask,
  progress: (phase: OpeningPhase, bytes: number) => void,
): Promise<OpenedBeside> {
  const into = join(data, dataFiles.restoreUnpacked)
  const identity = await unwrapRecoveryKey(recoveryKey, passphrase)
  let reported = 0
  const manifest = await unpackBackup(file, identity, into, (bytes) => {
    if (bytes - reported < reportEveryBytes) return
    reported = bytes
    progress('unpacking', bytes)
  })
  progress('checking', manifest.parts.length)
  broughtUp(join(into, partNames.database))
  const beside = [dirname(file), ...segments]
  carryErased(data, into, beside)
  keepOwnAddress(join(into, dataFiles.settings))
  const keysUntil = await keysInto(into, beside, identity, manifest)
  syncPath(into)
  const house = openVault(join(into, dataFiles.key)).fingerprint
  return { ...manifest, keysUntil, house }
}

/**
 * Migrates the unpacked database now. The start after the restore then takes only a second, and a backup that cannot be
 * migrated never replaces the property.
 */
function broughtUp(database: string): void {
  const db = openCopied(database)
  try {
    migrate(db, database)
  } finally {
    db.close()
  }
  syncPath(database)
}

/**
 * The settings that belong to the machine, not to the property. With another machine's settings, the new box might not
 * start; nor would it with settings that cannot be read, which are left out.
 */
const ofMachine = ['host', 'port', 'localPort', 'tls']

function keepOwnAddress(file: string): void {
  if (!existsSync(file)) return
  const settings = parsed(readFileSync(file, 'utf8'))
  for (const name of ofMachine) delete settings?.[name]
  if (settings) writeFileSync(file, JSON.stringify(settings, null, 2), { mode: 0o600 })
  else rmSync(file)
  syncPath(dirname(file))
  if (settings) syncPath(file)
}

/** Returns null for settings that a person has damaged since the start of the box that made the backup. */
function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}
