import type { ChangePage, News } from '../../sync-contract.ts'
import { cursors } from './cursor.ts'
import type { HouseStays } from './local-stays.ts'
import type { Aside } from './quarantine.ts'
import type { Reported } from './reports.ts'

/** The changes of the guests for the appliance, in pages. */
interface FeedPages {
  /** Begins after this cursor: the appliance has all changes up to it. */
  begin(cursor: string | null): void
  /** The changes after the cursor; all changes for null, and for an unknown cursor. */
  after(cursor: string | null): ChangePage
  /** Sends new changes to the follower, or pokes it to poll for them. */
  publish(follower: News): void
}

export function feedPages(news: Reported, refused: Aside, house: Pick<HouseStays, 'has'>): FeedPages {
  const places = cursors()
  /** The cursor up to which changes were reported; null before the first request. */
  let shown: number | null = null

  function pageAfter(from: number | null): ChangePage {
    const { changes, place, more } = news.after(from)
    // An appliance without a cursor does not need stays that are over, except for those that it still has in house.
    const wanted = changes.filter(
      (change) =>
        from !== null ||
        change.is !== 'reservation' ||
        change.value?.stays[0]?.status !== 'CheckedOut' ||
        house.has(change.externalId, 'InHouse'),
    )
    shown = place
    return { changes: wanted, refused: refused.between(from, place), cursor: places.write(place), more }
  }

  return {
    begin(cursor) {
      const at = places.read(cursor)
      if (at) news.notBefore(at.place)
    },
    after(cursor) {
      const at = places.read(cursor)
      if (!at?.isOurs || !news.remembers(at.place)) return pageAfter(null)
      refused.forget(at.place)
      return pageAfter(at.place)
    },
    publish(follower) {
      if (news.place === shown) return
      if (shown === null || news.after(shown).more) {
        follower.nudge()
        return
      }
      const previous = places.write(shown)
      follower.changes({ ...pageAfter(shown), previous })
    },
  }
}
