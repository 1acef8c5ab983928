import type { Feed, Heard } from './feed.ts'

/** Lines that one request looks through: who asks for what is rare goes on from where this ended. */
const mostLooked = 2_000
const linesATime = 500

export interface EventPage {
  heard: Heard[]
  /** Everything up to here was looked at. */
  last: number
  more: boolean
}

/** The next events after a line that are wanted, at most `size`; fewer, or none, where many others lie between. */
export function eventPage(
  feed: Feed,
  after: number,
  size: number,
  isWanted: (heard: Heard) => boolean,
): EventPage {
  const heard: Heard[] = []
  let last = after
  for (let looked = 0; looked < mostLooked; looked += linesATime) {
    const page = feed.after(last, linesATime)
    for (const each of page.heard) {
      if (!isWanted(each)) continue
      heard.push(each)
      if (heard.length === size)
        return { heard, last: each.sequence, more: page.more || each.sequence < page.last }
    }
    last = page.last
    if (!page.more) return { heard, last, more: false }
  }
  return { heard, last, more: true }
}
