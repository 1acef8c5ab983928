import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { addRecipient } from '../../src/backup/archive/recipients.ts'
import { copyStore } from '../../src/store/disk/copy.ts'
import type { TestAppliance } from '../appliance.ts'

/** An identity of tests alone, which no passphrase wraps: wrapping takes a second. */
export const identity = 'AGE-SECRET-KEY-1DQE8DVNAP7N0Z9GPQZVP2YL0LD6UP5AKHX7NLGEM4MAHKQHPXGKST33C8F'
export const recipient = 'age1j3tq6uz2v47een5xym4pc2wxadx664amr4d0knrjcetneptse35s6486pw'

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
