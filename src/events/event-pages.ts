import type { Feed, FeedEvent } from './feed.ts'

/**
 * The number of lines that one request reads. A client that wants rare events continues after the last line
 * read.
 */
const mostLooked = 2_000
const linesATime = 500

export interface EventPage {
  events: FeedEvent[]
  /** The last line that was read. */
  last: number
  more: boolean
}

/**
 * Returns the next wanted events that `read` yields from a line on (those after or before it), at most `size`; fewer, or none, when
 * many unwanted lines come first.
 */
export function eventPage(
  read: Feed['after'],
  from: number,
  size: number,
  isWanted: (event: FeedEvent) => boolean,
): EventPage {
  const events: FeedEvent[] = []
  let last = from
  for (let looked = 0; looked < mostLooked; looked += linesATime) {
    const page = read(last, linesATime)
    for (const each of page.events) {
      if (!isWanted(each)) continue
      events.push(each)
      if (events.length === size)
        return { events, last: each.sequence, more: page.more || each.sequence !== page.last }
    }
    last = page.last
    if (!page.more) return { events, last, more: false }
  }
  return { events, last, more: true }
}
