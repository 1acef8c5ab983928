import type { Clock } from '../host/clock.ts'

/** The progress of a long piece of work. */
export interface Progress {
  bytes: number
  /** The total number of bytes; null when it is not known. */
  totalBytes: number | null
  /** The average rate since the start; null in the first moments. */
  bytesPerSecond: number | null
  /** The estimated remaining time; null without an estimate. */
  secondsLeft: number | null
}

/**
 * The phase of a backup: copying the database, packing and encrypting it, reading the file back, or copying it to the
 * second folder.
 */
export const backupPhases = ['copying', 'packing', 'verifying', 'second-copy'] as const
export type BackupPhase = (typeof backupPhases)[number]

/** Called for each step of a backup with the number of bytes so far, and the total if it is known. */
export type Watch = (phase: BackupPhase, bytes: number, totalBytes: number | null) => void

/** An average over a shorter time is not meaningful. */
const shortestMs = 500

/** Measures the rate of a piece of work. `from` is the number of bytes that existed before the start. */
export function progressMeter({ monotonic }: Pick<Clock, 'monotonic'>, totalBytes: number | null, from = 0) {
  const began = monotonic()
  let bytes = from
  return {
    /** Reports the total number of bytes done. */
    at(done: number): void {
      bytes = done
    },
    shown(): Progress {
      const elapsed = monotonic() - began
      const rate = elapsed < shortestMs ? null : Math.round(((bytes - from) * 1_000) / elapsed)
      const left = rate && totalBytes !== null ? Math.max(0, totalBytes - bytes) / rate : null
      return {
        bytes,
        totalBytes,
        bytesPerSecond: rate,
        secondsLeft: left === null ? null : Math.ceil(left),
      }
    },
  }
}

export type ProgressMeter = ReturnType<typeof progressMeter>
