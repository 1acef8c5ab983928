import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../resource/command.ts'
import type { Field, Fields } from '../../resource/field.ts'
import type { Resource, Row } from '../../resource/resource.ts'
import { account } from '../accounts/account.ts'
import { keepName } from '../keep-name.ts'
import { endAllSessions } from '../sessions/session-commands.ts'
import { station } from '../sessions/station.ts'
import { token } from '../tokens/token.ts'
import { type RightKind, rightKinds, rightToConfirm } from './right-to-confirm.ts'

/** The resource of each kind of right. */
export const rightResources: Readonly<Record<RightKind, Resource>> = { token, account, station }

/** The rows of each kind, with their secrets as they are stored. */
export type Rights = Record<RightKind, readonly Row[]>

/** The greatest number of rows of each kind. */
const most = 10_000

/**
 * Ends in restored data what had been ended after the backup, in the transaction of a command. All sessions end. With `latest`,
 * the rights of the database that the restore replaced, tokens, accounts and stations are those: what was revoked, disabled
 * or changed since stays so, and what was made since stays. Without, the box does not know what was ended: each right
 * that the backup brought back is to be confirmed. Returns how many. `takenAt` is the time of the backup, Unix milliseconds.
 */
export function rightsAfterRestore(tx: Transaction, takenAt: number, latest: Rights | null): number {
  endAllSessions(tx)
  for (const { id } of tx.select(rightToConfirm, [], [], 3 * most)) tx.remove(rightToConfirm, id)
  if (latest) for (const kind of rightKinds) replace(tx, rightResources[kind], latest[kind])
  let count = 0
  for (const kind of rightKinds)
    for (const { id: rightId, name, refusedAt } of tx.select(rightResources[kind], [], [], most)) {
      const right = { kind, name: String(name), rightId }
      if (typeof refusedAt === 'number')
        tx.insert(rightToConfirm, { ...right, reason: 'maker', since: refusedAt })
      else if (!latest) {
        tx.insert(rightToConfirm, { ...right, reason: 'restored', since: takenAt })
        count++
      }
    }
  return count
}

/** Makes the rows of a resource those of `latest`. Rows that differ are removed first: two may have exchanged a name. */
function replace(tx: Transaction, of: Resource, latest: readonly Row[]): void {
  const stored = storedFields(of.fields)
  const wanted = new Map(latest.map((row) => [row.id, row]))
  for (const row of tx.select(of, [], [], most)) {
    const now = wanted.get(row.id)
    if (now && isDeepStrictEqual(remarked(of.fields, row, stored), remarked(of.fields, now, stored)))
      wanted.delete(row.id)
    else {
      tx.remove(of, row.id)
      if (!now) keepName(tx, { id: row.id, name: String(row.name) })
    }
  }
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
