import { Problem, type ProblemCode } from '../../resource/problem.ts'

/** Why the disk cannot be used. `hanging`: a write has started and it is not known when it ends. */
type TroubleKind = 'full' | 'read-only' | 'failing' | 'damaged' | 'hanging'

export interface Trouble {
  is: TroubleKind
  /** The SQLite error code, for the log. */
  code: string
}

const kinds: [code: RegExp, is: TroubleKind][] = [
  [/^SQLITE_FULL$/, 'full'],
  [/^SQLITE_READONLY/, 'read-only'],
  // Only the search index is damaged, and it can be rebuilt.
  [/^SQLITE_CORRUPT_VTAB$/, 'failing'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'damaged'],
  [/^SQLITE_(IOERR|CANTOPEN)/, 'failing'],
]

/** Returns the trouble of the disk that an SQLite error reports; null for any other error. */
export function troubleIn(error: unknown): Trouble | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [, is] = kinds.find(([pattern]) => pattern.test(code)) ?? []
  return is ? { is, code } : null
}

const words: Record<TroubleKind, [code: ProblemCode, happened: string, toDo: string]> = {
  full: ['storage-full', 'The disk is full. Nothing was written.', 'Free some space.'],
  'read-only': [
    'storage-read-only',
    'The disk of the data folder is read-only. Nothing was written.',
    'It may be worn out. Replace it, and restore the newest backup with "nightporter restore FILE"; if the backup is on this disk, download it first.',
  ],
  failing: [
    'storage-failing',
    'The disk of the data folder is failing. Nothing was written.',
    'If the newest backup is on this disk, download it. Replace the disk, and restore the backup with "nightporter restore FILE".',
  ],
  damaged: [
    'storage-damaged',
    'The database is damaged. Nothing can be read or written safely.',
    'Stop the appliance, restore the newest backup with "nightporter restore FILE", and start it again.',
  ],
  hanging: [
    'storage-failing',
    'The disk of the data folder does not answer. It is not known yet whether this was written.',
    'If this persists, replace the disk, and restore the newest backup with "nightporter restore FILE".',
  ],
}

/** The Problem for a request that failed because of the disk. */
export function problemOf({ is }: Trouble): Problem {
  const [code, happened, toDo] = words[is]
  const meta = { retryAfterSeconds: 30, ...(is === 'hanging' && { outcomeUnknown: true }) }
  return new Problem(code, `${happened} ${toDo}`, { meta })
}

/** What the operator should do about the disk: the cause and the remedy, in one text. */
export function remedyOf({ is }: Trouble): string {
  const [, happened, toDo] = words[is]
  const [what] = happened.split(': ')
  return `${what!.replace(/\.$/, '')}. ${toDo}`
}

/** Whether the error is a Problem about the disk. Such trouble has already been reported. */
export function isOfDisk(error: unknown): boolean {
  return error instanceof Problem && Object.values(words).some(([code]) => code === error.code)
}
