import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../../host/files/data-files.ts'
import { writeDurably } from '../../host/files/durable.ts'
import { BackupRefused } from '../backup-refused.ts'

const mostRecipients = 20
const recipientForm = /^age1[02-9ac-hj-np-z]{58}$/

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
  writeDurably(path, `${before.trimEnd()}\n# ${remark}\n${recipient}\n`)
}

const sheetRemark = 'Recovery sheet, its words typed back '

/** Adds the recipient of a confirmed recovery sheet. `at` in Unix milliseconds. Throws BackupRefused. */
export function addSheet(data: string, recipient: string, at: number): void {
  addRecipient(data, recipient, `${sheetRemark}${new Date(at).toISOString()}`)
}

/** Returns when the newest recovery sheet was confirmed, ISO 8601; null without one. */
export function sheetKeptAt(data: string): string | null {
  const path = join(data, dataFiles.recipients)
  if (!existsSync(path)) return null
  const lines = readFileSync(path, 'utf8').split(/\r?\n/)
  return lines.findLast((line) => line.startsWith(`# ${sheetRemark}`))?.slice(sheetRemark.length + 2) ?? null
}
