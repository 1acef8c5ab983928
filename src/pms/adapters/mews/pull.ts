import type { ChangePage } from '../../sync-contract.ts'
import { type MewsCall, rubbish } from './client.ts'
import { converted, type FetchOptions } from './fetch-reservations.ts'
import { markOf, markOfText, overlapMs, type PullCursor, readCursor, writeCursor } from './pull-cursor.ts'
import type { MewsReservation } from './records.ts'
import { roomChanges } from './rooms.ts'
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
    if (!Array.isArray(answer.Reservations)) throw rubbish(operation, 'Reservations', answer)
    const records: unknown[] = answer.Reservations
    const isLast = records.length < count || typeof answer.Cursor !== 'string'
    return { records, next: isLast ? null : (answer.Cursor as string) }
  }

  /** A time by the appliance's clock, but not later than the clock of Mews: later changes at Mews would be skipped. */
  function notAhead(moment: number): number {
    return Math.min(moment, (client.answeredAt() ?? moment) + secondMs)
  }

  /** The rooms that have changed since, with the last page. */
  async function withRooms(page: ChangePage, after: PullCursor, call: MewsCall): Promise<ChangePage> {
    if (page.more) return { ...page, cursor: writeCursor(after) }
    const { changes, upTo } = roomChanges(await options.lookups.cached(call), after.rooms)
    const cursor = writeCursor({ ...after, rooms: upTo })
    return { ...page, changes: [...page.changes, ...changes], cursor }
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
    const reported = await changesOf(records, options, call)
    const isOver = next === null && window + 1 >= windows
    const marks = [...place.reported, ...recent(records, begunAt)]
    const after: PullCursor = isOver
      ? {
          is: 'since',
          from: begunAt,
          upTo: null,
          page: null,
          reported: marks,
          rooms: place.rooms,
          service: place.service,
        }
      : {
          ...place,
          startedAt: begunAt,
          window: next === null ? window + 1 : window,
          page: next,
          reported: marks,
        }
    return withRooms({ ...reported, cursor: '', more: !isOver }, after, call)
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
    const reported = await changesOf(fresh, options, call)
    const marks = [...place.reported, ...recent(fresh, upTo)]
    const after: PullCursor =
      next === null
        ? { ...place, from: upTo, upTo: null, page: null, reported: marks }
        : { ...place, upTo, page: next, reported: marks }
    return withRooms({ ...reported, cursor: '', more: next !== null }, after, call)
  }

  return async (cursor: string | null, call: MewsCall): Promise<ChangePage> => {
    const service = markOfText(serviceId)
    const begun = { page: null, reported: [], rooms: 0, service }
    const started: PullCursor = { is: 'all', startedAt: now(), window: 0, ...begun }
    const place = readCursor(cursor, service) ?? started
    if (place.is === 'all') return all(place, call)
    // Mews reports changes of the last three months only: after a longer absence a full load follows.
    return now() - place.from > windowMs ? all(started, call) : since(place, call)
  }
}

async function changesOf(records: readonly unknown[], options: FetchOptions, call: MewsCall) {
  const { found, refused } = await converted(records, options, call)
  return { changes: found.map(({ change }) => change), refused }
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
