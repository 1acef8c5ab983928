import { type ReadonlySignal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, apiErrorOf } from './answer.ts'
import { isLineDead } from './line.ts'
import { followEvents, listen, missed } from './live.ts'
import { askSession, session } from './session.ts'

/** Whether the components inside read nothing now, because the box would refuse it. Afterwards they read again. */
export const AreReadsHeld = createContext<ReadonlySignal<boolean>>(signal(false))

/** The state of a query: the last data, and whether they are current. */
export interface Reading<T> {
  /** The last data; undefined before the first answer. A later failure leaves them in place. */
  data: T | undefined
  /** When the data were read, Unix milliseconds. */
  asOf: number | null
  isLoading: boolean
  /** Why the last attempt failed; null after success. */
  problem: ApiError | null
  readAgain(): void
}

/**
 * The shortest time between two reads after events, so that a check-out of a hundred rooms causes only a few requests.
 */
const gapMs = 1_500
const firstMs = 150

/**
 * Reads with `read`. Reads again after an event of a type in `watched` (`stay.` or `key.live`), and after an
 * interruption of the event stream. `key` identifies the data: another key starts a new query, and without a key no
 * query runs.
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
  const areHeld = useContext(AreReadsHeld)
  // The request starts before the browser draws.
  useLayoutEffect(() => {
    setState(nothing)
    if (key === null) return
    const loop = reading((signal) => latest.current(signal), setState)
    again.current = loop.now
    const release = areHeld.subscribe((isHeld) => (isHeld ? loop.hold() : loop.release()))
    loop.now()
    const leave = listen(({ type }) => {
      if (watched.some((each) => type.startsWith(each))) loop.soon()
    })
    const begun = missed.peek()
    const forget = missed.subscribe((count) => {
      if (count !== begun) loop.soon()
    })
    return () => {
      release()
      leave()
      forget()
      loop.end()
    }
  }, [key])
  return { ...state, readAgain: () => again.current() }
}

/** Reads again at intervals while `isOn`. */
export function useReadEvery(ms: number, readAgain: () => void, isOn = true): void {
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(readAgain, ms)
    return () => clearInterval(timer)
  }, [isOn])
}

/** Follows the events of the box while `hears`: a locked session receives none. */
export function useEvents(hears: boolean): void {
  useEffect(() => {
    if (!hears || !session.value) return
    return followEvents(session.value.sequence, () => void askSession())
  }, [hears])
}

const nothing = { data: undefined, asOf: null, isLoading: true, problem: null }

function reading<T>(
  read: (signal: AbortSignal) => Promise<T>,
  set: (change: (state: Omit<Reading<T>, 'readAgain'>) => Omit<Reading<T>, 'readAgain'>) => void,
) {
  let stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isHeld = false
  let isReading = false
  let isStale = false
  let lastAt = 0

  async function now(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (isHeld) return
    if (isReading) {
      isStale = true
      return
    }
    isReading = true
    isStale = false
    lastAt = Date.now()
    set((state) => (state.isLoading ? state : { ...state, isLoading: true }))
    const { signal } = stop
    try {
      const data = await read(signal)
      if (!signal.aborted) set(() => ({ data, asOf: Date.now(), isLoading: false, problem: null }))
    } catch (error) {
      if (signal.aborted) return
      const problem = apiErrorOf(error)
      // After the unlocking, everything is read again.
      if (problem.code === 'session-locked') return
      set((state) => ({ ...state, isLoading: false, problem }))
      // While the line is dead, the event stream reports when it is back. One answer can be lost on a live line.
      if (problem.status === 0 ? !isLineDead.peek() : problem.status >= 429)
        later((problem.retryAfterSeconds ?? 5) * 1_000)
    } finally {
      isReading = false
      if (isStale) soon()
    }
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
    hold() {
      isHeld = true
      stop.abort()
      stop = new AbortController()
    },
    release() {
      if (!isHeld) return
      isHeld = false
      soon()
    },
    end() {
      isHeld = true
      stop.abort()
      clearTimeout(timer)
    },
  }
}
