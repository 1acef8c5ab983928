import { type Clock, clockOf, systemClock, type Timer } from '../src/host/clock.ts'
import { virtualClock } from '../src/host/virtual-clock.ts'
import { quiet } from './test-clock.ts'

/** The machine's time and timers, beside a wall clock that stands still, until some of it is made to go by at once. */
export interface LeapingClock extends Clock {
  /**
   * Lets `skipMs` go by at once on both clocks without a timer, and then `ms` with each timer as it falls due. Before each the
   * process is at rest for some milliseconds, in which whoever is asked over a socket answers. One leap at a time.
   */
  leap(ms: number, skipMs?: number): Promise<void>
}

/** So long, in real milliseconds, nothing happens before time goes by. */
const restMs = 6

/** A clock that shows `wallMs`. Time does not go by at once while `isBusy`, for work of other threads. */
export function leapingClock(wallMs: number, isBusy: () => boolean): LeapingClock {
  const clock = virtualClock(wallMs)
  let wall = wallMs
  let followed = systemClock.monotonic()
  let waking: Timer | null = null

  function monotonic(): number {
    const at = systemClock.monotonic()
    clock.advance(at - followed)
    followed = at
    return clock.monotonic()
  }

  function runDue(): void {
    for (let next = clock.next(); next !== null && next <= monotonic(); next = clock.next()) clock.fire()
    wakeNext()
  }

  function wakeNext(): void {
    waking?.cancel()
    const next = clock.next()
    waking = next === null ? null : systemClock.setTimeout(runDue, Math.max(1, next - monotonic()))
  }

  function leapTo(at: number): void {
    const ms = Math.max(0, at - monotonic())
    clock.advance(ms)
    wall += ms
  }

  clock.onTimer(wakeNext)
  const begin = (how: 'setTimeout' | 'setInterval') => (run: () => void, ms: number) => {
    monotonic()
    return clock[how](run, ms)
  }
  return {
    ...clockOf({
      now: () => Math.floor(wall),
      monotonic,
      setTimeout: begin('setTimeout'),
      setInterval: begin('setInterval'),
    }),
    async leap(ms, skipMs = 0) {
      const wallThen = wall + skipMs + ms
      const until = monotonic() + skipMs + ms
      leapTo(until - ms)
      for (;;) {
        await quiet(isBusy, true, restMs)
        const next = clock.next()
        if (next === null || next > until) break
        leapTo(next)
        runDue()
      }
      leapTo(until)
      // What the machine's own time has added meanwhile is no time of the wall clock.
      wall = wallThen
      runDue()
    },
  }
}
