import { chmod, copyFile, type FileHandle, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Decrypter } from 'age-encryption'
import { dataFiles } from '../../host/files/data-files.ts'
import { syncPath } from '../../host/files/durable.ts'
import { openVault } from '../../host/vault.ts'
import { describeCopy, expectWholeStore } from '../../store/disk/copy.ts'
import { newestMigration } from '../../store/migrate.ts'
import { type Part, readArchive } from '../archive/encrypted-archive.ts'
import { type Manifest, partNames, readManifest, sealedFile, settingsFiles } from '../archive/manifest.ts'
import { BackupRefused } from '../backup-refused.ts'

const known: readonly string[] = [
  ...Object.values(partNames),
  sealedFile,
  dataFiles.erasures,
  ...settingsFiles,
]
const keyBytes = 32

/**
 * Unpacks a backup into the new folder `into`: `nightporter.db`, `secret.key` (mode 0600) and the settings files. It
 * compares each file with the manifest, and checks the database for damage. All files are on the disk when this
 * resolves. `read` is called with the number of bytes of the file read so far. Rejects with BackupRefused, with the
 * remedy, for a backup that cannot be used here.
 */
export async function unpackBackup(
  file: string,
  identity: string,
  into: string,
  read?: (bytes: number) => void,
): Promise<Manifest> {
  await emptyFolder(into)
  const found = await unpack(file, identity, into, read)
  const manifest = await manifestIn(into, file)
  expectParts(file, manifest, found)
  expectKnown(manifest)
  await unsealKey(file, identity, into)
  expectOneProperty(into, file)
  return manifest
}

/**
 * Like `unpackBackup`, for the unencrypted copy that is made before a migration. The copy contains no vault
 * key: `key` is the file of the property's current key.
 */
export async function unpackCopy(file: string, key: string, into: string): Promise<Manifest> {
  await emptyFolder(into)
  const { schema, sequence, property, takenAt } = describeCopy(file)
  const moment = new Date(takenAt).toISOString()
  const about = {
    schema,
    sequence,
    property,
    takenAt: moment,
    version: 'of that time',
    reason: 'migration',
  } as const
  const manifest: Manifest = { format: 1, ...about, parts: [] }
  if (takenAt === 0)
    throw new BackupRefused(`${file} is a database, but not from a backup. Restore a backup.`)
  expectKnown(manifest)
  await copyFile(file, join(into, partNames.database))
  await copyFile(key, join(into, dataFiles.key))
  await writeFile(join(into, partNames.manifest), JSON.stringify(manifest))
  for (const name of Object.values(partNames).filter((each) => each !== partNames.key))
    await chmod(join(into, name), 0o600)
  expectOneProperty(into, file)
  return manifest
}

/** Whether a file is an unencrypted copy, by its first bytes. */
export async function isPlainCopy(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    return buffer.toString('latin1') === 'SQLite format 3\0'
  } finally {
    await handle.close()
  }
}

async function emptyFolder(into: string): Promise<void> {
  await rm(into, { recursive: true, force: true })
  await mkdir(into, { mode: 0o700 })
}

/** Checks that database and key belong together and are not damaged, and syncs them to the disk. */
function expectOneProperty(into: string, file: string): void {
  const { foundedWith } = expectWholeStore(join(into, partNames.database))
  if (foundedWith !== openVault(join(into, dataFiles.key)).fingerprint)
    throw new BackupRefused(
      `The database and the key in ${file} do not belong together. Restore another backup.`,
    )
  for (const name of [dataFiles.key, partNames.database, partNames.manifest]) syncPath(join(into, name))
  syncPath(into)
}

async function unpack(
  file: string,
  identity: string,
  into: string,
  read?: (bytes: number) => void,
): Promise<Part[]> {
  let current: FileHandle | null = null
  let name = ''
  const close = async () => {
    await current?.sync()
    await current?.close()
    current = null
  }
  try {
    const sinkOf = (part: string) => async (chunk: Uint8Array) => {
      if (part !== name) {
        await close()
        current = await open(join(into, part), 'wx', 0o600)
        name = part
      }
      await current!.writeFile(chunk)
    }
    return await readArchive(file, identity, (part) => (known.includes(part) ? sinkOf(part) : null), read)
  } finally {
    await close()
  }
}

async function manifestIn(into: string, file: string): Promise<Manifest> {
  const path = join(into, partNames.manifest)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null)
    throw new BackupRefused(`${file} is not a backup of nightporter: it has no ${partNames.manifest}.`)
  return readManifest(text)
}

function expectParts(file: string, { parts }: Manifest, found: readonly Part[]): void {
  const named = new Map(found.map((part) => [part.name, part]))
  const missing = [partNames.database, partNames.key].find(
    (name) => !parts.some((part) => part.name === name),
  )
  const broken = parts.find(({ name, bytes, sha256 }) => {
    const part = named.get(name)
    return part?.bytes !== bytes || part.sha256 !== sha256
  })
  const wrong = missing ?? broken?.name
  if (wrong)
    throw new BackupRefused(`${file} is damaged: the checksum of ${wrong} is wrong. Restore another backup.`)
}

function expectKnown({ schema, version }: Manifest): void {
  const newest = newestMigration()
  if (schema <= newest) return
  throw new BackupRefused(
    `This backup was made by nightporter ${version} with schema version ${schema}. This program knows versions up to ${newest}. Install nightporter ${version} or newer, then restore again.`,
  )
}

async function unsealKey(file: string, identity: string, into: string): Promise<void> {
  const sealed = join(into, partNames.key)
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const key = await decrypter.decrypt(await readFile(sealed))
  if (key.length !== keyBytes)
    throw new BackupRefused(
      `${file} is damaged: its secret.key has the wrong length (${key.length} bytes). Restore another backup.`,
    )
  await writeFile(join(into, dataFiles.key), key, { mode: 0o600, flag: 'wx' })
  await rm(sealed)
}
