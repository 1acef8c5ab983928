import { type Clock, clockOf } from './clock.ts'
import type { TimeSync } from './time-sync.ts'

/**
 * `behind`: the machine's clock shows a time that has passed already. `ahead`: it is far ahead of anything known, and no time
 * server vouches for it.
 */
export type Judgement = 'plausible' | 'behind' | 'ahead'

/** What is known of the time, all in Unix milliseconds. */
export interface JudgedTime {
  judgement: Judgement
  /** What the machine's own clock shows. */
  machine: number
  /** It is this late at least. */
  floor: number
  /** A person has stated date and time, and no time server has been heard since. */
  stated: boolean
}

/** What the store knows of the time, Unix milliseconds; null for what there is not. */
export interface TimeEvidence {
  /** The line of the journal that was written last. */
  newestRow: number | null
  /** When a time server was last heard. */
  synchronisedAt: number | null
}

/**
 * The wall clock of the appliance: the machine's, as long as that is plausible. While it is not, time goes on from the latest
 * moment known, by the monotonic clock: so nothing expires, and nothing is old, because a clock has jumped.
 */
export interface JudgedClock extends Clock {
  judged(): JudgedTime
  /** When the program was built: date and time cannot be earlier. */
  builtAt: number
  /** Once, before anything is written. Until then the clock is not plausible. */
  begin(evidence: TimeEvidence): void
  /** Told again and again what sets the machine's clock. True where it is news of a time server. */
  heard(sync: TimeSync): boolean
  /** A person says what time it is, Unix milliseconds. That holds until a time server is heard, or the next start. */
  state(wallMs: number): void
}

/** What is wrong with a clock that is not plausible, what that means, and what to do. */
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
      ? `but it was ${known} UTC already`
      : `the last time known is ${known} UTC, and no time server was heard`
  return `The clock of the box shows ${shown} UTC, ${wrong}. No key is made and nothing is deleted for its age until that is settled. Connect a time server, or state date and time (nightporter clock state).`
}

const minute = 60_000
const day = 86_400_000
/** A clock may be set back by so much. */
const mostBehindMs = 5 * minute
/** A box that was off for so long still knows the time. */
const mostAheadMs = 45 * day
/** An unproven step ahead by more than this must last before anything is forgotten over it. */
const longStepMs = day
/** So long it must last, by the monotonic clock. */
const lastsMs = day

/** A wall time at a moment of the monotonic clock: from there time goes on. */
interface Line {
  wall: number
  monotonic: number
}

/** A step ahead that no time server vouches for: it may be taken back to the line before it. */
interface Step {
  from: Line
  /** By how much, in milliseconds. */
  ahead: number
  /** Monotonic milliseconds. */
  at: number
}

/** Judges the clock of a machine. `builtAt`: when the program was built, Unix milliseconds. */
export function judgedClock(machine: Clock, builtAt: number): JudgedClock {
  let hasBegun = false
  let line = lineAt(builtAt)
  /** The build date alone says nothing of how late it is. */
  let isFloor = false
  let step: Step | null = null
  let stated = false
  /** A time server that says an earlier time than this is wrong. */
  let earliest = builtAt
  let lastHeard: number | null = null

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

  /** From here on this is the time, whatever was thought before. */
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
    judged: () => ({ judgement: judge(), machine: machine.now(), floor: timeOn(line), stated }),
    builtAt,
    begin({ newestRow, synchronisedAt }) {
      earliest = Math.max(builtAt, synchronisedAt ?? 0)
      isFloor = newestRow !== null || synchronisedAt !== null
      line = lineAt(Math.max(earliest, newestRow ?? 0))
      hasBegun = true
    },
    heard({ synced, syncedAt }) {
      if (!synced || syncedAt === null || syncedAt === lastHeard) return false
      const wall = machine.now()
      const age = wall - syncedAt
      // A clock that was set by hand since then is vouched for by nobody.
      if (age < -mostBehindMs || age > mostAheadMs || wall < earliest - mostBehindMs) return false
      lastHeard = syncedAt
      earliest = Math.max(earliest, syncedAt)
      stated = false
      prove(wall)
      return true
    },
    state(wall) {
      stated = true
      prove(wall)
    },
  }
}
