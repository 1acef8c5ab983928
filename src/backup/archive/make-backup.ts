import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { dataFiles } from '../../host/files/data-files.ts'
import { renameDurably } from '../../host/files/durable.ts'
import { makeFolders } from '../../host/files/make-folders.ts'
import { copyStore, describeCopy, migrationCopyOf, type StoreCopy } from '../../store/disk/copy.ts'
import { type BackupReason, backupName } from '../backup-files.ts'
import { BackupRefused } from '../backup-refused.ts'
import type { Watch } from '../progress.ts'
import { fileDigest, type Part, type PartSource, readArchive, writeArchive } from './encrypted-archive.ts'
import { listErased } from './erased.ts'
import { type Manifest, partNames, sealedFile, settingsFiles } from './manifest.ts'
import { lockBackups } from './plain-copies.ts'
import { readRecipients } from './recipients.ts'

export interface BackupOrder {
  /** The data folder of the property. */
  data: string
  /** The folder of the backup; it is created when it is missing. */
  folder: string
  /**
   * With `migration`, the copy that a migration made is packed and then deleted. Otherwise a new copy is
   * made.
   */
  reason: BackupReason
  /** Unix milliseconds. */
  now: number
  /** The version of this program. */
  version: string
}

/** A backup that was written whole and verified on the disk. */
export interface BackupMade {
  name: string
  bytes: number
  sha256: string
  /**
   * The identity that decrypts only this file. It is never stored; it stays in memory until every target has been read
   * back.
   */
  identity: string
}

/** The space that must stay free on the disk in addition to the backup. */
const roomKept = 64 * 1_048_576

/**
 * Makes a backup of a data folder, whether the appliance is running or not. It copies the database, checks the copy for
 * damage, packs and encrypts it, then decrypts the written file and compares every part with its source. `watch`
 * receives the progress. It blocks for long stretches, so the main thread must not call it. Rejects with BackupRefused,
 * and with StoreRefused for a damaged database; no file remains then.
 */
export async function makeBackup(order: BackupOrder, watch: Watch = () => {}): Promise<BackupMade> {
  const { data, folder } = order
  const recipients = readRecipients(data)
  if (recipients.length === 0)
    throw new BackupRefused(
      `${data} has no recovery key, without which no backup can be opened. No backup was made. Make the recovery sheet on the page /setup#/system/backups.`,
    )
  const lock = lockBackups(data)
  const work = join(data, dataFiles.backupWork)
  try {
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work, { mode: 0o700 })
    makeFolders(folder, 0o700)
    removeUnproven(folder)
    expectRoom(order)
    const made = await makeIn(work, order, recipients, watch)
    if (order.reason === 'migration') rmSync(migrationCopyIn(data))
    return made
  } finally {
    rmSync(work, { recursive: true, force: true })
    lock.release()
  }
}

async function makeIn(
  work: string,
  order: BackupOrder,
  recipients: string[],
  watch: Watch,
): Promise<BackupMade> {
  const { folder, reason } = order
  watch('copying', 0, null)
  const taken = copyFor(order, work)
  const name = backupName(taken.found.takenAt, reason)
  const unproven = join(folder, `${name}.part`)
  const copy = openSync(taken.file, 'r')
  try {
    rmSync(unproven, { force: true })
    listErased(order.data, folder, taken.file)
    // From here on the plain copy has no name, so a kill or a power cut leaves nothing of it.
    if (reason !== 'migration') rmSync(taken.file)
    const parts = await partsIn(copy, taken.found, order, recipients)
    // A temporary identity for this file. With it the box can verify the written file, here and at the targets, but
    // cannot decrypt any other backup.
    const once = await generateX25519Identity()
    const all = parts.reduce((sum, { bytes }) => sum + bytes, 0)
    const readers = [...recipients, await identityToRecipient(once)]
    const written = await writeArchive(unproven, parts, readers, (bytes) => watch('packing', bytes, all))
    await expectSame(unproven, once, parts, (bytes) => watch('verifying', bytes, written.bytes))
    renameDurably(unproven, join(folder, name))
    return { name, ...written, identity: once }
  } finally {
    closeSync(copy)
    rmSync(unproven, { force: true })
  }
}

interface Taken {
  file: string
  found: StoreCopy
}

/** Returns the copy of the database for a backup. */
function copyFor({ data, reason, now }: BackupOrder, work: string): Taken {
  if (reason === 'migration') {
    const file = migrationCopyIn(data)
    return { file, found: describeCopy(file) }
  }
  const file = join(work, partNames.database)
  return { file, found: copyStore(join(data, dataFiles.database), file, now) }
}

function migrationCopyIn(data: string): string {
  return migrationCopyOf(join(data, dataFiles.database))
}

async function partsIn(
  copy: number,
  found: StoreCopy,
  order: BackupOrder,
  recipients: string[],
): Promise<PartSource[]> {
  const { data } = order
  const settings = [sealedFile, dataFiles.erasures, ...settingsFiles].filter((name) =>
    existsSync(join(data, name)),
  )
  const parts: PartSource[] = [
    { name: partNames.database, content: { open: copy }, ...(await fileDigest(copy)) },
    partOf(partNames.key, await sealedKey(data, recipients)),
    ...settings.map((name) => partOf(name, readFileSync(join(data, name)))),
  ]
  const manifest = JSON.stringify(manifestOf(order, found, parts), null, 2)
  return [partOf(partNames.manifest, Buffer.from(manifest)), ...parts]
}

function manifestOf(
  { version, reason }: BackupOrder,
  { schema, sequence, property, takenAt }: StoreCopy,
  contents: PartSource[],
): Manifest {
  const parts = contents.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }))
  const moment = new Date(takenAt).toISOString()
  return { format: 1, version, schema, property, reason, takenAt: moment, sequence, parts }
}

function partOf(name: string, bytes: Uint8Array): PartSource {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { name, bytes: bytes.length, sha256, content: { bytes } }
}

async function sealedKey(data: string, recipients: string[]): Promise<Uint8Array> {
  const path = join(data, dataFiles.key)
  if (!existsSync(path))
    throw new BackupRefused(
      `${path} is missing. Without it, encrypted data in the database cannot be read. No backup was made. Put the file back first.`,
    )
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return encrypter.encrypt(readFileSync(path))
}

/** Decrypts an archive on the disk, and compares every part with its source. */
async function expectSame(
  archive: string,
  identity: string,
  parts: readonly PartSource[],
  read: (bytes: number) => void,
): Promise<void> {
  const found = await readArchive(archive, identity, () => null, read)
  const isSame = (one: Part, other?: Part) =>
    one.name === other?.name && one.bytes === other.bytes && one.sha256 === other.sha256
  if (found.length === parts.length && parts.every((part, index) => isSame(part, found[index]))) return
  throw new BackupRefused(
    `${archive} differs from what was written: the disk may be failing. No backup was kept. Use another disk.`,
  )
}

/** Checks that the disk has space for the copy, and for an archive of the same size. */
function expectRoom({ data, folder, reason }: BackupOrder): void {
  const database = join(data, dataFiles.database)
  const isTaken = reason === 'migration'
  const bytes = isTaken ? sizeOf(migrationCopyIn(data)) : sizeOf(database) + sizeOf(`${database}-wal`)
  for (const [where, needed] of [
    [data, isTaken ? 0 : bytes],
    [folder, bytes],
  ] as const) {
    const { bavail, bsize } = statfsSync(where)
    // Copy and archive may share one disk. With two disks, this check requires more than necessary.
    if (bavail * bsize >= needed + bytes + roomKept) continue
    const megabytes = Math.ceil((needed + bytes + roomKept) / 1_048_576)
    throw new BackupRefused(
      `There is no space for a backup: ${where} needs ${megabytes} MB. Free some space, or configure another folder for backups.`,
    )
  }
}

/** Deletes unfinished backups that a power cut left behind. */
export function removeUnproven(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^nightporter-.*\.part$/.test(name)) rmSync(join(folder, name), { force: true })
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
