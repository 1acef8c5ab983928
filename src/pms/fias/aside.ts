import type { LinkRecord } from '../../devices/network/guest-link.ts'
import type { Refused } from '../sync-side.ts'

/** What cannot be understood or taken, each at a place of its own; of too much the oldest is forgotten. */
export interface Aside {
  put(reason: string, record?: LinkRecord | null): void
  /** What is later than the place, up to another; all up to that for null. */
  between(after: number | null, upTo: number): Refused[]
  /** The house has all up to this place. */
  forget(upTo: number): void
}

const most = 200
const longestPayload = 65_536

/** `next` gives the next place. */
export function aside(next: () => number): Aside {
  let refused: { place: number; what: Refused }[] = []
  return {
    put(reason, record = null) {
      if (refused.length >= most) refused.shift()
      const payload = record ? written(record) : ''
      const externalId = record?.fields['G#'] ?? null
      const size = Buffer.byteLength(payload)
      const what = { reason, payload: payload.slice(0, longestPayload), size, externalId }
      refused.push({ place: next(), what })
    },
    between: (after, upTo) =>
      refused
        .filter(({ place }) => place <= upTo && (after === null || place > after))
        .map(({ what }) => what),
    forget(upTo) {
      refused = refused.filter(({ place }) => place > upTo)
    },
  }
}

function written({ id, fields }: LinkRecord): string {
  return [id, ...Object.entries(fields).map(([field, value]) => field + value)].join('|')
}
