import { randomInt, timingSafeEqual } from 'node:crypto'

export interface PairingOptions {
  /** Unix milliseconds. */
  now(): number
  /** 15 minutes unless said otherwise. */
  validForMs?: number
  /** So many wrong codes end the code that is open; 10 unless said otherwise. */
  wrongTries?: number
}

/** The one code that is open at a time, kept in memory alone: a restart ends it. */
export interface Pairing {
  /** Opens a code of eight digits; one that was open is void. */
  open(): { code: string; expiresAt: number }
  /**
   * Tries a code; spaces and hyphens in it do not count. `paired` once for each code that was opened; `closed` when none
   * is open: never opened, used, expired, or tried wrongly too often.
   */
  redeem(text: string): 'paired' | 'wrong' | 'closed'
  /** The code that was paired with is open again, because nothing came of it; not where a newer one was opened. */
  giveBack(): void
}

/** Pairing with a code that is read off the appliance's console or label. */
export function pairing({ now, validForMs = 15 * 60_000, wrongTries = 10 }: PairingOptions): Pairing {
  type Open = { code: string; expiresAt: number; triesLeft: number }
  let current: Open | null = null
  let spent: Open | null = null

  return {
    open() {
      const code = String(randomInt(100_000_000)).padStart(8, '0')
      const expiresAt = now() + validForMs
      current = { code, expiresAt, triesLeft: wrongTries }
      spent = null
      return { code, expiresAt }
    },
    redeem(text) {
      if (current && now() >= current.expiresAt) current = null
      if (!current) return 'closed'
      if (same(text.replace(/[\s-]/g, ''), current.code)) {
        spent = current
        current = null
        return 'paired'
      }
      current.triesLeft--
      if (current.triesLeft === 0) current = null
      return 'wrong'
    },
    giveBack() {
      current ??= spent
      spent = null
    },
  }
}

/** Takes the same time wherever the first wrong digit is. */
function same(given: string, code: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(code)]
  return a.length === b.length && timingSafeEqual(a, b)
}
