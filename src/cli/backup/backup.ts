import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addRecipient } from '../../backup/archive/recipients.ts'
import { backupsIn } from '../../backup/backup-files.ts'
import { BackupRefused } from '../../backup/backup-refused.ts'
import { backupFolder } from '../../backup/backups.ts'
import { backupOnDisk } from '../../backup/on-disk.ts'
import { newRecoveryKey } from '../../backup/recovery-key.ts'
import { ConfigRefused, readConfig } from '../../config.ts'
import { systemClock } from '../../host/clock.ts'
import { dataFiles } from '../../host/files/data-files.ts'
import { causeOfFailure } from '../../startup/cause-of-failure.ts'
import { StoreRefused } from '../../store/connection.ts'
import { troubleOfUnused } from '../../store/disk/damage.ts'
import { remedyOf, troubleIn } from '../../store/disk/disk-trouble.ts'
import { version } from '../../version.ts'
import { actAsOwner } from '../act-as-owner.ts'
import { CommandFailed, exits } from '../exit-codes.ts'
import { readPassphrase } from '../secret-input.ts'

const shortestPassphrase = 12

/** Makes a backup now and prints its path. Sets the exit code `later` when the copy to the second folder failed. */
export async function makeBackup({ data }: { data: string }): Promise<void> {
  expectHouse(data)
  process.umask(0o077)
  const { backup } = orFailed(() => readConfig({ data }))
  const { made, copyProblem } = await backupOnDisk(data, backup, { version, now: systemClock.now() }).catch(
    async (error) => failed(await causeOfFailure(error, data, troubleOfUnused)),
  )
  console.log(join(backupFolder(data, backup), made.name))
  const second =
    backup.copyTo === null ? 'There is no copy outside this folder.' : `A copy is in ${backup.copyTo}.`
  console.error(`${made.bytes} bytes, written and verified. ${copyProblem ?? second}`)
  if (copyProblem) process.exitCode = exits.later[0]
}

/** Prints one line per backup: when, why, bytes, file. */
export async function listBackups({ data }: { data: string }): Promise<void> {
  expectHouse(data)
  const { backup } = orFailed(() => readConfig({ data }))
  const found = await backupsIn(backupFolder(data, backup)).catch(failed)
  for (const { takenAt, reason, bytes, name } of found)
    console.log(
      [new Date(takenAt).toISOString(), reason.padEnd(9), String(bytes).padStart(12), name].join('  '),
    )
}

/**
 * Makes a recovery key and prints it once on standard output. With `recipient`, adds this existing recipient instead.
 */
export async function makeKey(options: {
  data: string
  recipient?: string
  passphraseFile?: string
}): Promise<void> {
  const { data, recipient, passphraseFile } = options
  if (recipient) {
    expectHouse(data)
    orFailed(() => addRecipient(data, recipient, 'Added by hand.'))
    return console.error('From now on, backups are also encrypted to this recipient.')
  }
  const passphrase = await newPassphrase(passphraseFile)
  expectHouse(data)
  const { recipient: made, wrapped } = await newRecoveryKey(passphrase)
  orFailed(() =>
    addRecipient(data, made, `Made ${new Date(systemClock.now()).toISOString().slice(0, 10)} on this box.`),
  )
  console.log(wrapped)
  console.error(keptWhere)
}

const keptWhere = `
This is the recovery key. It is not stored here and not shown again. Without it and its passphrase no backup can be opened.
Print it, or copy it to two places away from this box, and keep the passphrase elsewhere. Try both with
"nightporter restore FILE --check" when there is a backup. A running appliance makes one within 15 minutes.`

async function newPassphrase(file: string | undefined): Promise<string> {
  const passphrase = await readPassphrase(file, 'Passphrase for the recovery key (it is not shown): ')
  if (passphrase.length < shortestPassphrase)
    throw new CommandFailed(
      'refused',
      `The passphrase is too short: it needs ${shortestPassphrase} characters or more, such as four words.`,
    )
  const isTyped = file === undefined && process.stdin.isTTY
  if (isTyped && (await readPassphrase(undefined, 'Passphrase again: ')) !== passphrase)
    throw new CommandFailed('refused', 'The two passphrases differ. No key was made.')
  return passphrase
}

/** Throws CommandFailed `missing` without a database in the folder. Then continues as the owner of the folder. */
function expectHouse(data: string): void {
  const path = join(data, dataFiles.database)
  if (!existsSync(path))
    throw new CommandFailed('missing', `${path} does not exist. Is ${data} the data folder?`)
  actAsOwner(data)
}

function orFailed<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    return failed(error)
  }
}

function failed(error: unknown): never {
  if (error instanceof BackupRefused) throw new CommandFailed('refused', error.message)
  if (error instanceof StoreRefused) throw new CommandFailed('data', error.message)
  if (error instanceof ConfigRefused) throw new CommandFailed('config', error.message)
  const trouble = troubleIn(error)
  if (trouble) throw new CommandFailed('refused', `No backup was made. ${remedyOf(trouble)}`)
  throw asFileFailure(error)
}

/** Converts a file error of the operating system to a CommandFailed. Returns any other error unchanged. */
export function asFileFailure(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new CommandFailed('permission', `No permission for a file: ${message}.`)
  if (code === 'ENOSPC') return new CommandFailed('refused', `The disk is full: ${message}. Free some space.`)
  if (code === 'ENOENT') return new CommandFailed('missing', `A file or folder does not exist: ${message}.`)
  return error
}
