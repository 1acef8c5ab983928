import type { LinkRecord } from '../../../devices/network/guest-link.ts'
import type { Refused } from '../../sync-contract.ts'

/** The quarantined messages, each with a cursor of its own; when there are too many, the oldest is dropped. */
export interface Aside {
  put(reason: string, record?: LinkRecord | null): void
  /** The messages after one cursor, up to another; for null, all messages up to it. */
  between(after: number | null, upTo: number): Refused[]
  /** Drops the messages up to this cursor, because the appliance has them. */
  forget(upTo: number): void
}

const most = 200
const longestPayload = 65_536

/** `next` returns the next cursor. */
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
