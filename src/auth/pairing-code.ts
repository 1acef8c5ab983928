import { randomInt, timingSafeEqual } from 'node:crypto'
import type { Clock, Timer } from '../host/clock.ts'
import { networkOf } from './network.ts'

interface PairingOptions {
  clock: Clock
  /** Shows a code that replaces the previous one. */
  show(code: string): void
}

/**
 * The result of an attempt. `waiting`: the code was not checked, because this address must wait `seconds`
 * after its wrong codes.
 */
export type Redeemed = { is: 'paired' | 'wrong' | 'closed' } | { is: 'waiting'; seconds: number }

/** The one open pairing code. It is kept only in memory, so a restart ends it. */
export interface Pairing {
  /** Opens a code of eight digits, valid for 15 minutes. New codes follow until a client has paired. */
  open(): string
  /** Returns the open code; null after a client has paired. */
  code(): string | null
  /**
   * Checks a code; spaces and hyphens are ignored. The result is `paired` once, and `closed` when no code is
   * open.
   */
  redeem(text: string, address: string): Redeemed
  /** Reopens the code after a successful check, because storing the token failed. */
  giveBack(): void
  close(): void
}

interface Open {
  code: string
  since: number
  wrong: number
}

const validForMs = 15 * 60_000
/** After ten wrong attempts the code is replaced, but only if it has been on the screen for at least a minute. */
const wrongTries = 10
const shownForMs = 60_000
/** An address's first two wrong codes cause no wait: they are typing errors. */
const freeTries = 2
const longestWaitMs = 300_000
const mostAddresses = 1_000

/**
 * Pairing with a code that a person reads from the appliance's console. Wrong codes cannot lock it: an address waits
 * longer after each wrong code, and a code with too many wrong attempts is replaced on the screen.
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

/**
 * Computes the waits of addresses: 1 s after the third wrong code, then twice as long each time, at most five
 * minutes.
 */
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

/** Compares in constant time. */
function same(candidate: string, code: string): boolean {
  const [a, b] = [Buffer.from(candidate), Buffer.from(code)]
  return a.length === b.length && timingSafeEqual(a, b)
}
