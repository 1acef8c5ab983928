import { DeviceFault } from '../../devices/fault.ts'
import type { HttpAnswer } from './exchange.ts'

/** However long the PMS wants to be left alone. */
const longestMs = 3_600_000

/** Leaves a PMS alone for as long as it has asked for it with a 429 or 503. */
export function quiet(now: () => number) {
  let from = 0
  let until = 0

  /** Throws adapter-timeout while the PMS is not to be asked. */
  function expectNotAskedToWait(what: string): void {
    // A clock that was set back makes nobody wait for longer.
    if (now() < from || now() >= until) return
    const seconds = Math.ceil((until - now()) / 1_000)
    throw new DeviceFault(
      'adapter-timeout',
      `The PMS asked to be left alone for ${seconds} s more: ${what}.`,
      {
        vendorCode: 'retry-after',
      },
    )
  }

  function heard({ status, headers }: HttpAnswer): void {
    if (status !== 429 && status !== 503) return
    const ms = millisecondsIn(headers['retry-after'], now())
    if (ms === null) return
    from = now()
    until = from + Math.min(ms, longestMs)
  }

  return { expectNotAskedToWait, heard }
}

/** Seconds, or a moment in the words of HTTP; null for neither. */
function millisecondsIn(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const moment = /GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? null : Math.max(0, moment - now)
}
