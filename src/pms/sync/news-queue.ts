import type { ChangePage } from '../sync-contract.ts'

type NewsPage = ChangePage & { previous: string | null }

/** Pages and changes that wait to be looked at. More are fetched instead, when there is time for them. */
const mostPages = 50
const mostChanges = 5_000

/** What a line has told by itself, until it is looked at. It may forget: what is in it can be fetched as well. */
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

export type NewsQueue = ReturnType<typeof newsQueue>
