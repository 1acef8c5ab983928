import type { Clock } from '../../../host/clock.ts'
import type { PmsChange, ReservationChange } from '../../sync-contract.ts'
import type { Outcome } from './apply.ts'

/** What was heard of a reservation so shortly before everything is fetched may be newer than what is fetched from a copy of the PMS. */
const marginMs = 60_000
/** More reservations than a hotel has that are not over, and than have changed since a backup. */
const [mostConfirmed, mostEarlier] = [50_000, 5_000]

/**
 * Reservations whose revision is earlier than the one known here in all that is fetched from the beginning. The PMS itself went back
 * then, to a backup or to the right time, and what it reports is what it has.
 */
export function fullLoad({ now }: Pick<Clock, 'now'>) {
  let since: number | null = null
  const earlier = new Map<string, ReservationChange>()
  /** Reported in the revision that is known here, or in a later one. */
  const confirmed = new Set<string>()

  function end(): void {
    since = null
    confirmed.clear()
    earlier.clear()
  }

  return {
    /** A page is requested with a cursor. */
    request(cursor: string | null): void {
      if (cursor !== null) return
      end()
      since = now() - marginMs
    },
    /** What became of a report of a page. A PMS that sends its whole history sends the known revision too. */
    note(change: PmsChange, outcome: Outcome): void {
      if (since === null || change.is !== 'reservation') return
      const { externalId } = change
      if (!('is' in outcome) || outcome.is !== 'stale') {
        confirmed.add(externalId)
        earlier.delete(externalId)
      } else if (!confirmed.has(externalId)) earlier.set(externalId, change)
      if (confirmed.size > mostConfirmed || earlier.size > mostEarlier) end()
    },
    /** What is to be taken although its revision is earlier, after the last page; null for nothing. */
    rest(): { changes: ReservationChange[]; presentSince: number } | null {
      const rest = since !== null && earlier.size > 0 ? [...earlier.values()] : null
      return rest && { changes: rest, presentSince: since! }
    },
    end,
  }
}

export type FullLoad = ReturnType<typeof fullLoad>
