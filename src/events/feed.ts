import type { Clock, Timer } from '../host/clock.ts'
import { guarded } from '../host/guarded.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Resources } from '../resource/path.ts'
import type { CloudEvent } from './cloud-event.ts'
import { type EventKind, eventKinds } from './event-kinds.ts'
import { eventOf, type Origin, type Told } from './journal-event.ts'

/** One event of the journal, and who may hear it. */
export interface Heard {
  sequence: number
  kind: EventKind
  event: CloudEvent<Told>
}

interface FeedPage {
  heard: readonly Heard[]
  /** The last line that was looked at: the next page goes on after it. */
  last: number
  /** Further lines follow. */
  more: boolean
}

/** Everything that happens, in the order in which it was written down, for whoever passes it on. */
export interface Feed {
  /** The events after a line of the journal; at most `limit` lines are looked at, and not every line is told. */
  after(sequence: number, limit: number): FeedPage
  /** The line before the oldest that is still kept: who has heard up to here, or further, has missed nothing. */
  kept(): number
  /** Whether the journal has this line. */
  has(sequence: number): boolean
  /** The newest line; 0 without any. */
  newest(): number
  /** Calls the listener soon after lines were added, however many, until the returned function is called. */
  changed(listener: () => void): () => void
  /** Tells nobody any more. */
  close(): void
}

interface FeedOptions {
  reader: Pick<Reader, 'journal' | 'lastSequence' | 'count' | 'version'>
  resources: Resources
  origin: () => Origin
  clock: Clock
  /** Calls back when anything was written. */
  written(listener: () => void): () => void
  /** Told of a listener that throws; the others never notice. */
  failed(error: unknown): void
}

/** Lines of a page. */
const mostLines = 1_000
/** What is written in the meantime is told as one. */
const gathersMs = 10
/** Where the store could not be asked what is new, it is asked again. */
const asksAgainMs = 1_000
const mostListeners = 1_000

export function feed({ reader, resources, origin, clock, written, failed }: FeedOptions): Feed {
  const kindOf = eventKinds(resources)
  const listeners = new Set<() => void>()
  let told = reader.lastSequence()
  let timer: Timer | null = null
  let lastAsked = ''
  let lastPage: FeedPage = { heard: [], last: 0, more: false }
  const stop = written(() => {
    if (listeners.size > 0) timer ??= clock.setTimeout(look, gathersMs)
  })
  const look = guarded(failAndAskAgain, tellAll)

  /** Writes that happened and were not noted in the journal are nobody's business here. */
  function tellAll(): void {
    timer = null
    const newest = reader.lastSequence()
    if (newest === told) return
    told = newest
    for (const listener of [...listeners]) guarded(failed, listener)()
  }

  function failAndAskAgain(error: unknown): void {
    failed(error)
    timer ??= clock.setTimeout(look, asksAgainMs).unref()
  }

  /** Whoever follows asks for the same page as all the others: the last one is kept until something is written. */
  function after(sequence: number, limit: number): FeedPage {
    const asked = `${sequence} ${limit} ${reader.version()}`
    if (asked !== lastAsked) lastPage = read(sequence, Math.min(limit, mostLines))
    lastAsked = asked
    return lastPage
  }

  function read(sequence: number, most: number): FeedPage {
    const lines = reader.journal(sequence, most + 1)
    const more = lines.length > most
    if (more) lines.pop()
    const from = origin()
    const heard = lines.flatMap((line) => {
      const kind = kindOf(line.type)
      return kind ? [{ sequence: line.sequence, kind, event: eventOf(line, kind, from) }] : []
    })
    return { heard, last: lines.at(-1)?.sequence ?? sequence, more }
  }

  return {
    after,
    kept: () => Math.max(0, reader.count('SELECT coalesce(min(sequence), 1) FROM journal') - 1),
    has: (sequence) => reader.count('SELECT count(*) FROM journal WHERE sequence = ?', sequence) > 0,
    newest: () => reader.lastSequence(),
    changed(listener) {
      if (listeners.size >= mostListeners) throw new RangeError(`more than ${mostListeners} listeners`)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    close() {
      stop()
      listeners.clear()
      timer?.cancel()
    },
  }
}
