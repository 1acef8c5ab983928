import type { Clock } from '../host/clock.ts'

const signals = ['SIGTERM', 'SIGINT'] as const

/** Resolves with the first SIGTERM or SIGINT. The next signal ends the process. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of signals) process.off(signal, stop)
      resolve()
    }
    for (const signal of signals) process.on(signal, stop)
  })
}

/** So long a stop may take, in milliseconds. The unit allows it 30 s (`TimeoutStopSec`). */
export const longestStopMs = 25_000

/**
 * Ends the process 25 s after `stop`, when it has not ended in order until then. `process.exit` would wait for the threads,
 * and a thread whose flush hangs does not end; a signal does not wait. Only what is on the disk was answered with success,
 * so nothing of that is lost: it is as after a power cut.
 */
export async function endAfter(
  stop: Promise<void>,
  clock: Clock,
  end: () => void = () => process.kill(process.pid, 'SIGTERM'),
): Promise<void> {
  await stop
  const ending = clock.setTimeout(() => {
    console.error(
      `nightporter: the stop has taken ${longestStopMs / 1_000} s, because the disk or a device is slow. The process ends now. Every change that was confirmed is on the disk; the next start takes it up. If this repeats, check the disk.`,
    )
    end()
  }, longestStopMs)
  ending.unref()
}
