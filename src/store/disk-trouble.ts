import { Problem, type ProblemCode } from '../resource/problem.ts'

/** What can keep a disk from its work. `hanging`: a write was begun, and nobody knows when it ends. */
type TroubleKind = 'full' | 'read-only' | 'failing' | 'damaged' | 'hanging'

export interface Trouble {
  is: TroubleKind
  /** What SQLite calls it, for the log. */
  code: string
}

const kinds: [code: RegExp, is: TroubleKind][] = [
  [/^SQLITE_FULL$/, 'full'],
  [/^SQLITE_READONLY/, 'read-only'],
  // Of the search index alone, which is made anew.
  [/^SQLITE_CORRUPT_VTAB$/, 'failing'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'damaged'],
  [/^SQLITE_(IOERR|CANTOPEN)/, 'failing'],
]

/** What an error of SQLite's says of the disk; null for any other. */
export function troubleIn(error: unknown): Trouble | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [, is] = kinds.find(([pattern]) => pattern.test(code)) ?? []
  return is ? { is, code } : null
}

const words: Record<TroubleKind, [code: ProblemCode, happened: string, toDo: string]> = {
  full: ['storage-full', 'The disk is full: nothing was written.', 'Free some space.'],
  'read-only': [
    'storage-read-only',
    'The disk of the data folder takes no writes: nothing was written.',
    'It may be worn out. Replace it, and restore the newest backup with "nightporter restore FILE"; download it first where it lies on this disk.',
  ],
  failing: [
    'storage-failing',
    'The disk of the data folder fails: nothing was written.',
    'Download the newest backup where it lies on this disk, replace the disk, and restore it with "nightporter restore FILE".',
  ],
  damaged: [
    'storage-damaged',
    'The database is damaged.',
    'Stop the appliance, restore the newest backup with "nightporter restore FILE", and start it again.',
  ],
  hanging: [
    'storage-failing',
    'The disk of the data folder does not answer: it is not known yet whether this was written.',
    'When it stays so, replace the disk, and restore the newest backup with "nightporter restore FILE".',
  ],
}

/** What somebody is answered whose request it kept from being done. */
export function problemOf({ is }: Trouble): Problem {
  const [code, happened, toDo] = words[is]
  const meta = { retryAfterSeconds: 30, ...(is === 'hanging' && { outcomeUnknown: true }) }
  return new Problem(code, `${happened} ${toDo}`, { meta })
}

/** What somebody who looks after the appliance should do. */
export function remedyOf({ is }: Trouble): string {
  const [, happened, toDo] = words[is]
  const [what] = happened.split(': ')
  return `${what!.replace(/\.$/, '')}. ${toDo}`
}

/** Whether somebody was answered so already, and the disk's trouble was told with it. */
export function isOfDisk(error: unknown): boolean {
  return error instanceof Problem && Object.values(words).some(([code]) => code === error.code)
}
