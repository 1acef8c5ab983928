import type { ChangePage, PmsChange, SyncNotifications } from '../../sync-contract.ts'
import { cursors } from './cursor.ts'
import type { LocalStays } from './local-stays.ts'
import type { Quarantine } from './quarantine.ts'
import type { Reports } from './reports.ts'

/** The reports and the quarantined records for the appliance, in pages. */
interface FeedPages {
  /** Call it before reports are made for this cursor: their positions are later than its position. */
  begin(cursor: string | null): void
  /** The changes after the cursor. All changes for null, for a cursor from before a restart, and for one that is too old. */
  after(cursor: string | null): ChangePage
  /**
   * Sends the changes that were not sent yet to the follower. Pokes it instead when they fill more than a page, and when
   * the appliance has not requested any page yet.
   */
  publish(follower: SyncNotifications): void
}

/** Hands out the reports of a link in pages, each with the cursor behind it. */
export function feedPages(
  reports: Reports,
  quarantine: Quarantine,
  localStays: Pick<LocalStays, 'has'>,
): FeedPages {
  const { write, read } = cursors()
  /** The position up to which changes were sent; null before the first request. */
  let sentUpTo: number | null = null

  function pageAfter(from: number | null): ChangePage {
    const { changes, position, more } = reports.after(from)
    const wanted = from === null ? changes.filter(isNeeded) : changes
    sentUpTo = position
    const refused = quarantine.between(from, position)
    const settlesUnreadable = quarantine.isSettled(from, position)
    return { changes: wanted, refused, settlesUnreadable, cursor: write(position), more }
  }

  /** A full load leaves out stays that are over, except those that the appliance still has in house. */
  function isNeeded(change: PmsChange): boolean {
    if (change.is !== 'reservation' || change.value?.stays[0]?.status !== 'CheckedOut') return true
    return localStays.has(change.externalId, 'InHouse')
  }

  return {
    begin(cursor) {
      const at = read(cursor)
      if (at) reports.notBefore(at.position)
    },
    after(cursor) {
      const at = read(cursor)
      if (!at?.isOurs || !reports.remembers(at.position)) return pageAfter(null)
      quarantine.forget(at.position)
      return pageAfter(at.position)
    },
    publish(follower) {
      if (reports.position === sentUpTo) return
      if (sentUpTo === null || reports.after(sentUpTo).more) {
        follower.poke()
        return
      }
      const previous = write(sentUpTo)
      follower.changes({ ...pageAfter(sentUpTo), previous })
    },
  }
}
