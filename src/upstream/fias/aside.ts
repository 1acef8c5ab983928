import type { LinkRecord } from '../../devices/guest-link.ts'
import type { Refused } from '../sync-side.ts'

/** What cannot be understood or taken, until somebody asks; of too much the oldest is forgotten. */
export interface Aside {
  put(reason: string, record?: LinkRecord | null): void
  /** All of it, once. */
  take(): Refused[]
  readonly count: number
}

const most = 200
const longestPayload = 65_536

export function aside(): Aside {
  let refused: Refused[] = []
  return {
    put(reason, record = null) {
      if (refused.length >= most) refused.shift()
      const payload = record ? written(record) : ''
      const externalId = record?.fields['G#'] ?? null
      const size = Buffer.byteLength(payload)
      refused.push({ reason, payload: payload.slice(0, longestPayload), size, externalId })
    },
    take() {
      const all = refused
      refused = []
      return all
    },
    get count() {
      return refused.length
    },
  }
}

function written({ id, fields }: LinkRecord): string {
  return [id, ...Object.entries(fields).map(([field, value]) => field + value)].join('|')
}
