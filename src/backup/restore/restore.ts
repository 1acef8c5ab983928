import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFiles } from '../../host/files/data-files.ts'
import { renameDurably, syncPath } from '../../host/files/durable.ts'
import { carryErased } from '../archive/erased.ts'
import { type Manifest, partNames, readManifest, sealedFile, settingsFiles } from '../archive/manifest.ts'
import { noteMissingKeys } from '../keys/missing-keys.ts'
import type { Opened } from './restore-thread.ts'

const {
  restoreChecked: checking,
  restoreUnpacked: unpacking,
  restoreDecided: decided,
  restoreDone: done,
  replaced: replacedFolder,
  databaseLogs: log,
} = dataFiles
/** A folder in it, with the files that the restore replaces. */
const before = 'before'

const replacing = [partNames.database, dataFiles.key, sealedFile, dataFiles.erasures, dataFiles.restoredKeys]

/**
 * Replaces the property in a data folder by a backup. The caller must hold the lock of the store. After a power cut at
 * any moment, either the old or the restored property is complete, and the next start completes a confirmed restore.
 * `identity` is null for an unencrypted copy from before a migration. The folder `replaced` contains the replaced files
 * until the next restore. `segments` are additional folders with segments of keys, besides the backup's own folder.
 */
export async function restoreBackup(
  data: string,
  file: string,
  identity: string | null,
  segments: readonly string[] = [],
): Promise<Opened> {
  const staged = join(data, unpacking)
  finishRestore(data)
  try {
    const manifest = await unpackInto(staged, data, file, identity)
    const beside = [dirname(file), ...segments]
    carryErased(data, staged, beside)
    const keysUntil = identity === null ? null : await keysIn(staged, beside, identity, manifest)
    decide(data)
    putInPlace(data)
    return { ...manifest, keysUntil }
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

/** Unpacks and checks a backup as a restore does, and replaces nothing. The appliance may be running. */
export async function checkBackup(data: string, file: string, identity: string | null): Promise<Manifest> {
  const staged = mkdtempSync(join(data, checking))
  try {
    return await unpackInto(staged, data, file, identity)
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

/**
 * Completes a restore that a power cut interrupted. It must be called before the store is opened; the caller
 * must hold the lock. Returns a sentence about the result; null when no restore was interrupted.
 */
export function finishRestore(data: string): string | null {
  const wasUnpacking = existsSync(join(data, unpacking))
  const checked = existsSync(data) ? readdirSync(data).filter((name) => name.startsWith(checking)) : []
  for (const left of [unpacking, done, ...checked]) rmSync(join(data, left), { recursive: true, force: true })
  if (existsSync(join(data, decided))) {
    const { takenAt } = putInPlace(data)
    return `An interrupted restore was completed. The data are those of ${takenAt}.`
  }
  if (!wasUnpacking) return null
  return 'A restore was interrupted before anything was replaced. The property is unchanged. Restore again.'
}

async function keysIn(...found: Parameters<typeof import('../keys/gather-keys.ts').keysInto>) {
  const { keysInto } = await import('../keys/gather-keys.ts')
  return keysInto(...found)
}

async function unpackInto(
  staged: string,
  data: string,
  file: string,
  identity: string | null,
): Promise<Manifest> {
  // Only a restore loads the encryption library; a normal start does not.
  const { unpackBackup, unpackCopy } = await import('./unpack-backup.ts')
  if (identity !== null) return unpackBackup(file, identity, staged)
  return unpackCopy(file, join(data, dataFiles.key), staged)
}

/**
 * Confirms a restore whose backup was unpacked and checked in the data folder. The next start moves it into place. The
 * rename is on the disk when this returns.
 */
export function decide(data: string): void {
  mkdirSync(join(data, unpacking, before), { mode: 0o700 })
  syncPath(join(data, unpacking))
  renameDurably(join(data, unpacking), join(data, decided))
}

/** Every step can be repeated: a file that is still in the folder of the restore has not been moved yet. */
function putInPlace(data: string): Pick<Manifest, 'takenAt'> {
  const from = join(data, decided)
  const { takenAt } = readManifest(readFileSync(join(from, partNames.manifest), 'utf8'))
  // The write-ahead log belongs to the old database; SQLite would apply it to the new one.
  const isNewIn = !existsSync(join(from, partNames.database))
  // A database that has lost its log to an earlier attempt must not be opened: it would get an empty one.
  if (!isNewIn && readdirSync(join(from, before)).length === 0) askReplaced(data, from)
  const old: string[] = isNewIn ? [] : [...log, partNames.database, dataFiles.restoredKeys]
  for (const name of [dataFiles.key, sealedFile, dataFiles.erasures])
    if (existsSync(join(from, name))) old.push(name)
  for (const name of old) moveIfThere(join(data, name), join(from, before, name))
  for (const folder of [join(from, before), data]) if (existsSync(folder)) syncPath(folder)
  for (const name of replacing) moveIfThere(join(from, name), join(data, name))
  for (const name of settingsFiles)
    if (!existsSync(join(data, name))) moveIfThere(join(from, name), join(data, name))
  for (const folder of [data, from]) syncPath(folder)
  keepBefore(data, from)
  return { takenAt }
}

/**
 * Asks the property what happened in it until now: it went on working after the backup was opened. Who was erased meanwhile is
 * erased again, and keys that changed after the last segment are known to be missing.
 */
function askReplaced(data: string, unpacked: string): void {
  carryErased(data, unpacked, [])
  noteMissingKeys(join(data, dataFiles.database), join(unpacked, dataFiles.restoredKeys))
}

/** A new box has no files to replace. The files of an earlier restore are then kept. */
function keepBefore(data: string, from: string): void {
  const replaced = join(data, replacedFolder)
  if (existsSync(join(from, before)) && readdirSync(join(from, before)).length > 0) {
    rmSync(replaced, { recursive: true, force: true })
    renameDurably(join(from, before), replaced)
  }
  renameDurably(from, join(data, done))
  rmSync(join(data, done), { recursive: true, force: true })
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}
