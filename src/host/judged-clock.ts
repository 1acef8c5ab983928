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
  let hasBegun = false
  let line = lineAt(builtAt)
  /** The build date alone gives no usable floor. */
  let isFloor = false
  let step: Step | null = null
  let stated = false
  /** A time server that reports an earlier time than this is wrong. */
  let earliest = builtAt
  let lastSync: number | null = null
  const confirmation = confirmedStart(machine)

  function lineAt(wall: number): Line {
    return { wall, monotonic: machine.monotonic() }
  }

  function timeOn({ wall, monotonic }: Line): number {
    return Math.floor(wall + machine.monotonic() - monotonic)
  }

  function judge(): Judgement {
    if (stated) return 'plausible'
    const wall = machine.now()
    const off = wall - timeOn(line)
    if (isFloor && off > mostAheadMs) return 'ahead'
    if (off < -mostBehindMs) {
      if (!isTakenBack(wall)) return 'behind'
      line = step!.from
      step = null
      return judge()
    }
    if (hasBegun && off > 0) follow(wall, off)
    if (step && hasLasted(step)) step = null
    return 'plausible'
  }

  function isTakenBack(wall: number): boolean {
    return step !== null && wall >= timeOn(step.from) - mostBehindMs
  }

  function follow(wall: number, off: number): void {
    if (isFloor && off > mostBehindMs) {
      const from = step?.from ?? line
      step = { from, ahead: wall - timeOn(from), at: machine.monotonic() }
    }
    line = lineAt(wall)
    isFloor = true
  }

  function hasLasted({ at }: Step): boolean {
    return machine.monotonic() - at >= lastsMs
  }

  /** Takes this wall time as confirmed, and forgets any doubt. */
  function prove(wall: number): void {
    line = lineAt(wall)
    isFloor = true
    step = null
  }

  const isPlausible = () => hasBegun && judge() === 'plausible'
  const now = () => (judge() === 'plausible' && !stated ? machine.now() : timeOn(line))
  return {
    ...clockOf({ ...machine, now }),
    isPlausible,
    mayForget: () => isPlausible() && !(step && step.ahead > longStepMs),
    judged: (): JudgedTime => ({
      judgement: judge(),
      machine: machine.now(),
      floor: timeOn(line),
      stated,
      confirmed: stated || confirmation.isConfirmed(),
    }),
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
    begin({ newestRow, synchronisedAt, confirmedBoot }: TimeEvidence): void {
      earliest = Math.max(builtAt, synchronisedAt ?? 0)
      isFloor = newestRow !== null || synchronisedAt !== null
      confirmation.begin({ isNew: !isFloor, confirmedBoot })
      line = lineAt(Math.max(earliest, newestRow ?? 0))
      hasBegun = true
    },
    /**
     * Passes the state of time synchronisation, periodically. Returns true when it is newer confirmation by a
     * time server.
     */
    updateSync(seen: TimeSync): boolean {
      const { synced, syncedAt } = seen
      confirmation.look(seen)
      if (!synced || syncedAt === null || syncedAt === lastSync) return false
      const wall = machine.now()
      const age = wall - syncedAt
      // The clock was set by hand after the synchronisation, so the time server no longer confirms it.
      if (age < -mostBehindMs || age > mostAheadMs || wall < earliest - mostBehindMs) return false
      lastSync = syncedAt
      earliest = Math.max(earliest, syncedAt)
      stated = false
      prove(wall)
      confirmation.confirm()
      return true
    },
    /**
     * A person states the time, Unix milliseconds. It is valid until a time server answers or the appliance
     * restarts.
     */
    state(wall: number): void {
      stated = true
      prove(wall)
      confirmation.withdraw()
    },
    /** A person confirms the time that the appliance shows. */
    confirm(): void {
      prove(now())
      if (!stated) confirmation.confirm()
    },
  }
}
