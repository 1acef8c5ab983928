import type { Clock } from '../../../host/clock.ts'

/** After the line was down, sending waits so long at most for what is to be fetched: what is sent is then rarely outdated. */
const longestMs = 60_000

/** Whether what happens here may be sent: the pull comes to its end first after the line was down, or has had a minute. */
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
    /**
     * After a round of the pull. A PMS that has more without end can be sent something; one that cannot be asked what it has
     * cannot.
     */
    after({ isLeft, isHeld, isEndless }: Record<'isLeft' | 'isHeld' | 'isEndless', boolean>): void {
      if (isHeld && !isEndless) again()
      else if (isEndless || !isLeft) hasPulled = true
      else if (!hasPulled) {
        since ??= monotonic()
        hasPulled = monotonic() - since >= longestMs
      }
    },
  }
}
