import type { Clock } from '../host/clock.ts'
import type { ToWriter } from './messages.ts'

/** How often the writer is asked whether it is there, by the clock of the machine: how long a disk takes is nobody's play. */
export interface Beat {
  clock: Clock
  everyMs: number
}

/** As many beats without an answer mean that it hangs. Longer than it takes to give up a database that another program holds. */
const mostUnanswered = 3

/** Asks the writer at every beat whether it is there, and lets it try the disk while that is in trouble. */
export function heartbeat(
  { clock, everyMs }: Beat,
  {
    post,
    isInTrouble,
    hangs,
    answers,
  }: { post(message: ToWriter): void; isInTrouble(): boolean; hangs(): void; answers(): void },
) {
  let beats = 0
  const beating = clock
    .setInterval(() => {
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
