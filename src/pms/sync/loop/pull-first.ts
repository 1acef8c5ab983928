import type { Clock } from '../../../host/clock.ts'

/**
 * After the line was down, sending waits so long at most for what is to be fetched: what is sent is then rarely outdated. A PMS
 * that can be sent something, and cannot be asked what it has, gets what happens here all the same.
 */
const longestMs = 60_000

/** Whether what happens here may be sent: after the line was down the pull comes to its end first, or has had a minute. */
export function pullFirst({ monotonic }: Clock) {
  let hasPulled = false
  let since: number | null = null

  function again(): void {
    hasPulled = false
    since = null
  }

  return {
    hasPulled: () => hasPulled,
    /** The line is down. */
    again,
    /** After a round of the pull. One that has more without end has had its turn. */
    after({ isLeft, isHeld, isEndless }: Record<'isLeft' | 'isHeld' | 'isEndless', boolean>): void {
      if (hasPulled) return
      since ??= monotonic()
      const isDone = !isLeft && !isHeld
      hasPulled = isEndless || isDone || monotonic() - since >= longestMs
    },
  }
}
