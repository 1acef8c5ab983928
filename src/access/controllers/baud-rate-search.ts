/** The rates for a driver that names none. */
const usual = [9_600] as const

/**
 * Tries the rates of a driver one after the other. Once the device has answered at a rate, every second attempt uses
 * that rate: a silent device more likely has no power than another rate.
 */
export function baudRateSearch() {
  let attempt = 0
  let last: number | null = null
  let known: number | null = null
  return {
    next(rates: readonly [number, ...number[]] = usual): number {
      if (known !== null && attempt % 2 === 0) return known
      const turn = known === null ? attempt : attempt >> 1
      return rates[turn % rates.length] ?? rates[0]
    },
    /** The line was opened at this rate. */
    tried(rate: number): void {
      last = rate
      attempt++
    },
    /** The device has answered at the last rate. */
    answered(): void {
      known = last
      attempt = 0
    },
  }
}
