import { detailOrEnglish } from '../../jsonapi/locales/detail.ts'
import type { Language } from '../../jsonapi/locales/language.ts'
import type { Progress } from '../progress.ts'
import type { NewerChanges } from './newer-changes.ts'
import { type RestoreRecord, readRecord } from './restore-record.ts'
import type { Phase } from './restores.ts'

/** The part of a restore's document that only a running appliance knows. */
export interface Going {
  phase: Phase | null
  progress: Progress | null
  /** The number of uploaded bytes so far; null without an upload. */
  received: number | null
  losses: NewerChanges | null
}

const idle: Going = { phase: null, progress: null, received: null, losses: null }

/** Returns the document of a restore, with its problem in a language. */
export function documentOf(
  record: RestoreRecord,
  language: Language,
  { phase, progress, received, losses }: Going = idle,
) {
  const { id, contents, log, problem, ...more } = record
  const attributes = {
    ...more,
    problem: problem && detailOrEnglish(language, 'restore-refused', problem),
    phase,
    bytes: progress?.bytes ?? received,
    bytesPerSecond: progress?.bytesPerSecond ?? null,
    secondsLeft: progress?.secondsLeft ?? null,
    contents,
    losses,
    log,
  }
  return { type: 'restore', id, attributes }
}

/**
 * Returns the document for a GET of this URL from the record on the disk; null for any other URL. It needs no open
 * store.
 */
export function restoreText(data: string, url: string, language: Language): string | null {
  const [, id] = /^\/api\/config\/v1\/restores\/([0-9a-f]{32})$/.exec(url) ?? []
  const record = id === undefined ? null : readRecord(data)
  return record?.id === id && record ? JSON.stringify({ data: documentOf(record, language) }) : null
}
