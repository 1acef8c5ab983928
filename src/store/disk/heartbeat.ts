import type { Clock } from '../../host/clock.ts'
import type { ToWriter } from '../messages.ts'

/**
 * The period of the heartbeats. `clock` is the machine's clock, also in a simulation, because the speed of a
 * real disk is not simulated.
 */
export interface Beat {
  clock: Clock
  everyMs: number
}

/**
 * After this many unanswered beats the disk counts as hanging. It must be longer than the busy timeout of a
 * database that another program holds.
 */
const mostUnanswered = 3

/**
 * Sends the writer a heartbeat each period. While the disk is in trouble, a beat also makes the writer test
 * the disk.
 */
export function heartbeat(
  { clock, everyMs }: Beat,
  {
    post,
    isInTrouble,
    hangs,
    answers,
    passed,
  }: {
    post(message: ToWriter): void
    isInTrouble(): boolean
    hangs(): void
    answers(): void
    /** Called each period. */
    passed(): void
  },
) {
  let beats = 0
  const beating = clock
    .setInterval(() => {
      passed()
      if (beats === 0) {
        post({ is: 'beat' })
        if (isInTrouble()) post({ is: 'try' })
      }
      if (beats === mostUnanswered) hangs()
      beats++
    }, everyMs)
    .unref()
  return {
    answered() {
      if (beats > mostUnanswered) answers()
      beats = 0
    },
    stop: beating.cancel,
  }
}
