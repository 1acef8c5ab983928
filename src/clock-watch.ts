import { keepSynchronised, noteJudged, synchronisedAt } from './clock-changes.ts'
import type { JudgedClock, Judgement, TimeEvidence } from './host/judged-clock.ts'
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
  failed(error: unknown): void
}

/** Looks at the clock for ever: listens for time servers, and writes down when it comes into doubt and when it is well again. */
export function clockWatch({ clock, door, timeSync, failed }: ClockWatchOptions): {
  /** Looks at once. */
  look(): Promise<void>
  close(): void
} {
  let noted: Judgement = 'plausible'
  let kept = Number.NEGATIVE_INFINITY

  async function look(): Promise<void> {
    try {
      if (clock.heard(await timeSync())) await keep()
      const { judgement, machine, floor } = clock.judged()
      if (judgement === noted) return
      await door.write(noteJudged, { judgement, machine, floor }, { actor })
      noted = judgement
    } catch (error) {
      failed(error)
    }
  }

  async function keep(): Promise<void> {
    if (clock.monotonic() - kept < keepsEveryMs) return
    await door.write(keepSynchronised, { at: clock.now() }, { actor, patient: true })
    kept = clock.monotonic()
  }

  const timer = clock.setInterval(() => void look(), looksEveryMs).unref()
  return { look, close: () => timer.cancel() }
}
