import { isDeepStrictEqual } from 'node:util'
import type { Reader } from '../resource/keeper.ts'
import type { Own } from './ask-own.ts'
import type { Found } from './check-item.ts'

/** One difference between a document and the property. */
export interface Change {
  /** The place in the document, such as `/encoders/0`. */
  path: string
  action: 'create' | 'update' | 'map'
  /** What is made or changed. */
  names: string[]
  /** The fields that differ, of an update. */
  fields: string[]
}

/** The one-time code with which a new member of the staff sets password and passcode. */
export interface StaffCode {
  name: string
  code: string
  /** ISO 8601. */
  codeEndsAt: string
}

/** How a document is applied: to the store itself, or in a trial to a scratch store. */
export interface Means {
  reader: Reader
  /** Asks a route; in a trial, without effect. */
  ask: Own
  /** Writes to the store of `reader`. */
  write: Own
  trial: boolean
}

export interface Applying extends Means {
  changes: Change[]
  codes: StaffCode[]
  /** Collects problems below a path of the document, in a trial; otherwise throws them, where there are any. */
  refuse(found: Found, path: string): void
}

/** Whether a stored value is the given one. Members that are null, and empty lists, count as absent. */
export function isSame(given: unknown, stored: unknown): boolean {
  return isDeepStrictEqual(reduced(given), reduced(stored))
}

function reduced(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(reduced)
  if (typeof value !== 'object' || value === null) return value ?? null
  const present = Object.entries(value)
    .map(([name, each]) => [name, reduced(each)] as const)
    .filter(([, each]) => each !== null)
  return present.length === 0 ? null : Object.fromEntries(present.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
