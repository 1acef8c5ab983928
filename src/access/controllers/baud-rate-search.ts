/** What is tried where a driver names no rates. */
const usual = [9_600] as const

/** Which rate of a serial line is tried next. */
interface BaudRateSearch {
  next(rates?: readonly [number, ...number[]]): number
  /** The line was opened at this rate. */
  tried(rate: number): void
  /** The device has answered at the rate that was tried last. */
  heard(): void
}

/**
 * Tries the rates of a driver one after the other. The one at which the device was `heard` is tried first from then on, and
 * again after each other one: a device without power is not one that has another rate.
 */
export function baudRateSearch(): BaudRateSearch {
  let attempt = 0
  let last: number | null = null
  let known: number | null = null
  return {
    next(rates = usual) {
      if (known !== null && attempt % 2 === 0) return known
      const turn = known === null ? attempt : attempt >> 1
      return rates[turn % rates.length] ?? rates[0]
    },
    tried(rate) {
      last = rate
      attempt++
    },
    heard() {
      known = last
      attempt = 0
    },
  }
}
