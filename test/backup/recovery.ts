import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { addRecipient } from '../../src/backup/archive/recipients.ts'

/** An identity that no passphrase wraps: wrapping takes a second. */
export const identity = await generateX25519Identity()
export const recipient = await identityToRecipient(identity)

/** Has the backups of a data folder encrypted to the identity of these tests. */
export function withKey(data: string): void {
  addRecipient(data, recipient, 'Made for a test.')
}

/** A folder that is gone after the test. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-backup-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
