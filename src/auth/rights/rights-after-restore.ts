import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../resource/command.ts'
import type { Field, Fields } from '../../resource/field.ts'
import type { Resource, Row } from '../../resource/resource.ts'
import { keepName } from '../keep-name.ts'
import { account } from '../resources/account.ts'
import { station } from '../resources/station.ts'
import { token } from '../resources/token.ts'
import { endAllSessions } from '../sessions/session-commands.ts'
import { type RightKind, rightKinds, rightToConfirm } from './right-to-confirm.ts'

/** The resource of each kind of right. */
export const rightResources: Readonly<Record<RightKind, Resource>> = { token, account, station }

/** The rows of each kind, with their secrets as they are stored. */
export type Rights = Record<RightKind, readonly Row[]>

/** The greatest number of rows of each kind. */
const most = 10_000

/** What is known about the time after the backup. */
export interface SinceBackup {
  /** The rights of the database that the restore replaced, which went on from the backup; null when there is none. */
  latest: Rights | null
  /** Whether nothing can have been ended: the box handed the property over before the backup. */
  isWhole: boolean
}

/**
 * Ends in restored data what had been ended after the backup, in the transaction of a command. All sessions end. Tokens,
 * accounts and stations become those of `latest`: what was revoked, disabled or changed since stays so, and what was made since
 * stays. Without, each right that the backup brought back is to be confirmed. Returns how many. `takenAt` is the time of the
 * backup, Unix milliseconds.
 */
export function rightsAfterRestore(tx: Transaction, takenAt: number, since: SinceBackup): number {
  endAllSessions(tx)
  for (const { id } of tx.select(rightToConfirm, [], [], 3 * most)) tx.remove(rightToConfirm, id)
  const isKnown = since.isWhole || replaceAll(tx, since.latest)
  let count = 0
  for (const kind of rightKinds)
    for (const { id: rightId, name, refusedAt } of tx.select(rightResources[kind], [], [], most)) {
      const right = { kind, name: String(name), rightId }
      if (typeof refusedAt === 'number')
        tx.insert(rightToConfirm, { ...right, reason: 'maker', since: refusedAt })
      else if (!isKnown) {
        tx.insert(rightToConfirm, { ...right, reason: 'restored', since: takenAt })
        count++
      }
    }
  return count
}

/**
 * Makes the rights those of `latest`. False without, and where it cannot be done: a box must start whatever a database
 * holds, and then has each right confirmed.
 */
function replaceAll(tx: Transaction, latest: Rights | null): boolean {
  if (!latest) return false
  try {
    tx.part((part) => {
      for (const kind of rightKinds) replace(part, rightResources[kind], latest[kind])
    })
    return true
  } catch {
    return false
  }
}

/** Makes the rows of a resource those of `latest`. */
function replace(tx: Transaction, of: Resource, latest: readonly Row[]): void {
  const stored = storedFields(of.fields)
  const wanted = new Map(latest.map((row) => [row.id, row]))
  const changed: Row[] = []
  for (const row of tx.select(of, [], [], most)) {
    const now = wanted.get(row.id)
    wanted.delete(row.id)
    if (!now) {
      tx.remove(of, row.id)
      keepName(tx, { id: row.id, name: String(row.name) })
    } else if (!isDeepStrictEqual(remarked(of.fields, row, stored), remarked(of.fields, now, stored)))
      changed.push(now)
  }
  // Two may have exchanged a name: no row has one of those that are unique before each gets its own.
  const unique = stored.filter((name) => name !== 'name' && of.fields[name]?.options.unique)
  const free = Object.fromEntries(unique.map((name) => [name, null]))
  for (const { id } of changed) tx.patch(of, id, { ...free, name: id })
  for (const row of changed) tx.patch(of, row.id, valuesOf(row, stored))
  for (const row of wanted.values()) tx.insert(of, valuesOf(row, stored), row.id)
}

function storedFields(fields: Fields): string[] {
  return Object.entries<Field>(fields).flatMap(([name, { options }]) => (options.computed ? [] : [name]))
}

function valuesOf(row: Row, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
}

/** The values without those that change with each use. */
function remarked(fields: Fields, row: Row, names: readonly string[]): Record<string, unknown> {
  return valuesOf(
    row,
    names.filter((name) => !fields[name]?.options.unremarked),
  )
}
