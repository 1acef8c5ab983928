import { Readable } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import { Problem } from '../resource/problem.ts'
import { sequenceText } from '../resource/sequence-text.ts'
import type { FeedEvent } from './feed.ts'

/** What is streamed, in order. `event` is sent as JSON. */
interface Item {
  event: { sequence?: string }
}

/** The source of streams: the journal, or the log. */
interface StreamFeed<Each extends Item> {
  /** Returns items after a number; of at most `limit` lines, some may be no items. */
  after(sequence: number, limit: number): { events: readonly Each[]; last: number; more: boolean }
  /** The number before the oldest item that still exists. */
  kept(): number
  /** Calls the listener after items were added, until the returned function is called. */
  changed(listener: () => void): () => void
}

interface Listening<Each extends Item> {
  /** The token's id, for the limit of streams of one client. */
  by: string
  after: number
  isWanted(item: Each): boolean
  /** Whether the client may still listen. */
  isLet(): boolean
}

export type EventStreams<Each extends Item = FeedEvent> = ReturnType<typeof eventStreams<Each>>

export interface StreamOptions<Each extends Item = FeedEvent> {
  feed: StreamFeed<Each>
  clock: Clock
  heartbeatMs?: number
  /** How long a client may leave available text unread. */
  patienceMs?: number
}

const mostStreams = 64
const mostOfOne = 16
/** The lines of one page. For a client that does not read, at most one page is kept in memory. */
const linesATime = 100
/**
 * A stream ends after a day, and the client reconnects; so a rotated token is used for at most as long as it
 * is valid.
 */
const longestMs = 86_400_000
const retryMs = 3_000

interface Stream {
  by: string
  readable: Readable
  wake(): void
  /** Since when a page has been waiting for the client; null without one. */
  ready: number | null
}

/** All open streams. */
interface Streaming<Each extends Item> {
  feed: StreamFeed<Each>
  clock: Clock
  streams: Set<Stream>
  isOpen: boolean
  /** The number of heartbeats so far. */
  beats: number
}

/**
 * Streams server-sent events. Each client reads at its own pace, so nothing is buffered for
 * a slow one.
 */
export function eventStreams<Each extends Item>({
  feed,
  clock,
  heartbeatMs = 15_000,
  patienceMs = 60_000,
}: StreamOptions<Each>) {
  const { monotonic } = clock
  const streaming: Streaming<Each> = { feed, clock, streams: new Set(), isOpen: true, beats: 0 }
  const beating = clock.setInterval(beat, heartbeatMs).unref()

  function beat(): void {
    streaming.beats++
    const now = monotonic()
    for (const stream of streaming.streams) {
      if (stream.ready !== null && now - stream.ready > patienceMs) stream.readable.destroy()
      else stream.wake()
    }
  }

  return {
    /** Opens a stream of server-sent events. Throws busy when there are too many streams. */
    open: (listening: Listening<Each>): Readable => opened(streaming, listening),
    /** Ends all streams after the text that was already sent. */
    close(): void {
      streaming.isOpen = false
      beating.cancel()
      for (const { wake } of streaming.streams) wake()
    },
  }
}

function opened<Each extends Item>(streaming: Streaming<Each>, listening: Listening<Each>): Readable {
  const { feed, streams, isOpen } = streaming
  const ofOne = [...streams].filter(({ by }) => by === listening.by).length
  if (!isOpen) throw new Problem('starting-up', 'The appliance is stopping.')
  if (streams.size >= mostStreams || ofOne >= mostOfOne) {
    const detail = `Too many event streams are open: ${streams.size}, ${ofOne} of them with this token. Close one, or try again later.`
    throw new Problem('busy', detail, { meta: { retryAfterSeconds: 10 } })
  }
  const stream: Stream = { by: listening.by, readable: null as never, wake: () => {}, ready: null }
  const unsubscribe = feed.changed(() => stream.wake())
  stream.readable = readableOf(serverSentEvents(streaming, stream, listening), () => {
    unsubscribe()
    streams.delete(stream)
    stream.wake()
  })
  // A client that disconnects is not an error.
  stream.readable.on('error', () => {})
  streams.add(stream)
  return stream.readable
}

async function* serverSentEvents<Each extends Item>(
  streaming: Streaming<Each>,
  stream: Stream,
  { after, isWanted, isLet }: Listening<Each>,
): AsyncGenerator<string> {
  const { feed, clock, streams } = streaming
  const { monotonic } = clock
  const begun = monotonic()
  let at = after
  let lastBeat = streaming.beats
  stream.ready = begun
  yield `retry: ${retryMs}\nid: ${sequenceText(at)}\n\n`
  stream.ready = null
  while (streaming.isOpen && streams.has(stream) && isLet() && monotonic() - begun < longestMs) {
    // The lines may have been purged meanwhile. The stream ends; when the client reconnects with its
    // cursor, it gets events-gone.
    if (at < feed.kept()) return
    const woken = new Promise<void>((resolve) => {
      stream.wake = resolve
    })
    const page = feed.after(at, linesATime)
    at = page.last
    const text = page.events
      .filter(isWanted)
      .map(({ event }) => `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('')
    if (text !== '' || lastBeat !== streaming.beats) {
      lastBeat = streaming.beats
      stream.ready = monotonic()
      // The id advances also past events that this client may not see, so that its cursor does not become
      // too old.
      yield text || heartbeat(at, clock.now())
      stream.ready = null
    }
    // Yields to other requests between two pages, also when no event is for this client.
    await (page.more ? new Promise((resolve) => setImmediate(resolve)) : woken)
  }
}

/**
 * A page in a browser receives events but no comments, so the heartbeat is an event with a type of its own. EventSource
 * passes it only to listeners of `beat`.
 */
function heartbeat(sequence: number, now: number): string {
  const data = JSON.stringify({ time: new Date(now).toISOString() })
  return `event: beat\ndata: ${data}\nid: ${sequenceText(sequence)}\n\n`
}

/**
 * Returns a stream of texts at the reader's pace. `left` is called as soon as the reader disconnects, also
 * while the next text is awaited.
 */
function readableOf(texts: AsyncGenerator<string>, left: () => void): Readable {
  return new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      texts.next().then(
        ({ value, done }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      left()
      done(error)
    },
  })
}
