import { localInstant } from '../host/zone.ts'
import { eventStreamType, type Request, type Route, routesAt } from '../jsonapi/route.ts'
import { Problem } from '../resource/problem.ts'
import { sequenceText } from '../resource/sequence-text.ts'
import { says } from './event-descriptions.ts'
import { eventFilter } from './event-filter.ts'
import { type EventPage, eventPage } from './event-pages.ts'
import { expectParameters, inUri, sizeIn } from './event-parameters.ts'
import type { EventStreams } from './event-streams.ts'
import type { Feed, FeedEvent } from './feed.ts'
import { expectKept, readSequence } from './sequence.ts'

const route = routesAt('/api/v2')
const scope = 'events.read'
const batchType = 'application/cloudevents-batch+json'

export interface EventRouteOptions {
  feed: Feed
  streams: EventStreams
  /** The IANA time zone of the property. */
  zone: () => string
}

/**
 * Returns the routes to fetch events and to stream them. Each caller gets the events that its scopes allow.
 */
export function eventRoutes({ feed, streams, zone }: EventRouteOptions): Route[] {
  function list(request: Request) {
    const { query, caller } = request
    const isNewestFirst = query.get('sort') === '-sequence'
    const cursor = isNewestFirst ? before : after
    expectParameters(query, [cursor, ...filters, ...(isNewestFirst ? ['filter[date]'] : [])])
    if (query.has('sort') && !isNewestFirst) throw wrongSort()
    const day = linesOf(query.get('filter[date]'))
    const from = Math.min(fromIn(query.get(cursor), cursor), day.after)
    const isLike = eventFilter(query, caller.may)
    const isWanted = (each: FeedEvent) => each.sequence >= day.first && isLike(each)
    const page = eventPage(isNewestFirst ? feed.before : feed.after, from, sizeIn(query), isWanted)
    const next = page.more && page.last > day.first ? linkFrom(request, cursor, page.last) : null
    return isBatch(request) ? batchAnswer(page, next) : documentAnswer(page, next, request)
  }

  /** The line from which a list begins: the one in the request, else the oldest or the newest. */
  function fromIn(value: string | null, cursor: typeof before | typeof after): number {
    if (value === null) return cursor === before ? feed.newest() + 1 : feed.kept()
    const from = readSequence(value, { parameter: cursor })
    if (cursor === after) expectKept(feed, from)
    return from
  }

  /** The first line of a day of the property, and the line after its last. Without a date, of all days. */
  function linesOf(date: string | null): { first: number; after: number } {
    if (date === null) return { first: 0, after: Number.MAX_SAFE_INTEGER }
    const day = dateIn(date)
    const edge = (of: Temporal.PlainDate) => feed.since(localInstant(of.toString(), '00:00', zone(), 'start'))
    return { first: edge(day), after: edge(day.add({ days: 1 })) }
  }

  function follow({ query, caller, header }: Request) {
    expectParameters(query, ['after', 'filter[type]', 'filter[subject]'])
    const last = header('last-event-id')
    const value = query.get('after')
    const from =
      last !== ''
        ? readSequence(last, { header: 'Last-Event-ID' })
        : value === null
          ? feed.newest()
          : readSequence(value, { parameter: 'after' })
    expectKept(feed, from)
    const isWanted = eventFilter(query, caller.may)
    const stream = streams.open({ by: caller.client, after: from, isWanted, isLet: caller.isLet })
    return { status: 200, stream, type: eventStreamType, headers: { 'X-Accel-Buffering': 'no' } }
  }

  return [
    { ...route('GET', 'events', scope, says.list, list), speaks: [batchType] },
    { ...route('GET', 'events/stream', scope, says.follow, follow), speaks: [eventStreamType] },
  ]
}

const after = 'filter[sequence][gt]'
const before = 'filter[sequence][lt]'
const filters = ['sort', 'filter[type]', 'filter[subject]', 'filter[by]', 'page[size]']

function wrongSort(): Problem {
  const allowed = ['-sequence']
  return new Problem('invalid-sort-field', 'sort: expected -sequence, or nothing for the oldest first.', {
    parameter: 'sort',
    meta: { allowed },
  })
}

function dateIn(text: string): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return Temporal.PlainDate.from(text)
  } catch {}
  const expected = 'a date, YYYY-MM-DD'
  throw new Problem('invalid-filter-value', `filter[date]: expected ${expected}.`, {
    parameter: 'filter[date]',
    meta: { expected },
  })
}

function isBatch(request: Request): boolean {
  const accepted = request.header('accept').toLowerCase()
  return accepted.includes(batchType) && !accepted.includes('application/vnd.api+json')
}

function documentAnswer({ events, last }: EventPage, next: string | null, { url }: Request) {
  const data = events.map(({ event }: FeedEvent) => ({
    type: 'event',
    id: event.id,
    attributes: { sequence: event.sequence, event },
  }))
  const links = { self: inUri(url), ...(next !== null && { next }) }
  return { status: 200, text: JSON.stringify({ data, links, meta: { sequence: sequenceText(last) } }) }
}

function batchAnswer({ events }: EventPage, next: string | null) {
  return {
    status: 200,
    text: JSON.stringify(events.map(({ event }) => event)),
    type: batchType,
    ...(next !== null && { headers: { Link: `<${next}>; rel="next"` } }),
  }
}

function linkFrom({ url, query }: Request, cursor: string, last: number): string {
  const changed = new URLSearchParams(query)
  changed.set(cursor, sequenceText(last))
  return `${url.split('?')[0]}?${changed}`
}
