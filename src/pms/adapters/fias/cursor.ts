import { randomUUID } from 'node:crypto'

/**
 * Converts positions to cursors. The reports are kept in memory only: the random prefix of a cursor shows whether it was
 * made since the last restart.
 */
interface Cursors {
  write(position: number): string
  /** Null for a missing or invalid cursor. `isOurs` is false for a cursor from before the last restart. */
  read(cursor: string | null): { position: number; isOurs: boolean } | null
}

/** Writes and reads the cursors of one run of the program: those of an earlier run are known as such. */
export function cursors(): Cursors {
  const prefix = randomUUID().slice(0, 8)
  return {
    write: (position) => `${prefix}:${position}`,
    read(cursor) {
      const [, found, position] = /^([\da-f]{8}):(\d{1,15})$/.exec(cursor ?? '') ?? []
      return position === undefined ? null : { position: Number(position), isOurs: found === prefix }
    },
  }
}
