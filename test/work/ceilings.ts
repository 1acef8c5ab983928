import { beginsCommitsInNewBlocks } from '../../src/store/disk/shared-blocks.ts'
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
] as const

type Measure = (typeof measures)[number]

/**
 * What each piece of work cost when it was measured last, in the order of `measures`. A change that costs more than the headroom
 * fails. It either does less, or it raises the figures here and says in its commit what they buy.
 */
const measured: Record<string, readonly number[]> = {
  // Reads: the row by its index and the texts that are not cached in one statement. As long as nothing is written, a document and a page
  // that were asked for before need no statement.
  'GET a reservation with a stay, first time': [3, 0, 0, 0, 0, 50, 110],
  'GET a reservation with a stay, again': [0, 0, 0, 0, 0, 43, 82],
  'GET a page of 10, by arrival, first time': [3, 0, 0, 0, 0, 55, 177],
  'GET a page of 10, by arrival, again': [0, 0, 0, 0, 0, 43, 98],
  'GET a reservation by confirmation number, first time': [4, 0, 0, 0, 0, 55, 183],
  'GET a reservation by confirmation number, again': [0, 0, 0, 0, 0, 44, 99],
  'GET a stay by externalId, first time': [4, 0, 0, 0, 0, 59, 213],
  'GET a stay by externalId, again': [0, 0, 0, 0, 0, 42, 94],
  // Writes: BEGIN, one INSERT for each row and each list item, the search texts, inventory nights, journal, the document of the answer,
  // COMMIT. The bytes are pages of 1 KiB: one for each table and index that is touched. One message goes to the writer and one back.
  'POST a reservation with a stay': [21, 13, 23056, 1, 2, 90, 334],
  'POST a stay': [21, 12, 16768, 1, 2, 96, 378],
  'PATCH a reservation': [10, 3, 3144, 1, 2, 66, 216],
  'POST unit-assignment': [25, 7, 7336, 1, 2, 98, 384],
  // A new status: the guards read the unit, its holders and the balance. The keys of the unit are one statement for each lock system, and
  // one more finds those that may return, however many its lock has had.
  'PATCH check-in': [29, 9, 7336, 1, 2, 106, 440],
  'POST record-payment': [18, 8, 10480, 1, 2, 74, 266],
  // A card: the intent, "about to write", and "verified, live" are each on the disk before the next step. Its door is read with the
  // request, with the intent and before it is live: it may have changed meanwhile.
  'POST key: a card': [70, 19, 31440, 3, 6, 175, 855],
  'POST block: a lost card': [16, 3, 5240, 1, 2, 89, 309],
  // A PMS: the two directions of the link read what they may have to do, and which pages were put aside; 15 to 17 statements apply a new reservation, 9 a changed one.
  'pull: nothing new': [40, 0, 0, 0, 3, 117, 435],
  'pull: a new reservation': [85, 23, 32488, 4, 8, 177, 870],
  'pull: a changed reservation': [67, 8, 8384, 4, 8, 170, 789],
}

/**
 * The addon of `npm run addon` writes three times as many bytes: 52,400 for a reservation with a stay, 20,960 for a unit assignment,
 * 73,360 for a card, 98,512 for a new reservation of a PMS. Each page takes the other three of its 4 KiB along, and each commit fills its last block.
 */
const logFactor = beginsCommitsInNewBlocks() ? 3 : 1

/**
 * What may be added: how the ids of a run fall into pages and into an order, and whether two writes are noticed together or one after the
 * other. A row, a write to the disk and a flush are never added by chance.
 */
const headroom: Record<Measure, (count: number) => number> = {
  statements: (count) => (count === 0 ? 0 : Math.max(count + 2, count * 1.05)),
  rows: (count) => count,
  logBytes: (count) => (count === 0 ? 0 : logFactor * Math.max(count * 1.3, count + 3 * 1_048)),
  flushes: (count) => count,
  messages: (count) => (count === 0 ? 0 : count + 1),
  files: (count) => count + 4,
  functions: (count) => Math.max(count + 10, count * 1.05),
}

/** The pieces of work that have figures. */
export const names = Object.keys(measured)

/** The counts that are greater than a piece of work may cost, such as "41 statements, 37 at most". Throws for one without figures. */
export function overLimit(name: string, counts: Counted, of: readonly Measure[]): string[] {
  const figures = measured[name]
  if (!figures) throw new RangeError(`ceilings.ts says nothing about "${name}".`)
  return of.flatMap((measure) => {
    const most = Math.floor(headroom[measure](figures[measures.indexOf(measure)]!))
    return counts[measure] > most ? [`${counts[measure]} ${measure}, ${most} at most`] : []
  })
}
