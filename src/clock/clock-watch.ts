import type { BackgroundWork } from '../host/background-work.ts'
import {
  doubtOf,
  type JudgedClock,
  type JudgedTime,
  type Judgement,
  type TimeEvidence,
} from '../host/judged-clock.ts'
import type { Log } from '../host/log.ts'
import { nothingKnown, type TimeSync } from '../host/time-sync.ts'
import type { Writer } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import {
  confirmedBoot,
  keepConfirmed,
  keepSynchronised,
  noteJudged,
  synchronisedAt,
} from './clock-commands.ts'

const looksEveryMs = 30_000
/** How often the time of a plausible clock is stored. */
const keepsEveryMs = 3_600_000

const actor = { by: 'clock-watch', requestId: null }

/**
 * Returns what the store knows of the time. The line with the highest sequence counts, not the latest time: a
 * clock may have been ahead.
 */
export function timeEvidence(reader: Reader): TimeEvidence {
  const newestRow = reader.count('SELECT at FROM journal ORDER BY sequence DESC LIMIT 1')
  return {
    newestRow: newestRow || null,
    synchronisedAt: reader.counter(synchronisedAt) || null,
    confirmedBoot: (id) => reader.counter(confirmedBoot(id)) || null,
  }
}

interface ClockWatchOptions {
  clock: JudgedClock
  writer: Writer
  /** Returns how the machine's clock is synchronised. Never rejects. */
  timeSync(): Promise<TimeSync>
  log: Log
  background: BackgroundWork
  failed(error: unknown): void
}

/**
 * Checks the clock twice a minute, and whenever `look` is called. Records when it comes into doubt, and when it is
 * plausible again.
 */
export function clockWatch({ clock, writer, timeSync, log, background, failed }: ClockWatchOptions) {
  let sync = nothingKnown
  let logged: Judgement = 'plausible'
  let noted: Judgement = 'plausible'
  /** When a time server was heard that is not stored yet, Unix milliseconds. */
  let heardAt: number | null = null
  let kept = Number.NEGATIVE_INFINITY
  let isConfirmed = true
  let isWriting = false

  /** Checks at once. Resolves when the clock is judged, before the result is recorded. */
  async function look(): Promise<void> {
    sync = await timeSync()
    if (clock.updateSync(sync)) heardAt = clock.now()
    const judged = clock.judged()
    if (judged.judgement !== logged) logChange(judged)
    if (judged.confirmed !== isConfirmed) logConfirmed(judged)
    if (!isWriting) void writeDown(judged)
  }

  /** Logs one line when the clock comes into doubt, and one when it is plausible again. */
  function logChange(judged: JudgedTime): void {
    logged = judged.judgement
    if (logged === 'plausible') log.warn('clock.plausible')
    else log.warn({ judgement: logged, output: doubtOf(judged) }, 'clock.implausible')
  }

  function logConfirmed({ confirmed, machine }: JudgedTime): void {
    isConfirmed = confirmed
    const shown = new Date(machine).toISOString()
    if (confirmed) log.info({ shown }, 'clock.confirmed')
    else log.warn({ shown }, 'clock.unconfirmed')
  }

  /**
   * Records the judgement. The writer may be busy for minutes, as with its check at the start. A failed write
   * is retried at the next check.
   */
  async function writeDown(judged: JudgedTime): Promise<void> {
    isWriting = true
    try {
      await note(judged)
      await keep()
      const confirmation = clock.confirmationToKeep()
      if (confirmation) await writer.execute(keepConfirmed, confirmation, { actor, lowPriority: true })
    } catch (error) {
      failed(error)
    } finally {
      isWriting = false
    }
  }

  async function note({ judgement, machine, floor }: JudgedTime): Promise<void> {
    if (judgement === noted) return
    await writer.execute(noteJudged, { judgement, machine, floor }, { actor })
    noted = judgement
  }

  async function keep(): Promise<void> {
    if (heardAt === null || clock.monotonic() - kept < keepsEveryMs) return
    const at = heardAt
    await writer.execute(keepSynchronised, { at }, { actor, lowPriority: true })
    kept = clock.monotonic()
    if (heardAt === at) heardAt = null
  }

  const looking = background.every('clock', looksEveryMs, look)
  return {
    /** Checks at once. Resolves when the clock is judged. Never rejects. */
    look: () => look().catch(failed),
    /** Returns the last known synchronisation of the machine's clock. */
    timeSync: () => sync,
    close: () => void looking.close(),
  }
}
