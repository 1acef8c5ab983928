import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { addRecipient } from '../../src/backup/archive/recipients.ts'
import { copyStore } from '../../src/store/disk/copy.ts'
import type { TestAppliance } from '../appliance.ts'

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

/** The settings of a house that keeps its backups, and the segments of its keys, on another medium too. */
export function copyingTo(copyTo: string) {
  return { folder: null, copyTo, at: '03:30', daily: 7, weekly: 4, monthly: 12, megabytes: 2_048 }
}

/** Takes a copy of the store of a running house, for a later restore: what a backup holds. */
export function storeCopy(t: TestContext, house: TestAppliance): string {
  const copy = join(folderFor(t), 'copy.db')
  copyStore(join(house.data, 'nightporter.db'), copy, house.clock.now())
  return copy
}

/** Stops the house, puts the copy in place of its database, and starts it again. */
export async function restoreCopy(
  house: TestAppliance,
  copy: string,
  beside?: (path: string) => void,
): Promise<void> {
  const path = join(house.data, 'nightporter.db')
  const close = house.appliance.close.bind(house.appliance)
  house.appliance.close = async () => {
    await close()
    for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true })
    cpSync(copy, path)
    beside?.(path)
  }
  await house.restart()
}
