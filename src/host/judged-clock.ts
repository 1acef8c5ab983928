import { type Clock, clockOf } from './clock.ts'
import { confirmedStart } from './confirmed-start.ts'
import type { TimeSync } from './time-sync.ts'

/**
 * `behind`: the machine's clock shows a time that has already passed. `ahead`: it is far ahead of every known
 * time, and no time server confirms it.
 */
export type Judgement = 'plausible' | 'behind' | 'ahead'

/** What is known of the time; all times in Unix milliseconds. */
export interface JudgedTime {
  judgement: Judgement
  /** The machine's own clock. */
  machine: number
  /** The earliest possible current time. */
  floor: number
  /** A person has stated date and time, and no time server has answered since. */
  stated: boolean
  /**
   * False when the clock may show a wrong day although it is plausible: since the machine was started, or its clock set
   * by an hour or more, no time server, no battery-backed clock and no person has confirmed it.
   */
  confirmed: boolean
}

/** What the store knows of the time, Unix milliseconds; null where there is no record. */
export interface TimeEvidence {
  /** The time of the newest journal line. */
  newestRow: number | null
  /** When a time server last answered. */
  synchronisedAt: number | null
  /** Returns when a start of the machine was by the clock that was confirmed last in it; null for no confirmation. */
  confirmedBoot(id: string): number | null
}

/**
 * The wall clock of the appliance. It shows the machine's clock while that is plausible. Otherwise it
 * continues from the latest known time by the monotonic clock, so that a jump of the clock does not expire or
 * age anything.
 */
export type JudgedClock = ReturnType<typeof judgedClock>

/** Returns a text for people: what is wrong with the clock, what it means, and what to do. */
export function doubtOf({
  judgement,
  machine,
  floor,
}: Pick<JudgedTime, 'judgement' | 'machine' | 'floor'>): string {
  const [shown, known] = [machine, floor].map((each) =>
    new Date(each).toISOString().slice(0, 16).replace('T', ' '),
  )
  const wrong =
    judgement === 'behind'
      ? `but ${known} UTC has already passed`
      : `the last time known is ${known} UTC, and no time server confirms the step`
  return `The clock of the box shows ${shown} UTC, ${wrong}. Until the time is certain, no key is made and nothing is deleted because of its age. Connect a time server, or state date and time.`
}

const minute = 60_000
const day = 86_400_000
/** The clock may be set back by at most this much. */
const mostBehindMs = 5 * minute
/** The longest time that a box may have been off before its clock counts as `ahead`. */
const mostAheadMs = 45 * day
/**
 * After an unconfirmed step ahead of more than this, data are deleted by age only when the step has lasted.
 */
const longStepMs = day
/** How long such a step must last, by the monotonic clock. */
const lastsMs = day

/** A wall time at a time of the monotonic clock; later wall times are computed from it. */
interface Line {
  wall: number
  monotonic: number
}

/** A step ahead that no time server confirmed. The clock may go back to the line before it. */
interface Step {
  from: Line
  /** The size of the step, in milliseconds. */
  ahead: number
  /** When the step was seen, monotonic milliseconds. */
  at: number
}

/**
 * Creates the appliance's clock from a machine's clock. `builtAt`: when the program was built, Unix
 * milliseconds.
 */
export function judgedClock(machine: Clock, builtAt: number) {
  const confirmation = confirmedStart(machine)
  const judge = new Judge(machine, builtAt, confirmation)
  return {
    ...clockOf({ ...machine, now: () => judge.now() }),
    isPlausible: () => judge.isPlausible(),
    mayForget: () => judge.mayForget(),
    judged: (): JudgedTime => judge.judged(),
    /** Returns the start of the machine by its present clock; null where that is not known. */
    machineStart: confirmation.start,
    /** Returns the confirmation of the clock that is not stored yet; null for none. */
    confirmationToKeep: confirmation.toKeep,
    /** When the program was built, Unix milliseconds. The current time cannot be earlier. */
    builtAt,
    /**
     * Passes the evidence of the store, once, before anything is written. Until then the clock is not
     * plausible.
     */
    begin: (evidence: TimeEvidence): void => judge.begin(evidence),
    /**
     * Passes the state of time synchronisation, periodically. Returns true when it is newer confirmation by a
     * time server.
     */
    updateSync: (seen: TimeSync): boolean => judge.updateSync(seen),
    /**
     * A person states the time, Unix milliseconds. It is valid until a time server answers or the appliance
     * restarts.
     */
    state: (wall: number): void => judge.state(wall),
    /** A person confirms the time that the appliance shows. */
    confirm: (): void => judge.confirm(),
  }
}

/** What is known of the time, and whether the machine's clock is believed. */
class Judge {
  readonly #machine: Clock
  readonly #builtAt: number
  readonly #confirmation: ReturnType<typeof confirmedStart>
  #hasBegun = false
  #line: Line
  /** The build date alone gives no usable floor. */
  #isFloor = false
  #step: Step | null = null
  #stated = false
  /** A time server that reports an earlier time than this is wrong. */
  #earliest: number
  #lastSync: number | null = null

  constructor(machine: Clock, builtAt: number, confirmation: ReturnType<typeof confirmedStart>) {
    this.#machine = machine
    this.#builtAt = builtAt
    this.#confirmation = confirmation
    this.#line = this.#lineAt(builtAt)
    this.#earliest = builtAt
  }

  now(): number {
    const isMachine = this.#judge() === 'plausible' && !this.#stated
    return isMachine ? this.#machine.now() : this.#timeOn(this.#line)
  }

  isPlausible(): boolean {
    return this.#hasBegun && this.#judge() === 'plausible'
  }

  mayForget(): boolean {
    return this.isPlausible() && !(this.#step && this.#step.ahead > longStepMs)
  }

  judged(): JudgedTime {
    return {
      judgement: this.#judge(),
      machine: this.#machine.now(),
      floor: this.#timeOn(this.#line),
      stated: this.#stated,
      confirmed: this.#stated || this.#confirmation.isConfirmed(),
    }
  }

  begin({ newestRow, synchronisedAt, confirmedBoot }: TimeEvidence): void {
    this.#earliest = Math.max(this.#builtAt, synchronisedAt ?? 0)
    this.#isFloor = newestRow !== null || synchronisedAt !== null
    this.#confirmation.begin({ isNew: !this.#isFloor, confirmedBoot })
    this.#line = this.#lineAt(Math.max(this.#earliest, newestRow ?? 0))
    this.#hasBegun = true
  }

  updateSync(seen: TimeSync): boolean {
    const { synced, syncedAt } = seen
    this.#confirmation.look(seen)
    if (!synced || syncedAt === null || syncedAt === this.#lastSync) return false
    const wall = this.#machine.now()
    const age = wall - syncedAt
    // The clock was set by hand after the synchronisation, so the time server no longer confirms it.
    if (age < -mostBehindMs || age > mostAheadMs || wall < this.#earliest - mostBehindMs) return false
    this.#lastSync = syncedAt
    this.#earliest = Math.max(this.#earliest, syncedAt)
    this.#stated = false
    this.#prove(wall)
    this.#confirmation.confirm()
    return true
  }

  state(wall: number): void {
    this.#stated = true
    this.#prove(wall)
    this.#confirmation.withdraw()
  }

  confirm(): void {
    this.#prove(this.now())
    if (!this.#stated) this.#confirmation.confirm()
  }

  #lineAt(wall: number): Line {
    return { wall, monotonic: this.#machine.monotonic() }
  }

  #timeOn({ wall, monotonic }: Line): number {
    return Math.floor(wall + this.#machine.monotonic() - monotonic)
  }

  #judge(): Judgement {
    if (this.#stated) return 'plausible'
    const wall = this.#machine.now()
    const off = wall - this.#timeOn(this.#line)
    if (this.#isFloor && off > mostAheadMs) return 'ahead'
    if (off < -mostBehindMs) {
      if (!this.#step || wall < this.#timeOn(this.#step.from) - mostBehindMs) return 'behind'
      this.#line = this.#step.from
      this.#step = null
      return this.#judge()
    }
    if (this.#hasBegun && off > 0) this.#follow(wall, off)
    if (this.#step && this.#machine.monotonic() - this.#step.at >= lastsMs) this.#step = null
    return 'plausible'
  }

  #follow(wall: number, off: number): void {
    if (this.#isFloor && off > mostBehindMs) {
      const from = this.#step?.from ?? this.#line
      this.#step = { from, ahead: wall - this.#timeOn(from), at: this.#machine.monotonic() }
    }
    this.#line = this.#lineAt(wall)
    this.#isFloor = true
  }

  /** Takes this wall time as confirmed, and forgets any doubt. */
  #prove(wall: number): void {
    this.#line = this.#lineAt(wall)
    this.#isFloor = true
    this.#step = null
  }
}
