import Database from 'better-sqlite3'
import type { Field, Fields } from '../resource/fields.ts'
import type { Resource } from '../resource/resource.ts'
import { fold } from './filter.ts'
import { onceForEach } from './once-for-each.ts'
import type { Attributes } from './row-writer.ts'
import type { statements } from './statements.ts'

/** Letters that are looked up together; a shorter text is in no index. */
const gram = 3
/** Grams of a text that are looked up, from all over it: each costs time, and rows that have all of these are few. */
const mostGrams = 6
const space = 2 ** 40

/** A field whose texts are in the index, by its number there. */
interface Searched {
  number: number
  textOf(attributes: Attributes): string
}

/**
 * Letters that wait to be put into the index together: text by text they would write over its pages again and again. Each
 * takes its time, and whoever writes meanwhile waits for all of them.
 */
const mostPending = 40_000
const enoughToSettle = 4_000

/** The first line about a place takes out what the index has there; the last one puts in what it is to have. */
const takenOut = 'SELECT min(rowid), place, text, gone FROM search_pending GROUP BY place HAVING gone'
const putIn = 'SELECT max(rowid), place, text, gone FROM search_pending GROUP BY place HAVING NOT gone'
/** In this order FTS5 writes all of it at once. */
const settling = `INSERT INTO search (search, rowid, text)
  SELECT iif(gone, 'delete', NULL), place, text FROM (${takenOut} UNION ALL ${putIn}) ORDER BY place, gone DESC`
const addingAlone = `INSERT INTO search (rowid, text) SELECT place, text FROM (${putIn}) ORDER BY place`

export type SearchIndex = ReturnType<typeof searchIndex>

/**
 * Keeps the texts of `search` fields in the full-text index, each under its field's number and its row's. A new text waits
 * in a log of its own, where it is found as well, until there are enough for the index. What was put into that is not
 * kept: to take a text out, the same text has to be said, so it waits in the log, too. Until then it is found in vain: what is
 * found is compared with the row.
 */
export function searchIndex(prepare: ReturnType<typeof statements>) {
  /** How many letters wait; null when that is not known. */
  let pending: number | null = null

  function put(resource: Resource, rid: number, after: Attributes): void {
    for (const { number, textOf } of searchedOf(resource)) log(number, rid, textOf(after), 0)
  }

  function replace(resource: Resource, rid: number, before: Attributes, after: Attributes): void {
    for (const { number, textOf } of searchedOf(resource)) {
      const [old, now] = [textOf(before), textOf(after)]
      if (old === now) continue
      log(number, rid, old, 1)
      log(number, rid, now, 0)
    }
  }

  function drop(resource: Resource, rid: number, before: Attributes): void {
    for (const { number, textOf } of searchedOf(resource)) log(number, rid, textOf(before), 1)
  }

  function log(number: number, rid: number, text: string, gone: 0 | 1): void {
    if (text.length < gram) return
    pending = count() + text.length
    if (pending > mostPending) settle()
    prepare('INSERT INTO search_pending (place, text, gone) VALUES (?, ?, ?)').run(
      firstOf(number) + rid,
      text,
      gone,
    )
  }

  function count(): number {
    pending ??= prepare('SELECT coalesce(sum(length(text)), 0) FROM search_pending').pluck().get() as number
    return pending
  }

  /** Brings the index up to the log, in the transaction that is open. */
  function settle(): void {
    try {
      prepare(settling).run()
    } catch (error) {
      // Where more is to be taken out than is there, the index is wrong; what is left in it is found in vain, and all goes on.
      if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CORRUPT_VTAB') throw error
      prepare(addingAlone).run()
    }
    prepare('DELETE FROM search_pending').run()
    pending = null
  }

  /** What was settled in a change that was taken back waits again. */
  function rolledBack(): void {
    pending = null
  }

  return { put, replace, drop, settle, rolledBack, hasMuch: () => count() >= enoughToSettle }
}

/** Where the rows of a field begin in the index; those of the next end them. */
export function firstOf(number: number): number {
  return number * space
}

/** What the index is asked for texts that may contain this one; null when it is too short to be asked for. */
export function gramsOf(text: string): string | null {
  const letters = Array.from(fold(text))
  const all = letters.slice(gram - 1).map((_, at) => letters.slice(at, at + gram).join(''))
  // Where it meets a NUL, FTS5 would see the end of what it is asked.
  const grams = all.filter((each) => !each.includes('\0'))
  const stride = Math.max(1, (grams.length - 1) / (mostGrams - 1))
  const some = new Set(
    grams.filter((_, at) => at === 0 || Math.floor(at / stride) > Math.floor((at - 1) / stride)),
  )
  return some.size === 0 ? null : [...some].map((each) => `"${each.replaceAll('"', '""')}"`).join(' ')
}

const searchedOf = onceForEach(({ fields }): Searched[] =>
  Object.entries(fields as Fields).flatMap(([name, field]) => [
    ...searchedIn(field, ({ [name]: value }) => (value === undefined || value === null ? [] : [value])),
    ...Object.entries(field.members ?? {}).flatMap(([member, each]) =>
      searchedIn(each, ({ [name]: items }) =>
        ((items ?? []) as Attributes[]).map((item) => item[member] ?? ''),
      ),
    ),
  ]),
)

function searchedIn({ options }: Field, valuesOf: (attributes: Attributes) => unknown[]): Searched[] {
  const { search } = options
  return search === undefined
    ? []
    : [{ number: search, textOf: (attributes) => fold(valuesOf(attributes).join('\n')) }]
}
