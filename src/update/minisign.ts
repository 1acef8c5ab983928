import type { KeyObject } from 'node:crypto'
import { createHash, createPublicKey, sign, verify } from 'node:crypto'

/**
 * Signatures in the format of minisign: Ed25519 over the BLAKE2b-512 digest of the file, and a second signature over the first
 * one and the trusted comment. `minisign -V` verifies what `signed` writes.
 */

/** A public key in minisign's format: `Ed`, the id of the key, and its 32 bytes. */
interface PublicKey {
  id: Buffer
  key: KeyObject
}

/** The DER of an Ed25519 public key without its 32 bytes. */
const spki = Buffer.from('302a300506032b6570032100', 'hex')
const digested = 'ED'

/** Reads a public key: the second line of minisign's file. Returns null for any other text. */
function publicKeyIn(text: string): PublicKey | null {
  const bytes = Buffer.from(text.trim(), 'base64')
  if (bytes.length !== 42 || bytes.toString('latin1', 0, 2) !== 'Ed') return null
  const key = createPublicKey({
    key: Buffer.concat([spki, bytes.subarray(10)]),
    format: 'der',
    type: 'spki',
  })
  return { id: bytes.subarray(2, 10), key }
}

/**
 * Returns the trusted comment of a signature file when one of the public keys signed these bytes. Returns null for any
 * fault.
 */
export function verified(bytes: Buffer, signatureFile: string, keys: readonly string[]): string | null {
  const [, first = '', second = '', third = ''] = signatureFile.split('\n')
  const [box, global] = [Buffer.from(first, 'base64'), Buffer.from(third, 'base64')]
  const comment = /^trusted comment: (.*)$/.exec(second.trimEnd())?.[1]
  if (box.length !== 74 || global.length !== 64 || comment === undefined) return null
  // Only the prehashed form is accepted. minisign no longer writes the older form.
  if (box.toString('latin1', 0, 2) !== digested) return null
  const id = box.subarray(2, 10)
  const signature = box.subarray(10)
  const key = keys.map(publicKeyIn).find((each) => each?.id.equals(id))?.key
  if (!key || !verify(null, digestOf(bytes), key, signature)) return null
  return verify(null, Buffer.concat([signature, Buffer.from(comment)]), key, global) ? comment : null
}

/** Returns the text of a signature file for these bytes. The comment must have one line. */
export function signed(bytes: Buffer, comment: string, privateKey: KeyObject): string {
  const signature = sign(null, digestOf(bytes), privateKey)
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey)
  const box = Buffer.concat([Buffer.from(digested), idOf(privateKey), signature])
  return `untrusted comment: signature of a nightporter channel
${box.toString('base64')}
trusted comment: ${comment}
${global.toString('base64')}
`
}

/** Returns the public key of a private one, in minisign's format. */
export function publicTextOf(privateKey: KeyObject): string {
  return Buffer.concat([Buffer.from('Ed'), idOf(privateKey), rawPublic(privateKey)]).toString('base64')
}

/** The id identifies a key and proves nothing, so it is derived from the key. */
function idOf(privateKey: KeyObject): Buffer {
  return digestOf(rawPublic(privateKey)).subarray(0, 8)
}

function rawPublic(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('blake2b512').update(bytes).digest()
}
