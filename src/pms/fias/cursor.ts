import { randomUUID } from 'node:crypto'

/** Places as cursors. What was told before a restart is not remembered: a cursor of another life is known by its name. */
interface Cursors {
  write(place: number): string
  /** Null for no cursor, and for what is none. */
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
