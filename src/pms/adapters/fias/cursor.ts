import { randomUUID } from 'node:crypto'

/**
 * Converts positions to cursors. The memory of reports does not survive a restart: the name in a cursor tells whether
 * it was made since the restart.
 */
interface Cursors {
  write(place: number): string
  /** Null for a missing or invalid cursor. */
  read(cursor: string | null): { place: number; isOurs: boolean } | null
}

export function cursors(): Cursors {
  const life = randomUUID().slice(0, 8)
  return {
    write: (place) => `${life}:${place}`,
    read(cursor) {
      const [, name, place] = /^([\da-f]{8}):(\d{1,15})$/.exec(cursor ?? '') ?? []
      return place === undefined ? null : { place: Number(place), isOurs: name === life }
    },
  }
}
