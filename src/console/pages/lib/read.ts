import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from './api.ts'
import { listen, missed } from './live.ts'

/** What a part of the screen shows: the last data, and whether they are still those of the box. */
export interface Reading<T> {
  /** The last data; undefined before the first answer. They stay when a later attempt fails. */
  data: T | undefined
  /** When the data were read, Unix milliseconds. */
  asOf: number | null
  isLoading: boolean
  /** Why the last attempt failed; null when it did not. */
  problem: ApiError | null
  readAgain(): void
}

/** Two answers to changes are at least this far apart, so that a night's check-out of a hundred rooms stays a few requests. */
const gapMs = 1_500
const firstMs = 150

/**
 * Reads with `read`, and reads again when an event of one of the types in `watched` (`stay.` or `key.live`) was heard, and after a
 * break of the line. `key` says what is read: another key begins anew. Without a key nothing is read.
 */
export function useRead<T>(
  key: string | null,
  read: (signal: AbortSignal) => Promise<T>,
  watched: readonly string[] = [],
): Reading<T> {
  const [state, setState] = useState<Omit<Reading<T>, 'readAgain'>>(nothing)
  const again = useRef<() => void>(() => {})
  const latest = useRef(read)
  latest.current = read
  useEffect(() => {
    setState(nothing)
    if (key === null) return
    const loop = reading((signal) => latest.current(signal), setState)
    again.current = loop.now
    loop.now()
    const leave = listen(({ type }) => {
      if (watched.some((each) => type.startsWith(each))) loop.soon()
    })
    const forget = missed.subscribe(() => loop.soon())
    return () => {
      leave()
      forget()
      loop.end()
    }
  }, [key])
  return { ...state, readAgain: () => again.current() }
}

const nothing = { data: undefined, asOf: null, isLoading: true, problem: null }

function reading<T>(
  read: (signal: AbortSignal) => Promise<T>,
  set: (change: (state: Omit<Reading<T>, 'readAgain'>) => Omit<Reading<T>, 'readAgain'>) => void,
) {
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  let isStale = false
  let lastAt = 0

  async function now(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (isReading) {
      isStale = true
      return
    }
    isReading = true
    isStale = false
    lastAt = Date.now()
    set((state) => ({ ...state, isLoading: true }))
    try {
      const data = await read(stop.signal)
      if (!stop.signal.aborted) set(() => ({ data, asOf: Date.now(), isLoading: false, problem: null }))
    } catch (error) {
      if (stop.signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      set((state) => ({ ...state, isLoading: false, problem: error }))
      // Without a line, the stream says when it is back.
      if (error.status !== 0 && error.status >= 429) later((error.retryAfterSeconds ?? 5) * 1_000)
    } finally {
      isReading = false
    }
    if (isStale) soon()
  }

  function later(ms: number): void {
    timer ??= setTimeout(() => void now(), ms)
  }

  function soon(): void {
    if (isReading) isStale = true
    else later(Math.max(firstMs, lastAt + gapMs - Date.now()))
  }

  return {
    now: () => void now(),
    soon,
    end() {
      stop.abort()
      clearTimeout(timer)
    },
  }
}
