import type { ChangePage, News } from '../sync-side.ts'
import type { Aside } from './aside.ts'
import { cursors } from './cursor.ts'
import type { HouseStays } from './house-stays.ts'
import type { Reported } from './reported.ts'

/** What the house is told of the guests, page by page. */
interface FeedPages {
  /** The house has all up to this cursor: what is told from here on is later. */
  begin(cursor: string | null): void
  /** What is later than the cursor; everything for null, and for one that nothing is remembered of. */
  after(cursor: string | null): ChangePage
  /** Brings what the house was not told yet to whoever follows, or has him ask for it. */
  publish(follower: News): void
}

export function feedPages(news: Reported, refused: Aside, house: Pick<HouseStays, 'has'>): FeedPages {
  const places = cursors()
  /** Up to where the house was told; null before it has asked. */
  let shown: number | null = null

  function pageAfter(from: number | null): ChangePage {
    const { changes, place, more } = news.after(from)
    // Who begins with nothing has no use for what is over, but for what he has in house himself.
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
