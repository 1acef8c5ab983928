import { UnreadableAnswer } from '../../unreadable-answer.ts'
import type { ReceivedPage } from './received.ts'

/** Pages in a row after which there was more: of any kind, and of those that reported nothing new. */
const mostPages = 10_000
const mostBarren = 1_000

const missing = 'Reservations here may differ from those at the PMS.'
const later = 'Further pages are requested once a minute at most. Ask the maker of the PMS to check this.'

/** Counts the pages of the PMS called `name` since it last had no more. What it has is taken for endless after too many of them. */
export function pageCount(name: string) {
  let pages = 0
  let barren = 0
  /** The cursor of an earlier page, a later one each time that the number of pages has doubled: so any circle is found. */
  let mark: string | null = null
  let circle: string | null = null

  function trouble(): string | null {
    if (circle !== null) return `${name} says that there are more changes, but ${circle}. ${missing} ${later}`
    return pages >= mostPages || barren >= mostBarren
      ? `${name} says after each page that there are more changes, without end. ${missing} ${later}`
      : null
  }

  return {
    /** Counts a page after which there is more. Returns false when its cursor leads back to an earlier page: the next ones are known. */
    more({ isNews, after, cursor }: { isNews: boolean; after: string | null; cursor: string }): boolean {
      if (pages === 0) mark = after
      pages++
      barren = isNews ? 0 : barren + 1
      const isCircle = cursor === mark
      if (isCircle)
        circle = cursor === after ? 'its cursor does not move' : 'its cursor leads back to an earlier page'
      if (Number.isInteger(Math.log2(pages))) mark = cursor
      return !isCircle
    },
    /** There was no more, or the pull begins at another cursor. */
    end(): void {
      pages = 0
      barren = 0
      circle = null
    },
    /** There was a page after which there is more, and no end since. */
    isUnderWay: () => pages > 0,
    /** The fault of a PMS that always has more: it is asked from time to time, and still sent what happens here. `page` is its last. */
    fault(page: ReceivedPage | null): UnreadableAnswer | null {
      const why = trouble()
      return why === null ? null : new UnreadableAnswer(why, page)
    },
    /** Why no end is expected, for people; null when there was one, or may be one yet. */
    trouble,
  }
}

export type PageCount = ReturnType<typeof pageCount>
