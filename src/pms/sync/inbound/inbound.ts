import type { Clock } from '../../../host/clock.ts'
import type { Linked } from '../loop/linked.ts'
import { turnOf } from '../loop/turn.ts'
import { readAgain, readPagesAgain } from '../quarantine/retry.ts'
import { newsQueue, takeNews } from './news.ts'
import { pageCount } from './page-count.ts'
import { takeAll } from './pull.ts'

/** What is fetched from a PMS, and how much of it is known to be fetched. `takes` is false for a PMS that only receives. */
export function inbound(link: Linked, clock: Clock, takes: boolean) {
  const { configuration, write, changes } = link
  const wants = { pull: takes, anew: false, readAgain: false }
  const news = newsQueue()
  const pages = pageCount(configuration.name)
  /** When the PMS was asked that had nothing more to be fetched; of one that only receives, when it answered. */
  let knownAt: number | null = null
  let isBehind = true
  let isFetching = false

  /** Fetches as much as there is time for. Answers whether the PMS has more. */
  async function take({ mayRead }: { mayRead: boolean }): Promise<boolean> {
    if (wants.readAgain && mayRead) await readAgain(link)
    wants.readAgain = false
    if (!takes) return false
    await takeHeard()
    if (wants.anew) pages.end()
    if (wants.anew) await write(changes.keepPlace, { configurationId: configuration.id, pullCursor: null })
    wants.anew = false
    return wants.pull ? fetch() : false
  }

  /** What was sent and cannot be taken, or is not the next, is fetched. */
  async function takeHeard(): Promise<void> {
    if (news.isEmpty()) return
    const from = clock.now()
    try {
      if (await takeNews(link, news)) wants.pull = true
      else knownAt = from
    } catch (error) {
      wants.pull = true
      throw error
    }
  }

  async function fetch(): Promise<boolean> {
    // What says that there is something to fetch while it is fetched is for the next round.
    wants.pull = false
    isFetching = true
    const from = clock.now()
    try {
      const isEnd = await takeAll(link, turnOf(clock), pages)
      wants.pull ||= !isEnd
      if (isEnd) knownAt = from
      // What came while it was fetched may be what was missed while the line was down.
      return wants.pull
    } catch (error) {
      wants.pull = true
      throw error
    } finally {
      isFetching = false
    }
  }

  /** Answers whether a quarantined page can be used now: it and what follows it is left to be fetched. */
  async function takePagesAgain(): Promise<boolean> {
    if (!takes || !(await readPagesAgain(link))) return false
    pages.end()
    wants.pull = true
    return true
  }

  return {
    take,
    takePagesAgain,
    wantPull(anew = false): void {
      wants.pull = takes
      if (anew) wants.anew = takes
    },
    wantReadAgain(): void {
      wants.readAgain = takes
    },
    /** Something is known to be there, or it is not known. */
    isLate(): void {
      isBehind = takes
    },
    answered(): void {
      if (!takes) knownAt = clock.now()
    },
    /** False when there is no room for it: it is fetched. */
    hear(page: Parameters<typeof news.add>[0]): void {
      if (!news.add(page)) wants.pull = true
      isBehind = true
    },
    /** Whether news saves a request: not while everything is fetched. */
    takesNews: () => takes && !isFetching && !wants.pull,
    forgetNews: news.clear,
    /** Looks whether something is left to be fetched; `isAway`: the PMS cannot be asked, or one page cannot be used. */
    look(isAway: boolean): void {
      isBehind = takes && (wants.pull || !news.isEmpty() || isAway)
    },
    isBehind: () => isBehind || pages.isUnderWay(),
    knownAt: () => knownAt,
    trouble: pages.trouble,
  }
}
