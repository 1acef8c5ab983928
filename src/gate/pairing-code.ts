import { randomInt, timingSafeEqual } from 'node:crypto'
import type { Clock, Timer } from '../host/clock.ts'
import { networkOf } from './network.ts'

interface PairingOptions {
  clock: Clock
  /** Shows a code that takes the place of another. */
  show(code: string): void
}

/** `seconds`: so long this address has to wait because of its wrong codes, and this one was not looked at. */
export type Redeemed = { is: 'paired' | 'wrong' | 'closed' } | { is: 'waiting'; seconds: number }

/** The one code that is open at a time, kept in memory alone: a restart ends it. */
export interface Pairing {
  /** Opens a code of eight digits, for 15 minutes; a fresh one follows, until somebody has paired. */
  open(): string
  /** The code that is open; null when somebody has paired. */
  code(): string | null
  /** Tries a code; spaces and hyphens in it do not count. `paired` once; `closed` when none is open. */
  redeem(text: string, address: string): Redeemed
  /** The code that was paired with is open again, because nothing came of it. */
  giveBack(): void
  close(): void
}

interface Open {
  code: string
  since: number
  wrong: number
}

const validForMs = 15 * 60_000
/** So many wrong codes in all end the code, but none that was on the screen for less than a minute. */
const wrongTries = 10
const shownForMs = 60_000
/** The first wrong codes of an address are slips. */
const freeTries = 2
const longestWaitMs = 300_000
const mostAddresses = 1_000

/**
 * Pairing with a code that is read off the appliance's console. Nobody can shut it: an address waits the longer the more wrong codes it
 * has sent, and a code that was tried too often is replaced by one on the screen.
 */
export function pairing({ clock, show }: PairingOptions): Pairing {
  const { monotonic } = clock
  const waits = waitingAddresses(monotonic)
  let current: Open | null = null
  let spent: Open | null = null
  let expiring: Timer | null = null

  function fresh(): string {
    const code = String(randomInt(100_000_000)).padStart(8, '0')
    current = { code, since: monotonic(), wrong: 0 }
    spent = null
    expiring?.cancel()
    expiring = clock.setTimeout(renew, validForMs)
    expiring.unref()
    return code
  }

  function renew(): void {
    show(fresh())
  }

  function redeem(text: string, address: string): Redeemed {
    if (!current) return { is: 'closed' }
    const seconds = waits.of(address)
    if (seconds > 0) return { is: 'waiting', seconds }
    if (same(text.replace(/[\s-]/g, ''), current.code)) {
      spent = current
      current = null
      expiring?.cancel()
      return { is: 'paired' }
    }
    waits.count(address)
    current.wrong++
    if (current.wrong >= wrongTries && monotonic() - current.since >= shownForMs) renew()
    return { is: 'wrong' }
  }

  return {
    open: fresh,
    code: () => current?.code ?? null,
    redeem,
    giveBack() {
      if (current || !spent) return
      current = spent
      const left = Math.max(0, current.since + validForMs - monotonic())
      expiring = clock.setTimeout(renew, left)
      expiring.unref()
    },
    close: () => expiring?.cancel(),
  }
}

/** How long addresses wait: 1 s after the third wrong code, then twice as long each time, five minutes at most. */
function waitingAddresses(monotonic: () => number) {
  const wrong = new Map<string, { times: number; until: number }>()
  return {
    of(address: string): number {
      const until = wrong.get(networkOf(address))?.until ?? 0
      return Math.max(0, Math.ceil((until - monotonic()) / 1_000))
    },
    count(address: string): void {
      const key = networkOf(address)
      const times = (wrong.get(key)?.times ?? 0) + 1
      const wait = times > freeTries ? Math.min(1_000 * 2 ** (times - freeTries - 1), longestWaitMs) : 0
      wrong.delete(key)
      wrong.set(key, { times, until: monotonic() + wait })
      for (const oldest of wrong.keys()) {
        if (wrong.size <= mostAddresses) break
        wrong.delete(oldest)
      }
    },
  }
}

/** Takes the same time wherever the first wrong digit is. */
function same(given: string, code: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(code)]
  return a.length === b.length && timingSafeEqual(a, b)
}
