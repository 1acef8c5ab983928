import type { LinkRecord } from '../../../devices/network/guest-link.ts'
import type { Clock, Timer } from '../../../host/clock.ts'

/** A database swap: DR requests it, DS begins it, DE ends it. An interrupted swap is discarded. */
export interface Swap {
  /** Call it when the link comes up, or when the PMS has started again: a swap in progress has failed. */
  begin(): void
  /** Call it when the link goes down: an incomplete swap is discarded. */
  cut(reason: string): void
  /** Whether the newest swap over this link is complete. */
  readonly isDone: boolean
  readonly state: 'none' | 'asked' | 'coming' | 'done'
  /**
   * Resolves once a swap is complete; requests one unless one is in progress. Rejects with an Error whose message is a
   * sentence.
   */
  done(): Promise<void>
  /** Call it when no caller waits any more: a swap that has not begun is requested again by the next caller. */
  forget(): void
  /** Takes a record that belongs to a swap; false for any other record. */
  take(record: LinkRecord): boolean
  /** Call it when something arrived that is not a record: the swap in progress is not whole. */
  unread(): void
}

interface SwapOptions {
  clock: Clock
  ask(): Promise<void>
  /** The maximum silence of the PMS after the request and during the swap. */
  silentMs: number
  /** The maximum time from DS to DE. */
  longestMs: number
  /** Called when the PMS begins a swap. */
  begun(): void
  /** Receives the records of a swap that was interrupted or given up. */
  interrupted(records: readonly LinkRecord[]): void
  /** Receives all records between DS and DE; `isWhole` is false when one of them was unreadable. */
  completed(records: readonly LinkRecord[], isWhole: boolean): void
}

/** The maximum number of records of a swap; a longer one fails. */
const maxRecords = 50_000

/** Follows a swap of databases from DS to DE, and gives it up when the PMS is silent for `silentMs`, or it has lasted for `longestMs`. */
export function swap({ clock, ask, silentMs, longestMs, begun, interrupted, completed }: SwapOptions): Swap {
  let state: Swap['state'] = 'none'
  let records: LinkRecord[] = []
  let isWhole = true
  let waiting: PromiseWithResolvers<void> | null = null
  let silence: Timer | null = null
  /** When the swap in progress began, by the monotonic clock: another DS does not begin a new time. */
  let begunAt = 0

  function enter(next: Swap['state']): void {
    state = next
    silence?.cancel()
    if (state === 'asked' || state === 'coming') {
      const left = state === 'coming' ? begunAt + longestMs - clock.monotonic() : silentMs
      const reason = left < silentMs ? endless : silent[state]
      silence = clock.setTimeout(() => fail(reason), Math.max(0, Math.min(silentMs, left)))
    }
    if (state !== 'coming') records = []
  }

  function fail(reason: string): void {
    const taken = records
    enter('none')
    if (taken.length > 0) interrupted(taken)
    const failed = waiting
    waiting = null
    failed?.reject(new Error(reason))
  }

  function started(): void {
    if (state !== 'coming') begunAt = clock.monotonic()
    records = []
    isWhole = true
    begun()
    enter('coming')
  }

  function ended(): void {
    if (state !== 'coming') return
    const all = records
    enter('done')
    completed(all, isWhole)
    waiting?.resolve()
    waiting = null
  }

  return {
    begin: () => fail('the PMS has started anew'),
    cut: fail,
    get isDone() {
      return state === 'done'
    },
    get state() {
      return state
    },
    done() {
      if (!waiting) {
        waiting = Promise.withResolvers<void>()
        waiting.promise.catch(() => {})
      }
      const { promise } = waiting
      if (state === 'none' || state === 'done') {
        enter('asked')
        ask().catch((error: Error) => fail(error.message))
      }
      return promise
    },
    forget() {
      if (state === 'asked') fail('the database swap is no longer waited for')
    },
    take(record) {
      if (record.id === 'DS') started()
      else if (record.id === 'DE') ended()
      else if (state !== 'coming') return false
      else if (records.length >= maxRecords) fail(`its database swap has more than ${maxRecords} records`)
      else {
        records.push(record)
        enter('coming')
      }
      return true
    },
    unread() {
      isWhole = false
    },
  }
}

const silent = {
  asked: 'it was asked for a database swap, and began none',
  coming: 'it stopped in the middle of its database swap',
}
const endless = 'its database swap has not ended in time'
