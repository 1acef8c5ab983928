import Database from 'better-sqlite3'
import { memoized } from '../../host/memoized.ts'
import type { Field, Fields } from '../../resource/field.ts'
import type { Resource } from '../../resource/resource.ts'
import { lineBuffer } from '../line-buffer.ts'
import type { Prepare } from '../statements.ts'
import { fold } from './filter.ts'

type Attributes = Record<string, unknown>

/** The length of a trigram. A shorter text is not indexed. */
const gram = 3
/**
 * The largest number of trigrams in one query, spread over the text. Each costs time, and few rows contain
 * all of them.
 */
const mostGrams = 6
const space = 2 ** 40

/** A field whose texts are indexed, with its number in the index. */
interface Searched {
  number: number
  name: string
  /** The member of each item, when the field is a list. */
  member: string | null
  /** Returns the text that is compared. */
  searched(text: string): string
}

/**
 * The largest number of letters that wait for the index. FTS5 would rewrite its pages for each single text,
 * so texts are indexed together. While they are indexed, other commands wait: 10 ms for 16,000 letters, which 200 creates bring.
 */
const mostPending = 40_000
const enoughToSettle = 16_000

/**
 * Of an entry's pending lines, the first holds the text to remove, and the last holds the text to add.
 */
const takenOut = 'SELECT min(rowid), place, text, gone FROM search_pending GROUP BY place HAVING gone'
const putIn = 'SELECT max(rowid), place, text, gone FROM search_pending GROUP BY place HAVING NOT gone'
/** FTS5 writes everything at once when the lines have this order. */
const settling = `INSERT INTO search (search, rowid, text)
  SELECT iif(gone, 'delete', NULL), place, text FROM (${takenOut} UNION ALL ${putIn}) ORDER BY place, gone DESC`
const addingAlone = `INSERT INTO search (rowid, text) SELECT place, text FROM (${putIn}) ORDER BY place`

export type SearchIndex = ReturnType<typeof searchIndex>

/**
 * Keeps the texts of `search` fields in the full-text index. The key of an entry is field number times 2^40
 * plus row number.
 * New texts first go to the pending log, which searches read as well, until there are enough of them. The
 * index does not store the texts, and FTS5 needs the old text to remove an entry, so removed texts wait in
 * the log too. Until then, the index still yields such rows as candidates; the query compares each candidate
 * with the row.
 */
export function searchIndex(prepare: Prepare) {
  /** The number of letters in the log; null when it is not known. */
  let pending: number | null = null
  const log = lineBuffer(prepare, 'search_pending (place, text, gone)', 3)

  /**
   * Logs the texts of a row that has changed, with one statement. A new row had no attributes before, and a
   * deleted row has none after.
   */
  function update(resource: Resource, rid: number, before: Attributes, after: Attributes): void {
    const lines: [place: number, text: string, gone: 0 | 1][] = []
    let letters = 0
    for (const field of searchedOf(resource)) {
      const [old, now] = [textOf(field, before), textOf(field, after)]
      if (old === now) continue
      const place = firstOf(field.number) + rid
      if (old.length >= gram) lines.push([place, old, 1])
      if (now.length >= gram) lines.push([place, now, 0])
      letters += old.length + now.length
    }
    if (lines.length === 0) return
    // What is settled in a part of a command would be lost with it.
    if (!log.isHeld() && count() + letters > mostPending) settle()
    pending = count() + letters
    log.add(lines)
  }

  function count(): number {
    if (pending === null) {
      const logged = prepare('SELECT coalesce(sum(length(text)), 0) FROM search_pending').pluck().get()
      pending = log.waiting().reduce((sum, [, text]) => sum + String(text).length, Number(logged))
    }
    return pending
  }

  /** Applies the log to the index, in the open transaction. */
  function settle(): void {
    try {
      prepare(settling).run()
    } catch (error) {
      // The index does not contain an entry that is to be removed, so it is damaged. The new texts are added all the same.
      // An entry that stays behind only yields useless candidates.
      if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CORRUPT_VTAB') throw error
      prepare(addingAlone).run()
    }
    prepare('DELETE FROM search_pending').run()
    pending = 0
  }

  /** A rollback can bring back lines that were already applied. */
  function forgetCount(): void {
    pending = null
  }

  return { log, update, settle, forgetCount, hasMuch: () => count() >= enoughToSettle }
}

/** The first key of a field in the index. The first key of the next field ends the range. */
export function firstOf(number: number): number {
  return number * space
}

/**
 * Returns the FTS5 query for texts that may contain this text; null when the text is too short for the index.
 */
export function trigramsOf(text: string): string | null {
  const letters = Array.from(fold(text))
  const all = letters.slice(gram - 1).map((_, at) => letters.slice(at, at + gram).join(''))
  // FTS5 reads a query only up to the first NUL.
  const grams = all.filter((each) => !each.includes('\0'))
  const stride = Math.max(1, (grams.length - 1) / (mostGrams - 1))
  const some = new Set(
    grams.filter((_, at) => at === 0 || Math.floor(at / stride) > Math.floor((at - 1) / stride)),
  )
  return some.size === 0 ? null : [...some].map((each) => `"${each.replaceAll('"', '""')}"`).join(' AND ')
}

function textOf({ name, member, searched }: Searched, { [name]: value }: Attributes): string {
  if (value === undefined || value === null) return ''
  if (member === null) return searched(String(value))
  return searched((value as Attributes[]).map((item) => item[member] ?? '').join('\n'))
}

const searchedOf = memoized(({ fields }: Resource): Searched[] =>
  Object.entries(fields as Fields).flatMap(([name, field]) => [
    ...searchedIn(field, name, null),
    ...Object.entries(field.members ?? {}).flatMap(([member, each]) => searchedIn(each, name, member)),
  ]),
)

function searchedIn({ options }: Field, name: string, member: string | null): Searched[] {
  const { search, like } = options
  return search === undefined ? [] : [{ number: search, name, member, searched: like?.text ?? fold }]
}
