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

/** Turns a PMS's records about guests into changes of whole reservations, and swaps databases when the link asks for it. */
export class GuestFeed {
  readonly #options: FeedOptions
  readonly #book = guestBook()
  readonly #records
  readonly #pages
  readonly #reporter: StayReporter
  readonly #swaps
  readonly #requests
  #follower: SyncNotifications | null = null
  /** The reason why the link is down; null while it is up. */
  #whyDown: string | null = 'it has not connected yet'
  #settling: Timer | null = null
  /** True when the last swap has already answered a request: the next full load needs another swap. */
  #isUsed = false
  /** Whether a swap over this link was complete: the records since then are changes. */
  #isComplete = false
  readonly #losses

  constructor(options: FeedOptions) {
    this.#options = options
    const { name, localStays, readField, clock, ask, silentMs, longestMs, waitMs, swapBegun: begun } = options
    const reports = newReports(clock.now)
    const quarantine = newQuarantine(reports.next)
    this.#records = guestRecords({ book: this.#book, reports, quarantine, readField })
    this.#pages = feedPages(reports, quarantine, localStays)
    this.#reporter = stayReporter({
      book: this.#book,
      reports,
      localStays,
      complain: quarantine.put,
      relieved: () => this.doubt(),
    })
    const interrupted = (swapped: readonly LinkRecord[]) => this.#interrupted(swapped)
    const completed = (swapped: readonly LinkRecord[], isWhole: boolean) => this.#completed(swapped, isWhole)
    this.#swaps = swap({ clock, ask, silentMs, longestMs, begun, interrupted, completed })
    this.#requests = swapRequests({ name, clock, swaps: this.#swaps, waitMs, whyDown: () => this.#whyDown })
    this.#losses = doubt({ clock, due: () => this.#follower?.poke() })
  }

  readonly stayOf: StayReporter['stayOf'] = (...asked) => this.#reporter.stayOf(...asked)
  readonly stayLeftBy: StayReporter['stayLeftBy'] = (...asked) => this.#reporter.stayLeftBy(...asked)

  state(): { swap: Swap['state']; guests: number } {
    return { swap: this.#swaps.state, guests: this.#book.guests().length }
  }

  /** Loads all guests again. Rejects with a DeviceFault. */
  async swap(signal: AbortSignal): Promise<void> {
    await this.#requests.request(signal)
    this.flush()
  }

  close(): void {
    this.#stopSettling()
    this.#follower = null
    this.cut('it is closed')
  }

  /** Call it when the link comes up, and when the PMS has started again. */
  linked(): void {
    this.#whyDown = null
    this.#isComplete = false
    this.#losses.forget()
    this.#swaps.begin()
    if (!this.#options.swaps) this.#reporter.remember()
    this.#follower?.line('up', null)
    this.#follower?.poke()
  }

  cut(reason: string): void {
    this.#whyDown = reason
    this.#losses.forget()
    this.#swaps.cut(reason)
    this.#follower?.line('down', reason)
  }

  record(record: LinkRecord): void {
    if (this.#swaps.take(record)) return
    if (!this.#records.apply(record)) this.doubt()
    this.#settle()
  }

  /** Call it when a record was read, and may not say what the PMS has: a database swap is due after a pause. */
  doubt(): void {
    if (this.#options.swaps) this.#losses.lost()
  }

  /** Call it for received bytes that are no record; null for a record that was damaged on the line. */
  unread(text: string | null): void {
    this.#swaps.unread()
    this.#records.quarantineText(text)
    this.doubt()
    this.#settle()
  }

  /** Reports all collected changes now. */
  flush(): void {
    this.#stopSettling()
    if (this.#whyDown !== null || (this.#options.swaps && !this.#isComplete)) return
    try {
      this.#reporter.report()
    } catch (error) {
      this.#options.failed(error)
    }
    if (this.#follower) this.#pages.publish(this.#follower)
  }

  /**
   * Implements `pull` of a SyncSide. A full load comes from a database swap, and so do the changes missed while the
   * line was cut.
   */
  async pull(cursor: string | null, signal: AbortSignal): Promise<ChangePage> {
    this.#pages.begin(cursor)
    const isFresh =
      !this.#options.swaps ||
      (this.#swaps.isDone && !this.#losses.isDue() && !(cursor === null && this.#isUsed))
    if (this.#whyDown !== null || !isFresh) await this.#requests.request(signal)
    this.#stopSettling()
    this.#reporter.report()
    this.#isUsed = true
    return this.#pages.after(cursor)
  }

  follow(next: SyncNotifications): () => void {
    this.#follower = next
    if (this.#whyDown === null) next.line('up', null)
    return () => {
      if (this.#follower === next) this.#follower = null
    }
  }

  /** Guests who check in during a swap are reported between its records: after a complete swap, these are changes as well. */
  #interrupted(swapped: readonly LinkRecord[]): void {
    if (this.#whyDown !== null || !this.#isComplete) return
    for (const each of swapped) if (!this.#records.apply(each)) this.doubt()
    this.#settle()
  }

  #completed(swapped: readonly LinkRecord[], isWhole: boolean): void {
    // A PMS may send many swaps at once that nothing has requested: what asks the store is not done for each of them.
    if (!this.#isComplete || this.#requests.areWaiting()) this.#reporter.remember()
    this.#isUsed = false
    this.#isComplete = true
    const isProof = this.#records.applySwap(swapped, isWhole)
    this.#losses.swapped(isProof)
    if (isProof) this.#reporter.complainAgain()
    else this.doubt()
    if (!this.#requests.areWaiting()) this.#settle()
  }

  /** Reports the changes after the time in which related records are collected. */
  #settle(): void {
    const { clock, failed, settleMs } = this.#options
    this.#settling ??= clock.setTimeout(
      guarded(failed, () => this.flush()),
      settleMs,
    )
  }

  #stopSettling(): void {
    this.#settling?.cancel()
    this.#settling = null
  }
}
