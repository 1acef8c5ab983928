import { keepSynchronised, noteJudged, synchronisedAt } from './clock-changes.ts'
import {
  doubtOf,
  type JudgedClock,
  type JudgedTime,
  type Judgement,
  type TimeEvidence,
} from './host/judged-clock.ts'
import type { Log } from './host/log.ts'
import type { TimeSync } from './host/time-sync.ts'
import type { Door } from './resource/change.ts'
import type { Reader } from './resource/keeper.ts'

const looksEveryMs = 30_000
/** How often the disk is told of a clock that is well. */
const keepsEveryMs = 3_600_000

const actor = { by: 'clock-watch', requestId: null }

/** What the store knows of the time. The line that was written last counts, not the latest: a clock may have been ahead. */
export function timeEvidence(reader: Reader): TimeEvidence {
  const newestRow = reader.count('SELECT at FROM journal ORDER BY sequence DESC LIMIT 1')
  return { newestRow: newestRow || null, synchronisedAt: reader.counter(synchronisedAt) || null }
}

export interface ClockWatchOptions {
  clock: JudgedClock
  door: Door
  /** Asks what sets the machine's clock. Never rejects. */
  timeSync(): Promise<TimeSync>
  log: Log
  failed(error: unknown): void
}

/** Looks at the clock for ever: listens for time servers, and writes down when it comes into doubt and when it is well again. */
export function clockWatch({ clock, door, timeSync, log, failed }: ClockWatchOptions): {
  /** Looks at once. */
  look(): Promise<void>
  close(): void
} {
  let told: Judgement = 'plausible'
  let noted: Judgement = 'plausible'
  let kept = Number.NEGATIVE_INFINITY

  async function look(): Promise<void> {
    try {
      if (clock.heard(await timeSync())) await keep()
      const judged = clock.judged()
      const { judgement, machine, floor } = judged
      if (judgement !== told) tell(judged)
      if (judgement === noted) return
      await door.write(noteJudged, { judgement, machine, floor }, { actor })
      noted = judgement
    } catch (error) {
      failed(error)
    }
  }

  /** A line when the clock comes into doubt, and one when it is well again. */
  function tell(judged: JudgedTime): void {
    told = judged.judgement
    if (told === 'plausible') log.warn('clock.plausible')
    else log.warn({ judgement: told, output: doubtOf(judged) }, 'clock.implausible')
  }

  async function keep(): Promise<void> {
    if (clock.monotonic() - kept < keepsEveryMs) return
    await door.write(keepSynchronised, { at: clock.now() }, { actor, patient: true })
    kept = clock.monotonic()
  }

  const timer = clock.setInterval(() => void look(), looksEveryMs).unref()
  return { look, close: () => timer.cancel() }
}
