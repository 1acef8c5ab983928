import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { writeDurably } from './files/durable.ts'

/** A sealed text cannot be decrypted. The message says what a person can do about it. */
export class VaultRefused extends Error {}

/** Encrypts small texts (PINs, credentials), so that a copy of the database alone does not reveal them. */
export type Vault = ReturnType<typeof openVault>

/**
 * Opens the vault whose key is the file at `path`. Throws VaultRefused with the problem of the file.
 */
export function openVault(path: string) {
  const key = readKey(path)
  return {
    /**
     * Returns `v1.` and base64url; the result differs each time. `context` names the owner of the text, and is
     * not stored in the result.
     */
    seal(text: string, context: string): string {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv(cipherName, key, nonce)
      cipher.setAAD(bound(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return version + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    /**
     * Decrypts a sealed text. Throws VaultRefused with the context when the text was changed, or sealed for
     * another context or with another key.
     */
    unseal(sealed: string, context: string): string {
      try {
        return opened(key, sealed, context)
      } catch {
        // The only possible reason is a failed authentication. A more detailed message would help an
        // attacker.
        throw new VaultRefused(
          `The value encrypted for ${context} cannot be decrypted: it was changed, or encrypted with another key`,
        )
      }
    },
    /**
     * Returns 64 hex digits, the same for the same text and context, to find the text again. They cannot be
     * computed without the key.
     */
    mark(text: string, context: string): string {
      // A derived key, so that the key for marks differs from the key for sealing.
      const marking = createHmac('sha256', key).update('mark').digest()
      return createHmac('sha256', marking).update(`${context}\0${text}`).digest('hex')
    },
    /** 64 hex digits by which a database recognizes its key; they reveal nothing about the key. */
    fingerprint: createHmac('sha256', key).update('fingerprint').digest('hex'),
  }
}

const version = 'v1.'
const cipherName = 'aes-256-gcm'
const keyLength = 32
const nonceLength = 12
const tagLength = 16

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

/** The version is authenticated too, so that a later format can never be passed off as this one. */
function bound(context: string): Buffer {
  return Buffer.from(version + context)
}

function readKey(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const { mode, size } = fstatSync(file)
    if ((mode & 0o077) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(4, '0')
      throw new VaultRefused(
        `${path} can be read or written by other users of this machine (mode ${octal}). Replace the credentials that it protects. Then run: chmod 600 ${path}`,
      )
    }
    if (size !== keyLength)
      throw new VaultRefused(
        `${path} is damaged: it has ${size} bytes instead of ${keyLength}. Restore it from a backup`,
      )
    const key = Buffer.alloc(keyLength)
    readSync(file, key, 0, keyLength, 0)
    return key
  } finally {
    closeSync(file)
  }
}

/**
 * Makes a key of 32 random bytes, mode 0600, at `path`. After a power cut it is there whole, or not at all.
 * Only one caller may run at a time.
 */
export function makeKey(path: string): void {
  writeDurably(path, randomBytes(keyLength))
}
