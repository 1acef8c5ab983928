import { DeviceFault } from '../../../devices/fault.ts'

/** Pages in a row after which there was more: of any kind, and of those that reported nothing new. */
const mostPages = 10_000
const mostBarren = 1_000

/** Counts the pages of the PMS called `name` since it last had no more. What it has is taken for endless after too many of them. */
export function pageCount(name: string) {
  let pages = 0
  let barren = 0
  let trouble: string | null = null
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
    /** Throws vendor-error for a PMS that always has more: it is asked from time to time, and still sent what happens here. */
    expectAnEnd(): void {
      const isEndless = pages >= mostPages || barren >= mostBarren
      trouble = isEndless
        ? `${name} says after each page that there are more changes, without end. Reservations here may differ from those at the PMS. Further pages are requested once a minute at most. Ask the maker of the PMS to check this.`
        : null
      if (trouble !== null) throw new DeviceFault('vendor-error', trouble)
    },
    /** What was expected last without success, for people; null when there was an end, or may be one yet. */
    trouble: () => trouble,
  }
}
