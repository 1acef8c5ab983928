import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, linkSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** What keeps sealed texts from being opened, with what a person can do about it. */
export class VaultRefused extends Error {}

/** Seals small texts (PINs, credentials) so that a copy of the database alone does not give them away. */
export interface Vault {
  /** `v1.` and base64url; another text each time. `context` says what it belongs to, and is not kept in it. */
  seal(text: string, context: string): string
  /** Throws a VaultRefused naming the context when the text was changed, or sealed for another context or with another key. */
  unseal(sealed: string, context: string): string
  /** The same 64 hex digits for the same text and context, by which it is found again; nobody without the key can make them. */
  mark(text: string, context: string): string
}

/**
 * Opens the vault whose key is the file at `path`. A missing key is made (32 random bytes, for its owner alone)
 * unless `isNew` is false: where something was sealed before, a new one would open nothing. Throws a VaultRefused that says what is wrong.
 */
export function openVault(path: string, { isNew = true }: { isNew?: boolean } = {}): Vault {
  const key = readKey(path) ?? (isNew ? makeKey(path) : missingKey(path))
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv(cipherName, key, nonce)
      cipher.setAAD(bound(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return version + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    unseal(sealed, context) {
      try {
        return opened(key, sealed, context)
      } catch {
        // The reason could only be "not authentic", and an attacker is told no more than that.
        throw new VaultRefused(
          `What is sealed for ${context} cannot be opened: it was changed or belongs to another key`,
        )
      }
    },
    mark(text, context) {
      // A key of its own: what marks is never what seals.
      const marking = createHmac('sha256', key).update('mark').digest()
      return createHmac('sha256', marking).update(`${context}\0${text}`).digest('hex')
    },
  }
}

const version = 'v1.'
const cipherName = 'aes-256-gcm'
const keyLength = 32
const nonceLength = 12
const tagLength = 16

function missingKey(path: string): never {
  throw new VaultRefused(
    `${path} is missing, and the database beside it holds what was sealed with it. Put it back from the same backup.`,
  )
}

function opened(key: Buffer, sealed: string, context: string): string {
  if (!sealed.startsWith(version)) throw new RangeError('another version')
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
  const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
  decipher.setAAD(bound(context))
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()]).toString(
    'utf8',
  )
}

/** The version is bound too, so that a later form can never be passed off as this one. */
function bound(context: string): Buffer {
  return Buffer.from(version + context)
}

function readKey(path: string): Buffer | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  try {
    const { mode, size } = fstatSync(file)
    if ((mode & 0o077) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(4, '0')
      throw new VaultRefused(
        `${path} may be read or written by others (mode ${octal}): replace what it protects, then make it 0600`,
      )
    }
    if (size !== keyLength)
      throw new VaultRefused(`${path} must hold ${keyLength} bytes and holds ${size}: restore it`)
    const key = Buffer.alloc(keyLength)
    readSync(file, key, 0, keyLength, 0)
    return key
  } finally {
    closeSync(file)
  }
}

/** Whole on the disk under its name or not there at all; when another process was first, its key counts. */
function makeKey(path: string): Buffer {
  const fresh = `${path}.${randomBytes(6).toString('hex')}.new`
  const file = openSync(fresh, 'wx', 0o600)
  try {
    writeSync(file, randomBytes(keyLength))
    fsyncSync(file)
    linkSync(fresh, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    closeSync(file)
    unlinkSync(fresh)
  }
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
  const key = readKey(path)
  if (!key) throw new VaultRefused(`${path} went away while it was made`)
  return key
}
