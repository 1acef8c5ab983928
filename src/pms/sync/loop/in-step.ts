import { type Linked, sumOf } from './linked.ts'

/** That nothing is left is kept so often while it stays so. */
const keepEveryMs = 60_000

/** When nothing was left in either direction, which is kept where it is news. */
export function inStep(inLink: Linked, outLink: Linked) {
  let at: number | null = inLink.link().inStepAt ?? null
  let keptAt: number | null = null
  let isSettled = false

  return {
    /** Unix milliseconds at which nothing was left to be fetched last; null when that was never so. */
    at: () => at,
    /** Nothing was left to be fetched at this time. */
    known(knownAt: number): void {
      at = knownAt
    },
    /** Something is left, or it is not known. */
    unsettle(): void {
      isSettled = false
    },
    /** Nothing is left. */
    async keep(): Promise<void> {
      const isNews = !isSettled
      isSettled = true
      if (!isNews && Math.abs((at ?? 0) - (keptAt ?? 0)) < keepEveryMs) return
      keptAt = at
      const counts = sumOf(inLink.counts, outLink.counts)
      const { id: configurationId } = inLink.configuration
      await inLink.write(inLink.changes.keepInStep, { configurationId, inStepAt: at, counts, isNews })
    },
  }
}
