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
  'GET a reservation with a stay, first time': [8, 0, 0, 0, 0, 47, 119, 202],
  'GET a reservation with a stay, again': [0, 0, 0, 0, 0, 24, 51, 63],
  'GET a page of 10, by arrival, first time': [3, 0, 0, 0, 0, 37, 119, 354],
  'GET a page of 10, by arrival, again': [1, 0, 0, 0, 0, 36, 116, 333],
  'GET a reservation by confirmation number, first time': [9, 0, 0, 0, 0, 49, 178, 323],
  'GET a reservation by confirmation number, again': [2, 0, 0, 0, 0, 36, 121, 173],
  'GET a stay by externalId, first time': [5, 0, 0, 0, 0, 38, 126, 164],
  'GET a stay by externalId, again': [2, 0, 0, 0, 0, 36, 105, 129],
  'POST a reservation with a stay': [19, 13, 19912, 1, 2, 65, 256, 645],
  'POST a stay': [20, 13, 17816, 1, 2, 64, 258, 624],
  'PATCH a reservation': [10, 3, 5240, 1, 2, 47, 166, 289],
  'POST unit-assignment': [25, 7, 9432, 1, 2, 73, 266, 842],
  'PATCH check-in': [18, 9, 7336, 1, 2, 75, 275, 733],
  'POST record-payment': [17, 8, 13624, 1, 2, 52, 200, 433],
  'POST key: a card': [109, 19, 111240, 4, 8, 158, 748, 10380],
  'POST block: a lost card': [49, 3, 16480, 1, 2, 70, 261, 1765],
  'pull: nothing new': [46, 0, 0, 0, 2, 85, 314, 880],
  'pull: a new reservation': [125, 24, 36680, 4, 12, 136, 631, 3541],
  'pull: a changed reservation': [102, 8, 8384, 4, 12, 141, 624, 3674],
}

/**
 * What may be added: what goes on by the clock beside it, and how the ids of a run fall into pages. A write to the disk, a flush and
 * a message between threads are never added by chance.
 */
const headroom: Record<Measure, (count: number) => number> = {
  statements: (count) => Math.max(count + 2, count * 1.05),
  rows: (count) => (count === 0 ? 0 : count + 2),
  logBytes: (count) => count * 1.3,
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
