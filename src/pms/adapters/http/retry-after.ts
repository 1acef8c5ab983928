import { DeviceFault } from '../../../devices/fault.ts'
import type { HttpAnswer } from './exchange.ts'

/** The maximum pause, whatever the PMS requests. */
const maxPauseMs = 3_600_000

/** The pause that a PMS has requested with `Retry-After` in a 429 or 503. */
export function requestedPause(now: () => number) {
  let from = 0
  let until = 0

  /** Throws adapter-timeout during the requested pause. */
  function expectOver(what: string): void {
    // After the clock is set back, the pause does not become longer.
    if (now() < from || now() >= until) return
    const seconds = Math.ceil((until - now()) / 1_000)
    throw new DeviceFault(
      'adapter-timeout',
      `The PMS asked for no requests for another ${seconds} s: ${what}.`,
      { vendorCode: 'retry-after', retryAfterSeconds: seconds },
    )
  }

  /** Reads the pause that an answer requests. */
  function observe({ status, headers }: HttpAnswer): void {
    if (status !== 429 && status !== 503) return
    const ms = millisecondsIn(headers['retry-after'], now())
    if (ms === null) return
    from = now()
    until = from + Math.min(ms, maxPauseMs)
  }

  return { expectOver, observe }
}

/** Parses seconds or an HTTP date; null for neither. */
function millisecondsIn(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const moment = /GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? null : Math.max(0, moment - now)
}
