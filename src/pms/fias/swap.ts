import type { LinkRecord } from '../../devices/network/guest-link.ts'
import type { Clock, Timer } from '../../host/clock.ts'

/** A database swap: DR asks for it, DS begins it, DE ends it. One that is cut in the middle counts for nothing. */
export interface Swap {
  /** The link is of use, or is so anew: nothing has been swapped over it. */
  begin(): void
  /** The link is gone, and with it what has come of a swap. */
  cut(reason: string): void
  /** Whether all guests were told since the link began. */
  readonly isDone: boolean
  readonly state: 'none' | 'asked' | 'coming' | 'done'
  /** Resolves once a swap has been carried out; asks for one unless one is under way. Rejects with an Error in words. */
  done(): Promise<void>
  /** Nobody waits for it any more: what has not begun is asked for again by the next. */
  forget(): void
  /** Whether the record belongs to a swap. */
  take(record: LinkRecord): boolean
  /** Something came that is no record. */
  unread(): void
}

interface SwapOptions {
  clock: Clock
  ask(): Promise<void>
  /** How long the PMS may say nothing while a swap is asked for or under way. */
  silentMs: number
  /** All that came between DS and DE; not whole when something in it could not be read. */
  carryOut(records: readonly LinkRecord[], isWhole: boolean): void
}

/** In a swap. */
const mostRecords = 50_000

export function swap({ clock, ask, silentMs, carryOut }: SwapOptions): Swap {
  let state: Swap['state'] = 'none'
  let records: LinkRecord[] = []
  let isWhole = true
  let waiting: PromiseWithResolvers<void> | null = null
  let silence: Timer | null = null

  function enter(next: Swap['state']): void {
    state = next
    silence?.cancel()
    if (state === 'asked' || state === 'coming') {
      const reason = silent[state]
      silence = clock.setTimeout(() => fail(reason), silentMs)
    }
    if (state !== 'coming') records = []
  }

  function fail(reason: string): void {
    enter('none')
    const failed = waiting
    waiting = null
    failed?.reject(new Error(reason))
  }

  function started(): void {
    records = []
    isWhole = true
    enter('coming')
  }

  function ended(): void {
    if (state !== 'coming') return
    const all = records
    enter('done')
    carryOut(all, isWhole)
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
      if (state === 'asked') fail('nobody waits for it any more')
    },
    take(record) {
      if (record.id === 'DS') started()
      else if (record.id === 'DE') ended()
      else if (state !== 'coming') return false
      else if (records.length >= mostRecords) fail(`its database swap has more than ${mostRecords} records`)
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
