import type { MewsReservation } from '../../../pms/adapters/mews/records.ts'

/** The body of a request or of an answer. */
export type Body = Record<string, unknown>

/** Carries out a request and returns the body of the answer. Throws Refused. */
export type Operation = (body: Body) => unknown

/** The answer of Mews with an error status. */
export class Refused extends Error {
  status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The ids of a filter; null without one. */
export const idsIn = (body: Body, name: string): string[] | null =>
  (body[name] as string[] | undefined) ?? null

/** The reservation of an id. Throws Refused. */
export function known(reservations: ReadonlyMap<string, MewsReservation>, id: unknown): MewsReservation {
  const record = reservations.get(String(id))
  if (!record) throw new Refused(400, 'Invalid ReservationId.')
  return record
}

/** One page, the newest first; the cursor is the id of the last item. */
export function paged<Item extends { Id: string }>(
  member: string,
  found: readonly Item[],
  { Limitation }: Body,
  newest: (item: Item) => string,
): Body {
  const { Count, Cursor = null } = Limitation as { Count: number; Cursor?: string | null }
  const sorted = found.toSorted((one, other) => newest(other).localeCompare(newest(one)))
  const from = Cursor === null ? 0 : sorted.findIndex(({ Id }) => Id === Cursor) + 1
  const page = sorted.slice(from, from + Count)
  return { [member]: page, Cursor: page.at(-1)?.Id ?? null }
}

/** A list that is never cut into pages. */
export function listed<Item>(
  member: string,
  items: Iterable<Item>,
  shown = (item: Item): unknown => item,
): Body {
  return { [member]: Array.from(items, shown), Cursor: null }
}

const longestIntervalMs = 93 * 86_400_000

/** Whether a moment is in the interval of a filter; true without a filter. Throws Refused for one of more than three months. */
export function within(interval: unknown, moment: string): boolean {
  if (!interval) return true
  const { StartUtc, EndUtc } = interval as { StartUtc: string; EndUtc: string }
  const [start, end] = [Date.parse(StartUtc), Date.parse(EndUtc)]
  if (end - start > longestIntervalMs) throw new Refused(400, 'The interval is longer than three months.')
  const at = Date.parse(moment)
  return at >= start && at <= end
}
