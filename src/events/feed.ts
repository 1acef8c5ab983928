import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock, Timer } from '../host/clock.ts'
import { guarded } from '../host/guarded.ts'
import type { JournalLine, Reader } from '../resource/keeper.ts'
import type { Resources } from '../resource/path.ts'
import type { CloudEvent } from './cloud-event.ts'
import { type EventKind, eventKinds } from './event-kinds.ts'
import { eventOf, type Origin, type Published } from './journal-event.ts'

/** One event of the journal, with the kind that determines its scope. */
export interface FeedEvent {
  sequence: number
  kind: EventKind
  event: CloudEvent<Published>
}

interface FeedPage {
  events: readonly FeedEvent[]
  /** The last line that was read; the next page starts after it. */
  last: number
  /** Whether further lines follow. */
  more: boolean
}

/** All events of the journal in order, for the parts that deliver them. */
export interface Feed {
  /**
   * Returns the events after a journal line. At most `limit` lines are read, and some lines are no public
   * events.
   */
  after(sequence: number, limit: number): FeedPage
  /** Returns the events before a journal line, the newest first. At most `limit` lines are read. */
  before(sequence: number, limit: number): FeedPage
  /**
   * Returns the oldest line from a moment on (Unix milliseconds), or the number after the newest line. Lines are in the order of
   * time, except around a moment at which the clock was set back.
   */
  since(moment: number): number
  /**
   * Returns the line before the oldest line that still exists. A consumer whose cursor is here or later has
   * missed nothing.
   */
  kept(): number
  /** Whether the journal contains this line. */
  has(sequence: number): boolean
  /** Returns the newest line; 0 without any. */
  newest(): number
  /**
   * Calls the listener soon after lines were added, once for several lines, until the returned function is called. With
   * `prefix`, only lines whose type begins with it count.
   */
  changed(listener: () => void, prefix?: string): () => void
  /** Stops calling the listeners. */
  close(): void
}

interface FeedOptions {
  reader: Pick<Reader, 'journal' | 'journalBefore' | 'lastSequence' | 'count' | 'all' | 'version'>
  resources: Resources
  origin: () => Omit<Origin, 'nameOf'>
  /** Returns the name of an actor; null without one. */
  nameOf(actor: string): string | null
  clock: Clock
  /** Calls the listener after each write. */
  written(listener: () => void): () => void
  background: BackgroundWork
  /** Called when a listener throws. The other listeners are not affected. */
  failed(error: unknown): void
}

/** The largest page, in lines. */
const mostLines = 1_000
/** Writes within this time cause one notification. */
const gathersMs = 10
/** The pause before the next attempt when the store cannot be read. */
const asksAgainMs = 1_000
const mostListeners = 1_000

const addedSql = 'SELECT type, max(sequence) AS last FROM journal WHERE sequence > ? GROUP BY type'

/** Reads events out of the journal, by page and as they come. */
export function feed(options: FeedOptions): Feed {
  const { reader } = options
  const news = newLines(options)
  const kept = () => Math.max(0, reader.count('SELECT coalesce(min(sequence), 1) FROM journal') - 1)
  return {
    ...pages(options),
    kept,
    since(moment) {
      let [earlier, later] = [kept(), reader.lastSequence() + 1]
      while (later - earlier > 1) {
        const middle = Math.floor((earlier + later) / 2)
        const [line] = reader.journalBefore(middle + 1, 1)
        if (line && line.at >= moment) later = middle
        else earlier = middle
      }
      return later
    },
    has: (sequence) => reader.count('SELECT count(*) FROM journal WHERE sequence = ?', sequence) > 0,
    newest: () => reader.lastSequence(),
    ...news,
  }
}

/** Notifies the listeners of lines that were added. */
function newLines({
  reader,
  clock,
  written,
  background,
  failed,
}: FeedOptions): Pick<Feed, 'changed' | 'close'> {
  const listeners = new Map<() => void, string>()
  let notified = reader.lastSequence()
  let timer: Timer | null = null
  const work = background.follow('events')
  const stop = written(() => {
    if (listeners.size === 0) return
    work.due()
    timer ??= clock.setTimeout(look, gathersMs)
  })
  const look = guarded(failAndAskAgain, notifyAll)

  /** Notifies the listeners, unless the writes added no journal line. */
  function notifyAll(): void {
    timer = null
    const added = reader.all<{ type: string; last: number }>(addedSql, notified)
    work.done()
    if (added.length === 0) return
    notified = Math.max(...added.map(({ last }) => last))
    for (const [listener, prefix] of [...listeners])
      if (added.some(({ type }) => type.startsWith(prefix))) guarded(failed, listener)()
  }

  function failAndAskAgain(error: unknown): void {
    failed(error)
    timer ??= clock.setTimeout(look, asksAgainMs).unref()
  }

  return {
    changed(listener, prefix = '') {
      if (listeners.size >= mostListeners) throw new RangeError(`more than ${mostListeners} listeners`)
      listeners.set(listener, prefix)
      return () => {
        listeners.delete(listener)
      }
    },
    close() {
      stop()
      listeners.clear()
      timer?.cancel()
      work.end()
    },
  }
}

/** Reads pages of events. All followers read the same page after a line, so the last one is cached until the next write. */
function pages({ reader, resources, origin, nameOf }: FeedOptions): Pick<Feed, 'after' | 'before'> {
  const kindOf = eventKinds(resources)
  let lastRequest = ''
  let lastPage: FeedPage = { events: [], last: 0, more: false }

  function read(lines: JournalLine[], sequence: number, most: number): FeedPage {
    if (lines.length === 0) return { events: [], last: sequence, more: false }
    const more = lines.length > most
    if (more) lines.pop()
    const names = new Map<string, string | null>()
    const from = {
      ...origin(),
      nameOf: (actor: string) => names.getOrInsertComputed(actor, nameOf),
    }
    const events = lines.flatMap((line) => {
      const kind = kindOf(line.type)
      return kind ? [{ sequence: line.sequence, kind, event: eventOf(line, kind, from) }] : []
    })
    return { events, last: lines.at(-1)?.sequence ?? sequence, more }
  }

  return {
    after(sequence, limit) {
      const request = `${sequence} ${limit} ${reader.version()}`
      const most = Math.min(limit, mostLines)
      if (request !== lastRequest) lastPage = read(reader.journal(sequence, most + 1), sequence, most)
      lastRequest = request
      return lastPage
    },
    before(sequence, limit) {
      const most = Math.min(limit, mostLines)
      return read(reader.journalBefore(sequence, most + 1), sequence, most)
    },
  }
}
