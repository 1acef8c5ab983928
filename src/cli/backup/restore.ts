import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../backup/archive/manifest.ts'
import { BackupRefused } from '../../backup/backup-refused.ts'
import { isWrapped, unwrapRecoveryKey } from '../../backup/recovery-key.ts'
import { checkBackup, restoreBackup } from '../../backup/restore/restore.ts'
import type { Opened } from '../../backup/restore/restore-thread.ts'
import { isPlainCopy } from '../../backup/restore/unpack-backup.ts'
import { dataFiles } from '../../host/files/data-files.ts'
import { makeFolders } from '../../host/files/make-folders.ts'
import { StoreRefused } from '../../store/connection.ts'
import { lockStore, StoreTaken } from '../../store/lock.ts'
import { actAsOwner } from '../act-as-owner.ts'
import { CommandFailed } from '../exit-codes.ts'
import { readKeyText, readPassphrase } from '../secret-input.ts'
import { asFileFailure } from './backup.ts'

interface RestoreOptions {
  data: string
  identity: string
  passphraseFile?: string
  check?: true
  segments?: string
}

/** Restores a backup and prints its contents. With `check`, only opens and verifies it. Rejects with CommandFailed. */
export async function restore(
  file: string,
  { data, check, segments, ...how }: RestoreOptions,
): Promise<void> {
  if (!existsSync(file)) throw new CommandFailed('missing', `${file} does not exist.`)
  process.umask(0o077)
  const identity = (await isPlainCopy(file)) ? null : await identityOf(how)
  actAsOwner(data)
  makeFolders(data, 0o700)
  // A check replaces nothing, so the appliance may be running.
  const lock = check ? null : locked(data)
  try {
    console.log(
      check
        ? `${contents(await checkBackup(data, file, identity))} It is undamaged and can be restored. Nothing was changed.`
        : restored(data, await restoreBackup(data, file, identity, segments ? [segments] : [])),
    )
  } catch (error) {
    if (error instanceof BackupRefused || error instanceof StoreRefused)
      throw new CommandFailed('data', error.message)
    throw asFileFailure(error)
  } finally {
    lock?.release()
  }
}

async function identityOf({
  identity,
  passphraseFile,
}: Omit<RestoreOptions, 'data' | 'check' | 'segments'>): Promise<string> {
  const { text, passphrase } = await readKeyText(identity)
  const isNeeded = isWrapped(text) && passphrase === null
  const given = isNeeded
    ? await readPassphrase(passphraseFile, 'Passphrase of the recovery key (it is not shown): ')
    : passphrase
  try {
    return await unwrapRecoveryKey(text, given)
  } catch (error) {
    if (error instanceof BackupRefused) throw new CommandFailed('refused', error.message)
    throw error
  }
}

function locked(data: string): { release(): void } {
  try {
    return lockStore(join(data, dataFiles.database))
  } catch (error) {
    if (!(error instanceof StoreTaken)) throw error
    throw new CommandFailed(
      'unreachable',
      `An appliance is running on ${data}. Nothing was restored. Stop it, then restore again.`,
    )
  }
}

function contents({ property, takenAt, version, reason }: Manifest): string {
  return `A backup of ${property ?? 'a property without a name'} as of ${takenAt}, made by nightporter ${version} (${reason}).`
}

function restored(data: string, manifest: Opened): string {
  const { keysUntil } = manifest
  const hasBefore = existsSync(join(data, dataFiles.replaced))
  return [
    `${contents(manifest)} It was restored to ${data}.`,
    ...(hasBefore
      ? [`The replaced property is kept in ${join(data, dataFiles.replaced)} until the next restore.`]
      : []),
    `What happened after ${manifest.takenAt} is lost: check-ins, payments and keys.`,
    keysUntil === null
      ? 'There are no segments of keys after this backup: keys made since are not known.'
      : `Segments of keys were found: each key is known up to ${new Date(keysUntil).toISOString()}.`,
    'Start the appliance. It asks the PMS for all data, and lists the units whose doors may accept a key that it does not know. What was ended after the backup, such as a token, stays ended if the replaced property can be read; otherwise the appliance has each right confirmed.',
  ].join('\n')
}
