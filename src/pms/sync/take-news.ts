import type { Linked } from './linked.ts'
import type { NewsQueue } from './news-queue.ts'
import { checkedPage } from './received.ts'
import { takePage } from './take-in.ts'

/**
 * Takes in what the line has told by itself, as far as each page goes on where the house is; what was told before is passed
 * over. True when a page is missing before what is left, which then is forgotten: it is to be fetched.
 */
export async function takeNews(linked: Linked, queue: NewsQueue): Promise<boolean> {
  for (let page = queue.take(); page && !linked.isOver(); page = queue.take()) {
    const received = await checkedPage(linked.configuration.name, page)
    const place = linked.link().pullCursor ?? null
    if (received.cursor === place) continue
    if (place === null || page.previous !== place) {
      queue.clear()
      return true
    }
    await takePage(linked, received)
    if (received.more) return true
  }
  return false
}
