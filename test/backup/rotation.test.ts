import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BackupFile, type BackupReason, backupName } from '../../src/backup/backup-files.ts'
import { outdated } from '../../src/backup/rotation/rotation.ts'

const day = 86_400_000
const zone = 'Europe/Lisbon'
/** 2026-06-01 03:30 in Lisbon, a Monday. */
const monday = Date.UTC(2026, 5, 1, 2, 30)
const rules = { daily: 7, weekly: 4, monthly: 12, megabytes: 1_000 }

function backup(takenAt: number, { reason = 'nightly' as BackupReason, bytes = 1 } = {}): BackupFile {
  const name = backupName(takenAt, reason)
  return { id: name, name, reason, takenAt, bytes }
}

/** What is left when each night's backup is followed by a rotation. */
function nights(count: number, more: Partial<typeof rules> = {}, bytes = 1): number[] {
  let kept: BackupFile[] = []
  for (let night = 0; night < count; night++) {
    kept.push(backup(monday + night * day, { bytes }))
    const gone = outdated(kept, { ...rules, ...more }, zone, monday + night * day)
    kept = kept.filter((each) => !gone.includes(each))
  }
  return kept.map(({ takenAt }) => (takenAt - monday) / day)
}

describe('the backups that are kept', () => {
  it('are those of seven days, and the last of four weeks and of twelve months', () => {
    // Monday is night 0: Sundays end weeks; night 29 is the last of June, 60 of July, 91 of August.
    assert.deepEqual(nights(100), [29, 60, 83, 90, 91, 93, 94, 95, 96, 97, 98, 99])
  })

  it('are as many as fit the size limit, newest first, and always the newest', () => {
    assert.deepEqual(nights(10, { megabytes: 3 }, 1_048_576), [7, 8, 9])
    assert.deepEqual(nights(10, { megabytes: 3 }, 4_000_000), [9])
  })

  it('include the newest before a migration, and the newest three requested ones', () => {
    const all = [
      backup(monday, { reason: 'migration' }),
      ...[1, 2, 3, 4].map((minutes) => backup(monday + day + minutes * 60_000, { reason: 'asked' })),
      ...[40, 41, 42, 43, 44, 45, 46].map((night) => backup(monday + night * day)),
    ]
    const gone = outdated(all, { ...rules, weekly: 1, monthly: 1 }, zone, monday + 100 * day)
    assert.deepEqual(gone, [all[1]])
  })

  it('are the same beside those of the future, which go first where there is no room for all', () => {
    const now = monday + 20 * day
    const past = [0, 18, 19, 20].map((night) => backup(monday + night * day, { bytes: 1_048_576 }))
    const ahead = [400, 401, 402].map((night) => backup(monday + night * day, { bytes: 1_048_576 }))
    const few = { daily: 2, weekly: 1, monthly: 1 }
    const gone = (megabytes: number) => outdated([...ahead, ...past], { ...few, megabytes }, zone, now)
    assert.deepEqual(gone(1_000), [past[0], past[1]])
    assert.deepEqual(gone(3), [ahead[0], ahead[1], past[0], past[1]])
    assert.deepEqual(gone(1), [...ahead, ...past.slice(0, 3)])
  })

  it('are deleted oldest first', () => {
    const all = [3, 1, 2].map((night) => backup(monday + night * day))
    const gone = outdated(all, { daily: 1, weekly: 1, monthly: 1, megabytes: 1 }, zone, monday + 100 * day)
    assert.deepEqual(gone, [all[1], all[2]])
  })
})
