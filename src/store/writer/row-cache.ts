import type { Fields } from '../../resource/field.ts'
import type { Resource, Row } from '../../resource/resource.ts'
import { perResource } from '../per-resource.ts'

const mostSeen = 1_000

/**
 * Returns a copy of the row with this number and this revision. Changes to one copy do not affect another.
 */
export type RowAt = (resource: Resource, rid: number, revision: number) => Row

/**
 * Caches the rows that commands read. A row with the same revision is the same row, so a command reads it
 * once. Rows of configuration without computed fields stay cached for later commands, until `forget`, which
 * must be called after a rollback. Without this cache a change of a stay is 40 % slower. Without the lasting
 * part a create is 10 % slower.
 */
export function rowCache(read: (resource: Resource, rid: number) => Row) {
  const lasting = new Map<string, Row>()

  function ofOneChange(): RowAt {
    const seen = new Map<string, Row>()
    return (resource, rid, revision) => {
      const all = isLasting(resource) ? lasting : seen
      const key = `${resource.table}/${rid}`
      const kept = all.get(key)
      if (kept?.revision === revision) return { ...kept }
      const row = read(resource, rid)
      if (all.size === mostSeen) all.clear()
      all.set(key, all === lasting ? frozen(row) : row)
      return { ...row }
    }
  }

  return { ofOneChange, forget: () => lasting.clear() }
}

/** Freezes a value and everything in it, so that one command cannot change what another reads. */
function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) frozen(each)
  return Object.freeze(value)
}

/**
 * Whether the resource is configuration without computed fields. A computed value could change without a new
 * revision.
 */
const isLasting = perResource(
  ({ base, bookkeeping, fields }) =>
    base === '/api/config/v1' &&
    !bookkeeping &&
    Object.values(fields as Fields).every(
      ({ options, members = {} }) =>
        !options.computed && Object.values(members).every((member) => !member.options.computed),
    ),
)
