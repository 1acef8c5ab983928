import type { Clock } from '../../../host/clock.ts'
import type { Linked } from '../loop/linked.ts'
import { turnOf } from '../loop/turn.ts'
import { readAgain, readPagesAgain } from '../quarantine/retry.ts'
import { type NewsPage, newsQueue, takeNews } from './news.ts'
import { pageCount } from './page-count.ts'
import { takeAll } from './pull.ts'

/** What is fetched from a PMS, and how much of it is known to be fetched. */
export class Inbound {
  readonly #link: Linked
  readonly #clock: Clock
  /** False for a PMS that only receives. */
  readonly #takes: boolean
  readonly #wants: { pull: boolean; anew: boolean; readAgain: boolean }
  readonly #news = newsQueue()
  readonly #pages
  /** When the PMS was asked that had nothing more to be fetched; of one that only receives, when it answered. */
  #knownAt: number | null = null
  #isBehind = true
  #isFetching = false

  constructor(link: Linked, clock: Clock, takes: boolean) {
    this.#link = link
    this.#clock = clock
    this.#takes = takes
    this.#wants = { pull: takes, anew: false, readAgain: false }
    this.#pages = pageCount(link.configuration.name)
  }

  /** Fetches as much as there is time for. Answers whether the PMS has more. */
  async take({ mayRead }: { mayRead: boolean }): Promise<boolean> {
    const { configuration, write, changes } = this.#link
    const wants = this.#wants
    if (wants.readAgain && mayRead) await readAgain(this.#link)
    wants.readAgain = false
    if (!this.#takes) return false
    await this.#takeHeard()
    if (wants.anew) this.#pages.end()
    if (wants.anew) await write(changes.keepPlace, { configurationId: configuration.id, pullCursor: null })
    wants.anew = false
    return wants.pull ? this.#fetch() : false
  }

  /** Answers whether a quarantined page can be used now: it and what follows it is left to be fetched. */
  async takePagesAgain(): Promise<boolean> {
    if (!this.#takes || !(await readPagesAgain(this.#link))) return false
    this.#pages.end()
    this.#wants.pull = true
    return true
  }

  wantPull(anew = false): void {
    this.#wants.pull = this.#takes
    if (anew) this.#wants.anew = this.#takes
  }

  wantReadAgain(): void {
    this.#wants.readAgain = this.#takes
  }

  /** Something is known to be there, or it is not known. */
  isLate(): void {
    this.#isBehind = this.#takes
  }

  answered(): void {
    if (!this.#takes) this.#knownAt = this.#clock.now()
  }

  /** Without room for it, it is fetched. */
  hear(page: NewsPage): void {
    if (!this.#news.add(page)) this.#wants.pull = true
    this.#isBehind = true
  }

  /** Whether news saves a request: not while everything is fetched. */
  takesNews(): boolean {
    return this.#takes && !this.#isFetching && !this.#wants.pull
  }

  forgetNews(): void {
    this.#news.clear()
  }

  /** Looks whether something is left to be fetched; `isAway`: the PMS cannot be asked, or one page cannot be used. */
  look(isAway: boolean): void {
    this.#isBehind = this.#takes && (this.#wants.pull || !this.#news.isEmpty() || isAway)
  }

  isBehind(): boolean {
    return this.#isBehind || this.#pages.isUnderWay()
  }

  knownAt(): number | null {
    return this.#knownAt
  }

  /** Why no end of the pages is expected, for people; null when there was one, or may be one yet. */
  trouble(): string | null {
    return this.#pages.trouble()
  }

  /** What was sent and cannot be taken, or is not the next, is fetched. */
  async #takeHeard(): Promise<void> {
    if (this.#news.isEmpty()) return
    const from = this.#clock.now()
    try {
      if (await takeNews(this.#link, this.#news)) this.#wants.pull = true
      else this.#knownAt = from
    } catch (error) {
      this.#wants.pull = true
      throw error
    }
  }

  async #fetch(): Promise<boolean> {
    const wants = this.#wants
    // What says that there is something to fetch while it is fetched is for the next round.
    wants.pull = false
    this.#isFetching = true
    const from = this.#clock.now()
    try {
      const isEnd = await takeAll(this.#link, turnOf(this.#clock), this.#pages)
      wants.pull ||= !isEnd
      if (isEnd) this.#knownAt = from
      // What came while it was fetched may be what was missed while the line was down.
      return wants.pull
    } catch (error) {
      wants.pull = true
      throw error
    } finally {
      this.#isFetching = false
    }
  }
}
