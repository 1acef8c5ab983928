import type { ChangePage } from '../../sync-contract.ts'
import { type MewsCall, rubbish } from './client.ts'
import { changesOf, type FetchOptions } from './fetch-reservations.ts'
import { markOf, overlapMs, type PullCursor, readCursor, writeCursor } from './pull-cursor.ts'
import type { MewsReservation } from './records.ts'
import { allStates, openStates } from './statuses.ts'

interface PullOptions extends FetchOptions {
  serviceId: string
  /** How many months ahead reservations are fetched. */
  monthsAhead: number
  now(): number
}

const operation = 'reservations/getAll/2023-06-06'
/** The size of a page; each page needs two further requests for its guests. */
const count = 100
const day = 86_400_000
/** Mews reports times to the second. */
const secondMs = 1_000
/** The maximum interval of a request is three months. */
const windowMs = 85 * day
/** A full load begins with arrivals this long ago. A reservation that began earlier is fetched when it changes. */
const backMs = 85 * day

/** Fetches the changes at Mews, or all open reservations. */
export function pullOf(options: PullOptions) {
  const { client, serviceId, monthsAhead, now } = options
  const windows = 1 + Math.ceil((monthsAhead * 31 * day) / windowMs)

  async function pageOf(filter: Record<string, unknown>, page: string | null, call: MewsCall) {
    const limitation = { Count: count, ...(page !== null && { Cursor: page }) }
    const body = { ServiceIds: [serviceId], ...filter, Limitation: limitation }
    const answer = await client.ask<Record<string, unknown>>(operation, body, call)
    if (!Array.isArray(answer.Reservations)) throw rubbish(operation, 'Reservations')
    const records: unknown[] = answer.Reservations
    const isLast = records.length < count || typeof answer.Cursor !== 'string'
    return { records, next: isLast ? null : (answer.Cursor as string) }
  }

  /** A time by the appliance's clock, but not later than the clock of Mews: later changes at Mews would be skipped. */
  function notAhead(moment: number): number {
    return Math.min(moment, (client.answeredAt() ?? moment) + secondMs)
  }

  /** A full load by arrival dates, beginning with guests who may still be in house. */
  async function all(place: PullCursor & { is: 'all' }, call: MewsCall): Promise<ChangePage> {
    const { startedAt, window, page } = place
    const from = startedAt - backMs + window * windowMs
    const { records, next } = await pageOf(
      { ScheduledStartUtc: interval(from, from + windowMs), States: openStates },
      page,
      call,
    )
    const begunAt = notAhead(startedAt)
    const converted = await changesOf(records, options, call)
    const isOver = next === null && window + 1 >= windows
    const marks = [...place.reported, ...recent(records, begunAt)]
    const after: PullCursor = isOver
      ? { is: 'since', from: begunAt, upTo: null, page: null, reported: marks }
      : {
          ...place,
          startedAt: begunAt,
          window: next === null ? window + 1 : window,
          page: next,
          reported: marks,
        }
    return { ...converted, cursor: writeCursor(after), more: !isOver }
  }

  async function since(place: PullCursor & { is: 'since' }, call: MewsCall): Promise<ChangePage> {
    const asked = place.upTo ?? Math.max(now(), place.from)
    const { records, next } = await pageOf(
      { UpdatedUtc: interval(place.from - overlapMs, asked), States: allStates },
      place.page,
      call,
    )
    const upTo = notAhead(asked)
    const seen = new Set(place.reported)
    const fresh = records.filter((record) => !seen.has(markOf(record as MewsReservation)))
    const converted = await changesOf(fresh, options, call)
    const marks = [...place.reported, ...recent(fresh, upTo)]
    const after: PullCursor =
      next === null
        ? { is: 'since', from: upTo, upTo: null, page: null, reported: marks }
        : { ...place, upTo, page: next, reported: marks }
    return { ...converted, cursor: writeCursor(after), more: next !== null }
  }

  return async (cursor: string | null, call: MewsCall): Promise<ChangePage> => {
    const started: PullCursor = { is: 'all', startedAt: now(), window: 0, page: null, reported: [] }
    const place = readCursor(cursor) ?? started
    if (place.is === 'all') return all(place, call)
    // Mews reports changes of the last three months only: after a longer absence a full load follows.
    return now() - place.from > windowMs ? all(started, call) : since(place, call)
  }
}

/** The marks of the changes that the next request returns again. */
function recent(records: readonly unknown[], moment: number): string[] {
  return records
    .filter(
      (record) => Date.parse(String((record as MewsReservation | null)?.UpdatedUtc)) >= moment - overlapMs,
    )
    .map((record) => markOf(record as MewsReservation))
}

function interval(from: number, to: number) {
  return { StartUtc: new Date(from).toISOString(), EndUtc: new Date(to).toISOString() }
}
