import type { Reader } from '../resource/keeper.ts'

/** What was looked up. `id` and `revisions` are those of its rows, as they were read. */
export interface LookedUp {
  id: string
  revisions: string
}

/**
 * Caches what `look` returns for a secret. After any write, `sql` asks for the revisions of the rows with this id. A row that was
 * changed or deleted has other revisions or none, and is looked up again: what was revoked or has ended is refused at once.
 */
export function keptByRevision<Found extends LookedUp>(
  reader: Reader,
  sql: string,
  look: (secret: string) => Found | null,
  most: number,
): (secret: string) => Found | null {
  const kept = new Map<string, { found: Found; version: number }>()

  return (secret) => {
    const version = reader.version()
    const known = kept.get(secret)
    if (known?.version === version) return known.found
    if (known && reader.text(sql, known.found.id) === known.found.revisions) {
      known.version = version
      return known.found
    }
    const found = look(secret)
    if (kept.size >= most) kept.clear()
    if (found) kept.set(secret, { found, version })
    else kept.delete(secret)
    return found
  }
}
