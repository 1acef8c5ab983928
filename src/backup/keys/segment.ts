import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'

/**
 * A segment: the keys that changed between two journal lines, in their state at the later line. Segments are stored on
 * a second medium and cover the time since the last backup. A restore merges them into the data of the backup.
 */
export interface Segment {
  format: 1
  /** The fingerprint of the property's vault, which identifies segments of another property. */
  house: string
  /** The segment contains every change after this journal line, */
  from: number
  /** up to this one. */
  to: number
  /** When the segment was made, Unix milliseconds. Until this time every key is known. */
  at: number
  keys: unknown[]
  /** Digests of persons who were erased between the lines; in the first segment of a chain, of all who are known. */
  erased?: readonly string[]
}

/** Returns a segment compressed, and encrypted to the recipients as a backup is. */
export async function sealSegment(segment: Segment, recipients: readonly string[]): Promise<Uint8Array> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return encrypter.encrypt(await promisify(gzip)(JSON.stringify(segment)))
}

/** Returns the segment in a file; null when the identity cannot decrypt it or it is damaged. */
export async function openSegment(bytes: Uint8Array, identity: string): Promise<Segment | null> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  try {
    const text = await promisify(gunzip)(await decrypter.decrypt(bytes))
    const found = JSON.parse(text.toString()) as Segment
    return found.format === 1 ? found : null
  } catch {
    return null
  }
}
