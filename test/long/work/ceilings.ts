import { beginsCommitsInNewBlocks } from '../../../src/store/disk/shared-blocks.ts'
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
  // Reads: the row by its index and the texts that are not cached in one statement. From the third time on, as long as
  // nothing is written, a document and a page need no statement.
  'GET a reservation with a stay, first time': [3, 0, 0, 0, 0, 36, 90, 107],
  'GET a reservation with a stay, again': [0, 0, 0, 0, 0, 29, 62, 75],
  'GET a page of 10, by arrival, first time': [2, 0, 0, 0, 0, 42, 147, 452],
  'GET a page of 10, by arrival, again': [0, 0, 0, 0, 0, 31, 79, 100],
  'GET a reservation by confirmation number, first time': [4, 0, 0, 0, 0, 43, 155, 223],
  'GET a reservation by confirmation number, again': [0, 0, 0, 0, 0, 31, 79, 101],
  'GET a stay by externalId, first time': [3, 0, 0, 0, 0, 43, 145, 192],
  'GET a stay by externalId, again': [0, 0, 0, 0, 0, 31, 76, 92],
  // A query finds the PMS for which a change is written down as an intent; a check-in and a key look for a double booking.
  // Writes: BEGIN, one INSERT for each row and each list item, the search texts, inventory nights, journal, the document of the answer,
  // COMMIT. The bytes are pages of 1 KiB: one for each table and index that is touched. One message goes to the writer and one back.
  'POST a reservation with a stay': [20, 12, 18864, 1, 2, 71, 281, 721],
  'POST a stay': [21, 12, 19912, 1, 2, 68, 282, 697],
  'PATCH a reservation': [10, 3, 3144, 1, 2, 52, 190, 351],
  'POST unit-assignment': [25, 7, 7336, 1, 2, 79, 296, 928],
  // A new status: the guards read the unit, its holders and the balance.
  'PATCH check-in': [19, 9, 9432, 1, 2, 80, 306, 832],
  'POST record-payment': [18, 8, 12576, 1, 2, 58, 229, 515],
  // A card: the intent, "about to write", and "verified, live" are each on the disk before the next step. On a slow machine the watch of the
  // devices looks meanwhile: 6 statements and 46 functions.
  'POST key: a card': [76, 17, 26200, 3, 6, 154, 670, 7688],
  'POST block: a lost card': [43, 3, 7336, 1, 2, 67, 229, 1097],
  // A PMS: the two directions of the link read what they may have to do; 13 statements apply a new reservation, 9 a changed one.
  'pull: nothing new': [40, 0, 0, 0, 0, 80, 265, 1060],
  'pull: a new reservation': [104, 24, 34584, 4, 10, 144, 656, 2972],
  'pull: a changed reservation': [84, 8, 11528, 4, 8, 137, 583, 2608],
}

/**
 * The addon of `npm run addon` writes three times as many bytes: 52,400 for a reservation with a stay, 20,960 for a unit assignment,
 * 73,360 for a card, 98,512 for a new reservation of a PMS. Each page takes the other three of its 4 KiB along, and each commit fills its last block.
 */
const logFactor = beginsCommitsInNewBlocks() ? 3 : 1

/**
 * What may be added: what goes on by the clock beside it, and how the ids of a run fall into pages. A write to the disk, a flush and
 * a message between threads are never added by chance.
 */
const headroom: Record<Measure, (count: number) => number> = {
  statements: (count) => Math.max(count + 2, count * 1.05),
  rows: (count) => (count === 0 ? 0 : count + 2),
  logBytes: (count) => (count === 0 ? 0 : logFactor * Math.max(count * 1.3, count + 3 * 1_048)),
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
