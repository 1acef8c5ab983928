import type { Clock } from '../host/clock.ts'

/** Records that a kiosk has just searched or changed something. */
export function kioskUse({ monotonic }: Pick<Clock, 'monotonic'>) {
  let at: number | null = null
  return {
    /** Monotonic milliseconds; null when no kiosk has searched or changed anything since the start. */
    at: (): number | null => at,
    conversed(): void {
      at = monotonic()
    },
  }
}
