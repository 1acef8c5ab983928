import type { Clock } from './clock.ts'
import type { TimeSync } from './time-sync.ts'

/** A start of the machine. */
export interface MachineStart {
  /** Random for each start. */
  id: string
  /** When it was by the clock of the machine, Unix milliseconds. It moves when the clock is set, and not while the machine sleeps. */
  bootedAt: number
}

/** What the store knows of earlier confirmations. */
interface ConfirmationEvidence {
  /** Nothing was ever written on this box: a person is just setting it up. */
  isNew: boolean
  /** Returns when this start of the machine was by the clock that was confirmed last in it; null for no confirmation. */
  confirmedBoot(id: string): number | null
}

const minute = 60_000
/** A clock that was set by more than this is to be confirmed again. */
const mostSetMs = 60 * minute
/** A battery-backed clock that differs by no more confirms the clock. */
const agreesMs = 5 * minute
/** A confirmation is stored again when the confirmed clock has moved by this much. */
const keptFromMs = minute

/**
 * Knows whether anything has confirmed the machine's clock since the machine was started: a time server, a battery-backed
 * clock that agrees, or a person. A box without a battery goes on with the time at which it was switched off.
 */
export function confirmedStart(machine: Pick<Clock, 'now'>) {
  let evidence: ConfirmationEvidence = { isNew: false, confirmedBoot: () => null }
  let start: MachineStart | null = null
  let confirmed: MachineStart | null = null

  function isConfirmed(): boolean {
    return start === null || (confirmed?.id === start.id && apart(start, confirmed.bootedAt) < mostSetMs)
  }

  return {
    /** Passes the evidence of the store, once. */
    begin(known: ConfirmationEvidence): void {
      evidence = known
    },
    /** Passes what the machine says of its start and of its battery-backed clock, periodically. */
    look({ boot, rtcAt }: Pick<TimeSync, 'boot' | 'rtcAt'>): void {
      if (boot === null) return
      const now = machine.now()
      const isFirstLook = start === null
      const known = start?.id === boot.id ? null : evidence.confirmedBoot(boot.id)
      start = { id: boot.id, bootedAt: now - boot.upMs }
      if (known !== null) confirmed = { id: boot.id, bootedAt: known }
      const agrees = rtcAt !== null && Math.abs(rtcAt - now) <= agreesMs
      if (agrees || (isFirstLook && evidence.isNew)) confirmed = start
    },
    /** Whether the clock is confirmed; true where the machine says nothing of its start. */
    isConfirmed,
    /** The clock is right, as a time server or a person says. */
    confirm(): void {
      confirmed = start
    },
    /** The clock is wrong, as a person says. */
    withdraw(): void {
      confirmed = null
    },
    /** Returns the start of the machine by its present clock; null where the machine does not say it. */
    start: () => start,
    /** Returns the confirmation that is not stored yet; null for none. */
    toKeep(): MachineStart | null {
      if (confirmed === null || !isConfirmed()) return null
      const kept = evidence.confirmedBoot(confirmed.id)
      return kept !== null && apart(confirmed, kept) < keptFromMs ? null : confirmed
    },
  }
}

function apart({ bootedAt }: MachineStart, other: number): number {
  return Math.abs(bootedAt - other)
}
