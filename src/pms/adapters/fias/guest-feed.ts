import type { LinkRecord, ReadField } from '../../../devices/network/guest-link.ts'
import type { Clock, Timer } from '../../../host/clock.ts'
import { guarded } from '../../../host/guarded.ts'
import type { ChangePage, SyncNotifications } from '../../sync-contract.ts'
import { doubt } from './doubt.ts'
import { feedPages } from './feed-pages.ts'
import { guestBook } from './guest-book.ts'
import { guestRecords } from './guest-records.ts'
import type { LocalStays } from './local-stays.ts'
import { quarantine as newQuarantine } from './quarantine.ts'
import { reports as newReports } from './reports.ts'
import { type StayReporter, stayReporter } from './stay-reporter.ts'
import { type Swap, swap } from './swap.ts'
import { swapRequests } from './swap-requests.ts'

interface FeedOptions {
  name: string
  localStays: LocalStays
  clock: Clock
  readField: ReadField
  /** Whether the PMS supports database swaps. Without them, the records are the only source. */
  swaps: boolean
  /** How long related records are collected: two guests who move are reported in two records. */
  settleMs: number
  /** The maximum silence during a swap, and its maximum duration. */
  silentMs: number
  longestMs: number
  /** How long a request waits for a swap, which goes on after that. */
  waitMs: number
  /** Called when the PMS begins to report everything again. */
  swapBegun(): void
  /** Requests a database swap from the PMS. */
  ask(): Promise<void>
  failed(error: unknown): void
}

/** Converts a PMS's records about guests to changes of whole reservations. */
export interface GuestFeed {
  /** Call it when the link comes up, and when the PMS has started again. */
  linked(): void
  cut(reason: string): void
  record(record: LinkRecord): void
  /** Call it for received bytes that are no record; null for a record that was damaged on the line. */
  unread(text: string | null): void
  /** Call it when a record was read, and may not say what the PMS has: a database swap is due after a pause. */
  doubt(): void
  /**
   * Implements `pull` of a SyncSide. A full load comes from a database swap, and so do the changes missed while the
   * line was cut.
   */
  pull(cursor: string | null, signal: AbortSignal): Promise<ChangePage>
  follow(next: SyncNotifications): () => void
  /** Loads all guests again. Rejects with a DeviceFault. */
  swap(signal: AbortSignal): Promise<void>
  stayOf: StayReporter['stayOf']
  stayLeftBy: StayReporter['stayLeftBy']
  /** Reports all collected changes now. */
  flush(): void
  state(): { swap: Swap['state']; guests: number }
  close(): void
}

/** Turns the records of a link into reports of reservations, and swaps databases when the link asks for it. */
export function guestFeed(options: FeedOptions): GuestFeed {
  const { name, localStays, readField, clock, failed } = options
  const book = guestBook()
  const reports = newReports(clock.now)
  const quarantine = newQuarantine(reports.next)
  const records = guestRecords({ book, reports, quarantine, readField })
  const pages = feedPages(reports, quarantine, localStays)
  const reporter = stayReporter({
    book,
    reports,
    localStays,
    complain: quarantine.put,
    relieved: () => lost(),
  })
  const { ask, silentMs, longestMs, swapBegun: begun } = options
  const swaps = swap({ clock, ask, silentMs, longestMs, begun, interrupted, completed })
  const requests = swapRequests({ name, clock, swaps, waitMs: options.waitMs, whyDown: () => whyDown })
  let follower: SyncNotifications | null = null
  /** The reason why the link is down; null while it is up. */
  let whyDown: string | null = 'it has not connected yet'
  let settling: Timer | null = null
  /** True when the last swap has already answered a request: the next full load needs another swap. */
  let isUsed = false
  /** Whether a swap over this link was complete: the records since then are changes. */
  let isComplete = false
  const losses = doubt({ clock, due: () => follower?.poke() })

  function linked(): void {
    whyDown = null
    isComplete = false
    losses.forget()
    swaps.begin()
    if (!options.swaps) reporter.remember()
    follower?.line('up', null)
    follower?.poke()
  }

  function cut(reason: string): void {
    whyDown = reason
    losses.forget()
    swaps.cut(reason)
    follower?.line('down', reason)
  }

  function record(record: LinkRecord): void {
    if (swaps.take(record)) return
    if (!records.apply(record)) lost()
    settle()
  }

  function lost(): void {
    if (options.swaps) losses.lost()
  }

  function unread(text: string | null): void {
    swaps.unread()
    records.quarantineText(text)
    lost()
    settle()
  }

  /** Guests who check in during a swap are reported between its records: after a complete swap, these are changes as well. */
  function interrupted(swapped: readonly LinkRecord[]): void {
    if (whyDown !== null || !isComplete) return
    for (const each of swapped) if (!records.apply(each)) lost()
    settle()
  }

  function completed(swapped: readonly LinkRecord[], isWhole: boolean): void {
    // A PMS may send many swaps at once that nothing has requested: what asks the store is not done for each of them.
    if (!isComplete || requests.areWaiting()) reporter.remember()
    isUsed = false
    isComplete = true
    const isProof = records.applySwap(swapped, isWhole)
    losses.swapped(isProof)
    if (isProof) reporter.complainAgain()
    else lost()
    if (!requests.areWaiting()) settle()
  }

  /** Reports the changes after the time in which related records are collected. */
  function settle(): void {
    settling ??= clock.setTimeout(guarded(failed, flush), options.settleMs)
  }

  function stopSettling(): void {
    settling?.cancel()
    settling = null
  }

  function flush(): void {
    stopSettling()
    if (whyDown !== null || (options.swaps && !isComplete)) return
    try {
      reporter.report()
    } catch (error) {
      failed(error)
    }
    if (follower) pages.publish(follower)
  }

  async function pull(cursor: string | null, signal: AbortSignal): Promise<ChangePage> {
    pages.begin(cursor)
    const isFresh = !options.swaps || (swaps.isDone && !losses.isDue() && !(cursor === null && isUsed))
    if (whyDown !== null || !isFresh) await requests.request(signal)
    stopSettling()
    reporter.report()
    isUsed = true
    return pages.after(cursor)
  }

  function follow(next: SyncNotifications): () => void {
    follower = next
    if (whyDown === null) next.line('up', null)
    return () => {
      if (follower === next) follower = null
    }
  }

  return {
    linked,
    cut,
    record,
    unread,
    doubt: lost,
    pull,
    follow,
    async swap(signal) {
      await requests.request(signal)
      flush()
    },
    stayOf: reporter.stayOf,
    stayLeftBy: reporter.stayLeftBy,
    flush,
    state: () => ({ swap: swaps.state, guests: book.guests().length }),
    close() {
      stopSettling()
      follower = null
      cut('it is closed')
    },
  }
}
