import type { Work } from './probe.ts'

export interface Counted extends Work {
  /** Bytes that reached the log of the database. */
  logBytes: number
}

export const measures = [
  'statements',
  'rows',
  'logBytes',
  'flushes',
  'messages',
  'files',
  'functions',
  'calls',
] as const

type Measure = (typeof measures)[number]

/**
 * What each piece of work cost when it was measured last, in the order of `measures`. A change that costs more than the headroom
 * fails. It either does less, or it raises the figures here and says in its commit what they buy.
 */
const measured: Record<string, readonly number[]> = {
  // Reads: the row by its index and the texts that are not cached in one statement. Again, as long as nothing is written, a
  // document and a page need no statement.
  'GET a reservation with a stay, first time': [4, 0, 0, 0, 0, 36, 93, 109],
  'GET a reservation with a stay, again': [0, 0, 0, 0, 0, 25, 51, 62],
  'GET a page of 10, by arrival, first time': [3, 0, 0, 0, 0, 39, 130, 378],
  'GET a page of 10, by arrival, again': [0, 0, 0, 0, 0, 29, 79, 108],
  'GET a reservation by confirmation number, first time': [5, 0, 0, 0, 0, 40, 160, 249],
  'GET a reservation by confirmation number, again': [0, 0, 0, 0, 0, 29, 77, 98],
  'GET a stay by externalId, first time': [5, 0, 0, 0, 0, 40, 137, 188],
  'GET a stay by externalId, again': [0, 0, 0, 0, 0, 29, 74, 89],
  // Writes: BEGIN, one INSERT for each row and each list item, the search texts, inventory nights, journal, the document of the answer,
  // COMMIT. The bytes are pages of 1 KiB: one for each table and index that is touched. One message goes to the writer and one back.
  'POST a reservation with a stay': [19, 13, 17816, 1, 2, 62, 252, 641],
  'POST a stay': [20, 13, 17816, 1, 2, 59, 253, 621],
  'PATCH a reservation': [10, 3, 3144, 1, 2, 44, 165, 291],
  'POST unit-assignment': [25, 7, 7336, 1, 2, 72, 271, 905],
  // A new status: the guards read the unit, its holders and the balance.
  'PATCH check-in': [19, 9, 7336, 1, 2, 72, 277, 735],
  'POST record-payment': [17, 8, 13624, 1, 2, 49, 200, 435],
  // A card: the intent, "about to write", and "verified, live" are each on the disk before the next step.
  'POST key: a card': [72, 17, 25152, 3, 6, 141, 623, 7564],
  'POST block: a lost card': [44, 3, 4192, 1, 2, 61, 212, 1062],
  // A PMS: the marks of the link, and for each reservation its record, its last agreed state, and the write of a stay.
  'pull: nothing new': [44, 0, 0, 0, 2, 84, 314, 944],
  'pull: a new reservation': [115, 23, 34584, 4, 12, 135, 608, 3372],
  'pull: a changed reservation': [102, 8, 8384, 4, 12, 143, 648, 3926],
}

/**
 * What may be added: what goes on by the clock beside it, and how the ids of a run fall into pages. A write to the disk, a flush and
 * a message between threads are never added by chance.
 */
const headroom: Record<Measure, (count: number) => number> = {
  statements: (count) => Math.max(count + 2, count * 1.05),
  rows: (count) => (count === 0 ? 0 : count + 2),
  logBytes: (count) => (count === 0 ? 0 : Math.max(count * 1.3, count + 3 * 1_048)),
  flushes: (count) => count,
  messages: (count) => count,
  files: (count) => count + 4,
  functions: (count) => Math.max(count + 10, count * 1.05),
  calls: (count) => Math.max(count + 30, count * 1.15),
}

/** How much of each measure a piece of work may cost. Throws for one that was never measured. */
export function ceilingOf(name: string): Record<Measure, number> {
  const counts = measured[name]
  if (!counts) throw new RangeError(`ceilings.ts says nothing about "${name}".`)
  return Object.fromEntries(
    measures.map((measure, at) => [measure, Math.floor(headroom[measure](counts[at]!))]),
  ) as Record<Measure, number>
}
