import type { Fields } from '../resource/fields.ts'
import type { Resource, Row } from '../resource/resource.ts'
import { onceForEach } from './once-for-each.ts'

const mostSeen = 1_000

/** A row by its number, which has this revision. What is done to the copy given is done to no other. */
export type RowAt = (resource: Resource, rid: number, revision: number) => Row

/**
 * Rows that changes have read. A row is what it was as long as its revision is; so it is read once in a change, unless that
 * writes it. Of the configuration, where rows say nothing but what is in them, whoever comes next asks for them as well:
 * those are kept until `forget`, which has to be called when something was rolled back. Reading each anew makes a change of a stay
 * 40 % longer, and reading the configuration anew with each change makes a create 10 % longer.
 */
export function seenRows(read: (resource: Resource, rid: number) => Row) {
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

/** With all that is in it: what one change has read no other finds changed. */
function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) frozen(each)
  return Object.freeze(value)
}

/** Configuration of which nothing is worked out from other rows, which may change without it. */
const isLasting = onceForEach(
  ({ base, bookkeeping, fields }) =>
    base === '/api/config/v1' &&
    !bookkeeping &&
    Object.values(fields as Fields).every(
      ({ options, members = {} }) =>
        !options.computed && Object.values(members).every((member) => !member.options.computed),
    ),
)
