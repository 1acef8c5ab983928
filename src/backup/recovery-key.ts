import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { WrongKey } from './backup-refused.ts'
import { areWords, identityOfWords } from './sheet/recovery-words.ts'

const identityForm = /AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/

/**
 * Makes a new key pair. `wrapped` is the identity encrypted with the passphrase, as text that every age tool
 * reads. The program does not store it.
 */
export async function newRecoveryKey(passphrase: string): Promise<{ recipient: string; wrapped: string }> {
  const identity = await generateX25519Identity()
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  const wrapped = armor.encode(await encrypter.encrypt(`${identity}\n`))
  return { recipient: await identityToRecipient(identity), wrapped }
}

/** Whether the text of a recovery key is encrypted with a passphrase. */
export function isWrapped(text: string): boolean {
  return text.includes('-----BEGIN AGE ENCRYPTED FILE-----')
}

/**
 * Returns the identity in the text of a recovery key, which may be encrypted with a passphrase, or in the words of a recovery sheet. Rejects with
 * BackupRefused.
 */
export async function unwrapRecoveryKey(text: string, passphrase: string | null): Promise<string> {
  if (!isWrapped(text) && areWords(text)) return identityOfWords(text)
  const plain = isWrapped(text) ? await unwrap(text, passphrase) : text
  const [identity] = identityForm.exec(plain) ?? []
  if (!identity)
    throw new WrongKey(
      'This is not a recovery key. Expected the 24 words of a recovery sheet, the lines from BEGIN AGE ENCRYPTED FILE to END, or a line that begins with AGE-SECRET-KEY-1.',
    )
  return identity
}

async function unwrap(text: string, passphrase: string | null): Promise<string> {
  if (passphrase === null) throw new WrongKey('The recovery key is encrypted. Give its passphrase.')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const begin = text.indexOf('-----BEGIN AGE')
    return await decrypter.decrypt(armor.decode(text.slice(begin).trim()), 'text')
  } catch (error) {
    throw new WrongKey(
      'The passphrase does not open the recovery key, or the key is incomplete. Check both and try again.',
      { cause: error },
    )
  }
}
