import type { LinkRecord } from '../../../devices/network/guest-link.ts'
import type { Refused } from '../../sync-contract.ts'

/** The records that could not be applied, each at a position of its own; when there are too many, the oldest is dropped. */
export interface Quarantine {
  /** Keeps a record with the reason, a sentence; null where no single record is the cause. */
  put(reason: string, record?: LinkRecord | null): void
  /** The messages after one position, up to another; for null, all messages up to it. */
  between(after: number | null, upTo: number): Refused[]
  /** Drops the messages up to this position, because the appliance has them. */
  forget(upTo: number): void
  /** Drops all messages: the PMS has reported everything again, and all of it could be read. */
  settle(): void
  /** Whether that happened after one position, up to another; after null, up to it. */
  isSettled(after: number | null, upTo: number): boolean
}

const maxMessages = 200
const maxPayloadChars = 65_536

/** `nextPosition` reserves a position. */
export function quarantine(nextPosition: () => number): Quarantine {
  let kept: { position: number; message: Refused }[] = []
  let settledAt: number | null = null
  const isBetween = (position: number, after: number | null, upTo: number) =>
    position <= upTo && (after === null || position > after)
  return {
    put(reason, record = null) {
      if (kept.length >= maxMessages) kept.shift()
      const payload = record ? recordText(record) : ''
      const externalId = record?.fields['G#'] ?? null
      const size = Buffer.byteLength(payload)
      const message = { reason, payload: payload.slice(0, maxPayloadChars), size, externalId }
      kept.push({ position: nextPosition(), message })
    },
    between: (after, upTo) =>
      kept.filter(({ position }) => isBetween(position, after, upTo)).map(({ message }) => message),
    forget(upTo) {
      kept = kept.filter(({ position }) => position > upTo)
    },
    settle() {
      kept = []
      settledAt = nextPosition()
    },
    isSettled: (after, upTo) => settledAt !== null && isBetween(settledAt, after, upTo),
  }
}

function recordText({ id, fields }: LinkRecord): string {
  return [id, ...Object.entries(fields).map(([field, value]) => field + value)].join('|')
}
