import { Readable } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import { Problem } from '../resource/problem.ts'
import type { Feed, Heard } from './feed.ts'
import { sequenceText } from './journal-event.ts'

interface Listening {
  /** Who listens, for the bound on one's streams. */
  by: string
  after: number
  isWanted(heard: Heard): boolean
  /** Whether he still may. */
  isLet(): boolean
}

export interface EventStreams {
  /** Events as they happen, as the text of server-sent events. Throws busy when there are too many streams. */
  open(listening: Listening): Readable
  /** Ends them all, after what was sent. */
  close(): void
}

export interface StreamOptions {
  feed: Feed
  clock: Clock
  heartbeatMs?: number
  /** How long a client may take nothing of what lies ready for it. */
  patienceMs?: number
}

const mostStreams = 64
const mostOfOne = 16
/** Lines read at a time: what lies ready for a client that takes nothing is one such page, and no more. */
const linesATime = 100
/** A stream ends and is asked for anew: for this long a token that was rotated opens. */
const longestMs = 86_400_000
const retryMs = 3_000

interface Stream {
  by: string
  readable: Readable
  wake(): void
  /** Since when a page lies ready that was not taken; null while none does. */
  ready: number | null
}

/** Server-sent events out of the journal, which each client reads at its own pace: nothing is kept for a slow one. */
export function eventStreams({
  feed,
  clock,
  heartbeatMs = 15_000,
  patienceMs = 60_000,
}: StreamOptions): EventStreams {
  const { monotonic } = clock
  const streams = new Set<Stream>()
  let isOpen = true
  const stop = feed.changed(wakeAll)
  const beating = clock.setInterval(beat, heartbeatMs).unref()
  let beats = 0

  function wakeAll(): void {
    for (const { wake } of streams) wake()
  }

  function beat(): void {
    beats++
    const now = monotonic()
    for (const stream of streams) {
      if (stream.ready !== null && now - stream.ready > patienceMs) stream.readable.destroy()
      else stream.wake()
    }
  }

  function open(listening: Listening): Readable {
    const ofOne = [...streams].filter(({ by }) => by === listening.by).length
    if (!isOpen) throw new Problem('starting-up', 'The appliance is stopping.')
    if (streams.size >= mostStreams || ofOne >= mostOfOne) {
      const detail = `There are ${streams.size} streams, ${ofOne} of this token.`
      throw new Problem('busy', detail, { meta: { retryAfterSeconds: 10 } })
    }
    const stream: Stream = { by: listening.by, readable: null as never, wake: () => {}, ready: null }
    stream.readable = readableOf(told(stream, listening), () => {
      streams.delete(stream)
      stream.wake()
    })
    // Who hangs up in the middle is no fault of anybody's.
    stream.readable.on('error', () => {})
    streams.add(stream)
    return stream.readable
  }

  async function* told(stream: Stream, { after, isWanted, isLet }: Listening): AsyncGenerator<string> {
    const begun = monotonic()
    let at = after
    let said = beats
    stream.ready = begun
    yield `retry: ${retryMs}\nid: ${sequenceText(at)}\n\n`
    stream.ready = null
    while (isOpen && streams.has(stream) && isLet() && monotonic() - begun < longestMs) {
      // What was not yet heard may have gone meanwhile: who comes again with his place is told so.
      if (at < feed.kept()) return
      const woken = new Promise<void>((resolve) => {
        stream.wake = resolve
      })
      const page = feed.after(at, linesATime)
      at = page.last
      const text = page.heard.filter(isWanted).map(frame).join('')
      if (text !== '' || said !== beats) {
        said = beats
        stream.ready = monotonic()
        // The place goes on also over what is not for this client, so that it never asks for what is long gone.
        yield text || `: heartbeat\nid: ${sequenceText(at)}\n\n`
        stream.ready = null
      }
      // Others are answered between two pages, also where none of it is for this client.
      await (page.more ? new Promise((resolve) => setImmediate(resolve)) : woken)
    }
  }

  return {
    open,
    close() {
      isOpen = false
      stop()
      beating.cancel()
      wakeAll()
    },
  }
}

/** Texts at the pace of who takes them; `left` is called at once when nobody does any more, also while the next is waited for. */
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

function frame({ event }: Heard): string {
  return `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`
}
