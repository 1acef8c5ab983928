import type { ChangePage } from '../../sync-contract.ts'
import { UnreadableAnswer } from '../../unreadable-answer.ts'
import type { Linked } from '../loop/linked.ts'
import { takePage } from './pull.ts'
import { checkedPage, type ReceivedPage } from './received.ts'

/** A page that the PMS has sent unasked, and the cursor before it. */
export type NewsPage = ChangePage & { previous: string | null }

/** Pages and changes that wait to be looked at. More are fetched instead, when there is time for them. */
const mostPages = 50
const mostChanges = 5_000

/** Pages that a PMS has sent unasked, until they are applied. They may be dropped, because they can be fetched as well. */
export function newsQueue() {
  let pages: NewsPage[] = []
  let count = 0

  /** False when there was no room: then all of it is forgotten. */
  function add(page: NewsPage): boolean {
    const size = Array.isArray(page?.changes) ? page.changes.length : 0
    if (pages.length >= mostPages || count + size > mostChanges) {
      clear()
      return false
    }
    pages.push(page)
    count += size
    return true
  }

  function take(): NewsPage | undefined {
    const page = pages.shift()
    count -= Array.isArray(page?.changes) ? page.changes.length : 0
    return page
  }

  function clear(): void {
    pages = []
    count = 0
  }

  return { add, take, clear, isEmpty: () => pages.length === 0 }
}

type NewsQueue = ReturnType<typeof newsQueue>

/**
 * Applies pages that the PMS has sent unasked, as far as each begins at the current cursor; older ones are skipped. Returns true when a
 * page is missing in between, or cannot be used: the others are dropped, and must be fetched.
 */
export async function takeNews(linked: Linked, queue: NewsQueue): Promise<boolean> {
  for (let page = queue.take(); page && !linked.isOver(); page = queue.take()) {
    const received = await readable(linked, page)
    if (received === null) {
      queue.clear()
      return true
    }
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

/** Null for a page that cannot be used. */
async function readable({ configuration }: Linked, page: NewsPage): Promise<ReceivedPage | null> {
  try {
    return await checkedPage(configuration.name, page)
  } catch (error) {
    if (error instanceof UnreadableAnswer) return null
    throw error
  }
}
