import { Problem, type ProblemCode } from '../../resource/problem.ts'

/**
 * Why the disk cannot be used. `unreadable`: SQLite could not read a part of the database, or found it malformed. SQLite
 * reports a read error of the disk in the same way as damage, so only `troubleOf` in `damage.ts` finds `damaged`. `hanging`: a
 * write has started and it is not known when it ends.
 */
type TroubleKind = 'full' | 'read-only' | 'failing' | 'unreadable' | 'damaged' | 'hanging'

export interface Trouble {
  is: TroubleKind
  /** The SQLite error code, or what a check has found, for the log. */
  code: string
}

const kinds: [code: RegExp, is: TroubleKind][] = [
  [/^SQLITE_FULL$/, 'full'],
  [/^SQLITE_READONLY/, 'read-only'],
  // Only the search index is damaged, and it can be rebuilt.
  [/^SQLITE_CORRUPT_VTAB$/, 'failing'],
  [/^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|CORRUPTFS))/, 'unreadable'],
  [/^SQLITE_(IOERR|CANTOPEN)/, 'failing'],
]

/** Returns the trouble of the disk that an SQLite error reports; null for any other error. Never `damaged`. */
export function troubleIn(error: unknown): Trouble | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [, is] = kinds.find(([pattern]) => pattern.test(code)) ?? []
  return is ? { is, code } : null
}

const ofFiles: Record<string, TroubleKind> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EIO: 'failing',
  EINTR: 'failing',
}

/** Returns the trouble of the disk that an error of the operating system reports when a file is written; null for any other error. */
export function fileTroubleIn(error: unknown): Trouble | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const is = ofFiles[code]
  return is ? { is, code } : null
}

/** What happened, what it means and what to do. What loses data comes last. */
const words: Record<TroubleKind, [code: ProblemCode, text: string]> = {
  full: ['storage-full', 'The disk is full. Nothing was written. Free some space.'],
  'read-only': [
    'storage-read-only',
    'The disk of the data folder is read-only. Nothing was written. Download the newest backup if it is on this disk, and restart the box. If the disk stays read-only, it may be worn out: last, replace it, and restore the backup in the set-up of the new one (/setup). What was changed since the backup is lost then.',
  ],
  failing: [
    'storage-failing',
    'The disk of the data folder is failing. Nothing was written. The appliance tries again every few seconds. If this persists, check the power and the cable of the disk, and download the newest backup if it is on this disk. Last, replace the disk, and restore the backup in the set-up of the new one (/setup): what was changed since the backup is lost then.',
  ],
  unreadable: [
    'storage-failing',
    'The disk of the data folder could not read a part of the database. Nothing was written. The appliance checks the whole database until it can be read, and says so if it is damaged. If this persists, check the power and the cable of the disk, and download the newest backup if it is on this disk. Last, replace the disk, and restore the backup in the set-up of the new one (/setup): what was changed since the backup is lost then.',
  ],
  damaged: [
    'storage-damaged',
    'The database is damaged: two checks of the whole file have found it. Requests that need the damaged part fail. The check is repeated every ten minutes. Download the newest backup, copy the data folder to another disk, and check the power and the cable of the disk. Last, stop the appliance, restore the backup with "nightporter restore FILE --data FOLDER", and start it again: what was changed since the backup is lost then.',
  ],
  hanging: [
    'storage-failing',
    'The disk of the data folder does not answer. It is not known yet whether this was written. If this persists, check the power and the cable of the disk, and restart the box. Last, replace the disk, and restore the newest backup in the set-up of the new one (/setup): what was changed since the backup is lost then.',
  ],
}

/** The Problem for a request that failed because of the disk. */
export function problemOf({ is }: Trouble): Problem {
  const [code, text] = words[is]
  const meta = { retryAfterSeconds: 30, ...(is === 'hanging' && { outcomeUnknown: true }) }
  return new Problem(code, text, { meta })
}

/** What the operator should do about the disk: the cause and the remedy, in one text. */
export function remedyOf({ is }: Trouble): string {
  return words[is][1]
}

/** Whether the error is a Problem about the disk. Such trouble has already been reported. */
export function isOfDisk(error: unknown): boolean {
  return error instanceof Problem && Object.values(words).some(([code]) => code === error.code)
}
