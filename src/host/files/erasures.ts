import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeDurably } from './durable.ts'

/**
 * The list of erased persons, which outlives old backups: one digest a line. Nobody learns from it who a person was, and whether
 * a certain profile was erased only who knows its id.
 */
export type Erasures = ReadonlySet<string>

/** Returns the digest of a profile's id: 64 hex digits. */
export function erasureDigest(profileId: string): string {
  return createHash('sha256').update(`erased ${profileId}`).digest('hex')
}

/** Returns the digests in a file; none without one. Other lines are ignored. */
export function readErasures(file: string): Erasures {
  if (!existsSync(file)) return new Set()
  return new Set(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /^[0-9a-f]{64}$/.test(line)),
  )
}

/** Adds digests to a file. They are on the disk when this returns. Nothing is written when none is new. */
export function addErasures(file: string, digests: Iterable<string>): void {
  const before = readErasures(file)
  const all = new Set([...before, ...digests])
  if (all.size === before.size) return
  const lines = [...all].sort().join('\n')
  writeDurably(file, `${lines}\n`)
}
