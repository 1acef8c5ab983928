import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { dataFiles } from '../host/data-files.ts'
import { renameDurably, syncPath } from '../host/durable.ts'
import { BackupRefused } from './backup-refused.ts'

const mostRecipients = 20
const recipientForm = /^age1[02-9ac-hj-np-z]{58}$/
const identityForm = /AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/

/**
 * Returns the recipients of a data folder's backups; none before a recovery key was made. Throws
 * BackupRefused for a file that is not a list of recipients.
 */
export function readRecipients(data: string): string[] {
  const path = join(data, dataFiles.recipients)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split(/\r?\n/)
  const recipients = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  const strange = recipients.findIndex((line) => !recipientForm.test(line))
  if (strange >= 0)
    throw new BackupRefused(
      `${path}: line ${strange + 1} is not an age recipient (age1 and 58 characters). Correct or remove the line.`,
    )
  return recipients.slice(0, mostRecipients)
}

/** Adds a recipient, to which later backups are also encrypted. Throws BackupRefused. */
export function addRecipient(data: string, recipient: string, remark: string): void {
  if (!recipientForm.test(recipient))
    throw new BackupRefused('A recipient begins with age1 and has 62 characters, as age-keygen prints it.')
  const known = readRecipients(data)
  if (known.includes(recipient)) return
  if (known.length >= mostRecipients)
    throw new BackupRefused(
      `There are ${mostRecipients} recipients already, the most allowed. Remove one from the file first.`,
    )
  const path = join(data, dataFiles.recipients)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '# Who can open the backups of this house.\n'
  writeFileSync(`${path}.new`, `${before.trimEnd()}\n# ${remark}\n${recipient}\n`, { mode: 0o600 })
  syncPath(`${path}.new`)
  renameDurably(`${path}.new`, path)
}

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
 * Returns the identity in the text of a recovery key, which may be encrypted with a passphrase. Rejects with
 * BackupRefused.
 */
export async function unwrapRecoveryKey(text: string, passphrase: string | null): Promise<string> {
  const plain = isWrapped(text) ? await unwrap(text, passphrase) : text
  const [identity] = identityForm.exec(plain) ?? []
  if (!identity)
    throw new BackupRefused(
      'This is not a recovery key. Expected the lines from BEGIN AGE ENCRYPTED FILE to END, or a line that begins with AGE-SECRET-KEY-1.',
    )
  return identity
}

async function unwrap(text: string, passphrase: string | null): Promise<string> {
  if (passphrase === null) throw new BackupRefused('The recovery key is encrypted. Give its passphrase.')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const begin = text.indexOf('-----BEGIN AGE')
    return await decrypter.decrypt(armor.decode(text.slice(begin).trim()), 'text')
  } catch (error) {
    throw new BackupRefused(
      'The passphrase does not open the recovery key, or the key is incomplete. Check both and try again.',
      { cause: error },
    )
  }
}
