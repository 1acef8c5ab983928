import { signal } from '@preact/signals'
import { ApiError, getList } from './api.ts'
import { heardAt, isLineDead, isLive } from './line.ts'

/** An event of the box: the changed resource, and the kind of change. */
export interface LiveEvent {
  type: string
  /** The path of the resource. */
  subject?: string
  data?: Record<string, unknown>
}

/** Incremented each time events may have been missed. Everything on the screen is then read again. */
export const missed = signal(0)

type Listener = (event: LiveEvent) => void
const listeners = new Set<Listener>()

/** Calls `listener` for each event. Returns the function that removes it. */
export function listen(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** A sign of life from the stream, with an event or without. */
interface Heard {
  /** The event before which nothing is missing; null after an interruption of unknown events. */
  after: string | null
  /** The newest event that was sent. */
  at: string
  event?: LiveEvent
}
type Message = Heard | { lost: true }

/** The newest event that the data of this page contain, as its sequence. Sequences are compared as texts. */
let known = ''

/** The box sends a heartbeat every 15 s. */
const silentAfterMs = 40_000
const longestPauseMs = 15_000

/**
 * Follows the events of the box. A browser allows six connections to one origin, so only one of its tabs opens the
 * stream: the tab that holds the lock. It forwards the events to the others. Everything on the page was read after the
 * event `since`. `ended` is called when the session has ended.
 */
export function followEvents(since: string, ended: () => void): () => void {
  // The page may have followed them before: a lock has failed, or another person has signed in.
  if (since > known) known = since
  const channel = new BroadcastChannel('nightporter.live')
  const stop = new AbortController()
  const tell = (message: Message) => {
    hear(message)
    channel.postMessage(message)
  }
  channel.onmessage = ({ data }) => hear(data as Message)
  const watching = setInterval(() => {
    if (heardAt.value !== null && Date.now() - heardAt.value > silentAfterMs) isLive.value = false
  }, 5_000)
  navigator.locks
    .request('nightporter.live', { signal: stop.signal }, () => streamUntil(stop.signal, tell, ended))
    .catch(() => {})
  return () => {
    stop.abort()
    clearInterval(watching)
    channel.close()
    isLive.value = false
    // The next person's page starts without a lost connection.
    heardAt.value = null
  }
}

function hear(message: Message): void {
  if ('lost' in message) {
    isLive.value = false
    return
  }
  const { after, at, event } = message
  if (isLineDead.value || after === null || after > known) missed.value++
  known = at
  heardAt.value = Date.now()
  isLive.value = true
  if (event) for (const listener of listeners) listener(event)
}

/** Keeps a stream open until `signal` ends it. The first one begins where the data of the page end. */
async function streamUntil(
  signal: AbortSignal,
  tell: (message: Message) => void,
  ended: () => void,
): Promise<void> {
  let failures = 0
  let after: string | null = known
  while (!signal.aborted) {
    const opened = await streamOnce(after, signal, tell)
    after = null
    failures = opened ? 0 : failures + 1
    if (signal.aborted) return
    tell({ lost: true })
    const reason = await whyRefused()
    if (reason === 'ended') return ended()
    const pause = reason ?? Math.min(longestPauseMs, 500 * 2 ** failures)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/**
 * Streams the events after one, or from now on without one. Resolves when the stream has broken: with true if it had been
 * open.
 */
function streamOnce(
  after: string | null,
  signal: AbortSignal,
  tell: (message: Message) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const source = new EventSource(`/api/v2/events/stream${after === null ? '' : `?after=${after}`}`)
    let isOpened = false
    let silence: ReturnType<typeof setTimeout>
    const end = () => {
      clearTimeout(silence)
      source.close()
      resolve(isOpened)
    }
    const heard = (message: Heard) => {
      clearTimeout(silence)
      silence = setTimeout(end, silentAfterMs)
      tell(message)
    }
    silence = setTimeout(end, silentAfterMs)
    source.onopen = () => {
      isOpened = true
      heard({ after, at: known })
    }
    source.onmessage = ({ data, lastEventId: at }) => {
      const event = eventIn(data)
      // An event that cannot be read may be about anything.
      heard(event ? { after: known, at, event } : { after: null, at })
    }
    source.addEventListener('beat', ({ lastEventId }) => heard({ after: known, at: lastEventId }))
    source.onerror = end
    signal.addEventListener('abort', end, { once: true })
  })
}

function eventIn(data: string): LiveEvent | null {
  try {
    const event = JSON.parse(data) as LiveEvent | null
    return typeof event?.type === 'string' ? event : null
  } catch {
    return null
  }
}

/**
 * A browser does not tell a page why a stream was refused, so the page queries the box. Returns the milliseconds to
 * wait, or `ended`.
 */
async function whyRefused(): Promise<number | 'ended' | null> {
  try {
    await getList('/api/v2/events?page[size]=1')
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) return null
    if (error.status === 401) return 'ended'
    return error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1_000
  }
}
