/** Pages in a row after which there was more: of any kind, and of those that told nothing new. */
const mostPages = 10_000
const mostBarren = 1_000

/** Counts the pages of a PMS since it last had no more. What it has is taken for endless after too many of them. */
export function pageCount() {
  let pages = 0
  let barren = 0
  return {
    /** A page after which there is more. */
    more({ isNews }: { isNews: boolean }): void {
      pages++
      barren = isNews ? 0 : barren + 1
    },
    end(): void {
      pages = 0
      barren = 0
    },
    isEndless: () => pages >= mostPages || barren >= mostBarren,
  }
}
