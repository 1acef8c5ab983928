import { Readable } from 'node:stream'
import { Encrypter } from 'age-encryption'

/** Returns a stream in age format that only the holder of the recipient's identity can read. */
export async function encryptedFor(recipient: string, plain: Readable): Promise<Readable> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return Readable.from(await encrypter.encrypt(Readable.toWeb(plain) as ReadableStream<Uint8Array>))
}
