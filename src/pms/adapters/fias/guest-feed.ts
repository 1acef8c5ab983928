import { DeviceFault } from '../../../devices/fault.ts'
import type { LinkRecord, ReadField } from '../../../devices/network/guest-link.ts'
import type { Clock, Timer } from '../../../host/clock.ts'
import { guarded } from '../../../host/guarded.ts'
import type { ChangePage, News } from '../../sync-contract.ts'
import { feedPages } from './feed-pages.ts'
import { guestBook } from './guest-book.ts'
import { type GuestRecord, readGuestRecord } from './guest-record.ts'
import type { HouseStays } from './local-stays.ts'
import { aside } from './quarantine.ts'
import { reported } from './reports.ts'
import { type StayTeller, stayTeller } from './stay-reporter.ts'
import { type Swap, swap } from './swap.ts'

interface FeedOptions {
  name: string
  house: HouseStays
  clock: Clock
  readField: ReadField
  /** Whether the PMS supports database swaps. Without them, the records are the only source. */
  swaps: boolean
  /** How long related records are collected: two guests who move are reported in two records. */
  settleMs: number
  /** The maximum silence during a swap. */
  silentMs: number
  /** Requests a database swap from the PMS. */
  ask(): Promise<void>
  failed(error: unknown): void
}

/** Converts a PMS's records about guests to changes of whole reservations. */
export interface GuestFeed {
  linked(): void
  cut(reason: string): void
  heard(record: LinkRecord): void
  unread(text: string | null): void
  /**
   * Implements `pull` of a SyncSide. A full load comes from a database swap, and so do the changes missed while the
   * line was cut.
   */
  pull(cursor: string | null, signal: AbortSignal): Promise<ChangePage>
  follow(news: News): () => void
  /** Loads all guests again. Rejects with a DeviceFault. */
  swap(signal: AbortSignal): Promise<void>
  stayOf: StayTeller['stayOf']
  /** Reports all collected changes now. */
  flush(): void
  state(): { swap: Swap['state']; guests: number }
  close(): void
}

export function guestFeed(options: FeedOptions): GuestFeed {
  const { name, house, readField, clock } = options
  const book = guestBook()
  const news = reported(clock.now)
  const refused = aside(news.next)
  const pages = feedPages(news, refused, house)
  const teller = stayTeller({ book, told: news, house, untellable: refused.put })
  const swaps = swap({ clock, ask: options.ask, silentMs: options.silentMs, carryOut })
  let follower: News | null = null
  let isLinked = false
  let whyNot = 'nobody has connected yet'
  let settling: Timer | null = null
  /** True when the last swap has already answered a request: the next full load needs another swap. */
  let isUsed = false
  /** The number of pulls that wait for a swap. */
  let waiting = 0

  function linked(): void {
    isLinked = true
    swaps.begin()
    if (!options.swaps) teller.remember()
    follower?.line('up', null)
    follower?.nudge()
  }

  function cut(reason: string): void {
    isLinked = false
    whyNot = reason
    swaps.cut(reason)
    follower?.line('down', reason)
  }

  function heard(record: LinkRecord): void {
    if (swaps.take(record)) return
    const said = understood(record)
    const problem = said && book.take(said)
    if (problem) refused.put(problem, record)
    if (said?.is === 'room') news.tellRoom(said.room, said.status)
    settling ??= clock.setTimeout(guarded(options.failed, flush), options.settleMs)
  }

  function carryOut(records: readonly LinkRecord[], isWhole: boolean): void {
    teller.remember()
    isUsed = false
    const before = news.place
    const understandable = records.map(understood).filter((said) => said !== null)
    const isReadable = isWhole && news.place === before
    for (const said of understandable) if (said.is === 'room') news.tellRoom(said.room, said.status)
    for (const problem of book.swap(understandable, isReadable)) refused.put(problem)
    if (waiting === 0) flush()
  }

  /** Null for a record without relevant content, and for an invalid one, which is quarantined. */
  function understood(record: LinkRecord): GuestRecord | null {
    const said = readGuestRecord(record, readField)
    if (typeof said !== 'string') return said
    refused.put(said, record)
    return null
  }

  function flush(): void {
    settled()
    if (!isLinked || (options.swaps && !swaps.isDone)) return
    try {
      teller.tell()
    } catch (error) {
      options.failed(error)
    }
    if (follower) pages.publish(follower)
  }

  function settled(): void {
    settling?.cancel()
    settling = null
  }

  async function pull(cursor: string | null, signal: AbortSignal): Promise<ChangePage> {
    pages.begin(cursor)
    const isFresh = !options.swaps || (swaps.isDone && !(cursor === null && isUsed))
    if (!isLinked || !isFresh) await swapped(signal)
    settled()
    teller.tell()
    isUsed = true
    return pages.after(cursor)
  }

  async function swapped(signal: AbortSignal): Promise<void> {
    waiting++
    try {
      if (!isLinked) throw new Error(`the PMS is not connected: ${whyNot}`)
      await unlessAborted(swaps.done(), signal)
    } catch (error) {
      throw new DeviceFault('adapter-timeout', `${name}: ${(error as Error).message}`, { cause: error })
    } finally {
      waiting--
      if (waiting === 0) swaps.forget()
    }
  }

  return {
    linked,
    cut,
    heard,
    unread(text) {
      swaps.unread()
      if (text === null) refused.put('A record of the PMS did not come through whole.')
      else refused.put('The PMS sent what is no record.', { id: text, fields: {} })
      settling ??= clock.setTimeout(guarded(options.failed, flush), options.settleMs)
    },
    pull,
    follow(next) {
      follower = next
      if (isLinked) next.line('up', null)
      return () => {
        if (follower === next) follower = null
      }
    },
    async swap(signal) {
      await swapped(signal)
      flush()
    },
    stayOf: teller.stayOf,
    flush,
    state: () => ({ swap: swaps.state, guests: book.guests().length }),
    close() {
      settled()
      follower = null
      cut('it is closed')
    },
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const given = Promise.withResolvers<never>()
  const stop = () => given.reject(new Error('nobody waits for its database swap any more'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, given.promise]).finally(() => signal.removeEventListener('abort', stop))
}
