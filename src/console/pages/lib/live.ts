import { signal } from '@preact/signals'
import { ApiError, get } from './api.ts'

/** An event of the box: which resource changed, and how. */
export interface LiveEvent {
  type: string
  /** The path of the resource. */
  subject?: string
  data?: Record<string, unknown>
}

/** Whether the page hears the box. */
export const isLive = signal(false)
/** When the box was last heard, Unix milliseconds of this browser. */
export const heardAt = signal<number | null>(null)
/** Counts up each time events may have been missed, so that everything on the screen is read again. */
export const missed = signal(0)

type Listener = (event: LiveEvent) => void
const listeners = new Set<Listener>()

/** Calls `listener` for each event. Returns the function that ends this. */
export function listen(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

type Message = { event: LiveEvent } | { beat: true } | { lost: true } | { missed: true }

/** The box sends a heartbeat each 15 s. */
const silentAfterMs = 40_000
const longestPauseMs = 15_000

/**
 * Follows the events of the box. A browser has six connections to one origin, so that only one of its tabs opens the stream: the
 * one that holds the lock. It passes the events on to the others. `ended` is called when the session is over.
 */
export function followEvents(ended: () => void): () => void {
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
    // The next person's page has not lost a line that it never had.
    heardAt.value = null
  }
}

function hear(message: Message): void {
  if ('lost' in message) {
    isLive.value = false
    return
  }
  heardAt.value = Date.now()
  // What happened while there was no line is not known.
  if ('missed' in message || !isLive.value) missed.value++
  isLive.value = true
  if ('event' in message) for (const listener of listeners) listener(message.event)
}

/** Keeps a stream open until `signal` ends it. */
async function streamUntil(
  signal: AbortSignal,
  tell: (message: Message) => void,
  ended: () => void,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const opened = await streamOnce(signal, tell)
    failures = opened ? 0 : failures + 1
    if (signal.aborted) return
    tell({ lost: true })
    const reason = await whyRefused()
    if (reason === 'ended') return ended()
    const pause = reason ?? Math.min(longestPauseMs, 500 * 2 ** failures)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Resolves when the stream has broken: true when it had been open. */
function streamOnce(signal: AbortSignal, tell: (message: Message) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const source = new EventSource('/api/v2/events/stream')
    let isOpened = false
    let silence: ReturnType<typeof setTimeout>
    const end = () => {
      clearTimeout(silence)
      source.close()
      resolve(isOpened)
    }
    const heard = (message: Message) => {
      clearTimeout(silence)
      silence = setTimeout(end, silentAfterMs)
      tell(message)
    }
    silence = setTimeout(end, silentAfterMs)
    source.onopen = () => {
      isOpened = true
      heard({ missed: true })
    }
    source.onmessage = ({ data }) => heard({ event: JSON.parse(data) as LiveEvent })
    source.addEventListener('beat', () => heard({ beat: true }))
    source.onerror = end
    signal.addEventListener('abort', end, { once: true })
  })
}

/** A browser does not tell a page why a stream was refused, so the box is asked: how many milliseconds to wait, or `ended`. */
async function whyRefused(): Promise<number | 'ended' | null> {
  try {
    await get('/api/v2/events?page[size]=1')
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) return null
    if (error.status === 401) return 'ended'
    return error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1_000
  }
}
