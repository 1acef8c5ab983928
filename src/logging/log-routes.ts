import { expectParameters, inUri, sizeIn } from '../events/event-parameters.ts'
import { type EventStreams, eventStreams } from '../events/event-streams.ts'
import { readSequence } from '../events/sequence.ts'
import type { Clock } from '../host/clock.ts'
import { isAtLeast, type KeptLog, type LogLevel, type LogLine, logLevels } from '../host/kept-log.ts'
import { type Description, exactly } from '../jsonapi/description.ts'
import { eventStreamType, type Request, type Route, routesAt } from '../jsonapi/route.ts'
import { text } from '../jsonapi/schemas/words.ts'
import { Problem } from '../resource/problem.ts'
import { sequenceText } from '../resource/sequence-text.ts'

const route = routesAt('/api/config/v1')

/**
 * Stack traces and addresses of clients are nothing for the front desk: the scope is that of the recordings, not
 * `diagnostics.read`.
 */
const scope = 'diagnostics.recordings'
const before = 'filter[sequence][lt]'
const filters = ['filter[level]', 'filter[device]', 'filter[requestId]']

interface Entry {
  event: ReturnType<typeof shown>
}

export type LogStreams = EventStreams<Entry>

/** The streams of the log. */
export function logStreams(log: KeptLog, clock: Clock): LogStreams {
  const after = (sequence: number, limit: number) => {
    const { events, last, more } = log.after(sequence, limit)
    return { events: events.map((line) => ({ event: shown(line) })), last, more }
  }
  return eventStreams({ feed: { ...log, after }, clock })
}

/** The routes of the newest lines of the log: the list, and the stream of new lines. */
export function logRoutes(log: KeptLog, streams: LogStreams): Route[] {
  function list({ url, query }: Request) {
    expectParameters(query, [...filters, before, 'page[size]'])
    const size = sizeIn(query)
    const isWanted = wanted(query)
    const value = query.get(before)
    const from = value === null ? Number.POSITIVE_INFINITY : readSequence(value, { parameter: before })
    const found = log.all().filter((line) => line.sequence < from && isWanted(shown(line)))
    const lines = found.slice(0, size)
    const data = lines.map(({ sequence, ...line }) => documentOf({ sequence, ...line }))
    const next = found.length > size && nextOf(url, lines.at(-1)!.sequence)
    return { status: 200, text: JSON.stringify({ data, links: { self: inUri(url), ...(next && { next }) } }) }
  }

  function follow({ query, caller, header }: Request) {
    expectParameters(query, filters)
    const isWanted = wanted(query)
    const last = header('last-event-id')
    const asked = last === '' ? log.newest() : readSequence(last, { header: 'Last-Event-ID' })
    // After a restart the lines are numbered anew.
    const after = asked > log.newest() ? log.kept() : Math.max(asked, log.kept())
    const stream = streams.open({
      by: caller.client,
      after,
      isWanted: ({ event }) => isWanted(event),
      isLet: caller.isLet,
    })
    return { status: 200, stream, type: eventStreamType, headers: { 'X-Accel-Buffering': 'no' } }
  }

  return [
    route('GET', 'log', scope, says.list, list),
    { ...route('GET', 'log/stream', scope, says.follow, follow), speaks: [eventStreamType] },
  ]
}

function shown({ sequence, level, time, message, fields }: LogLine) {
  return { sequence: sequenceText(sequence), level, time, message, fields }
}

function documentOf(line: LogLine) {
  const { sequence, ...attributes } = shown(line)
  return { type: 'log-line', id: sequence, attributes }
}

function wanted(query: URLSearchParams): (line: Entry['event']) => boolean {
  const [level, device, requestId] = filters.map((name) => query.get(name))
  const least = level == null ? 'debug' : levelIn(level)
  return ({ level, fields }) =>
    isAtLeast(level, least) &&
    (device == null || fields.device === device) &&
    (requestId == null || fields.request === requestId)
}

function levelIn(text: string): LogLevel {
  const level = logLevels.find((each) => each === text)
  if (level) return level
  throw new Problem('invalid-filter-value', `filter[level]: expected one of ${logLevels.join(', ')}.`, {
    parameter: 'filter[level]',
    meta: { allowed: logLevels },
  })
}

function nextOf(url: string, sequence: number): string {
  const { pathname, searchParams } = new URL(url, 'http://appliance')
  searchParams.set(before, sequenceText(sequence))
  return `${pathname}?${searchParams}`
}

const link = { ...text, format: 'uri-reference' }
const line = {
  level: text,
  time: { ...text, format: 'date-time' },
  message: text,
  fields: { type: 'object', description: 'What else the line says. Secrets are hidden.' },
}
const query = {
  'filter[level]': { schema: { enum: logLevels }, notes: 'Lines of this level, and of more important ones.' },
  'filter[device]': { schema: text, notes: 'The name of a device.' },
  'filter[requestId]': { schema: text, notes: 'The X-Request-Id of an answer.' },
}
const kept =
  'The newest 2,000 lines since the start are kept, from the level `info` on. They name no guest and contain no secret.'

const says = {
  list: {
    id: 'listLogLines',
    summary: 'List the newest lines of the log, the newest first',
    notes: kept,
    query: {
      ...query,
      [before]: { schema: { ...text, pattern: '^[0-9]{1,20}$' }, notes: 'Only lines before this one.' },
      'page[size]': { schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 } },
    },
    answers: {
      200: {
        schema: exactly({
          data: {
            type: 'array',
            items: exactly({ type: { const: 'log-line' }, id: text, attributes: exactly(line) }),
          },
          links: exactly({ self: link, next: link }, ['next']),
        }),
      },
    },
    problems: ['unknown-parameter', 'malformed-request', 'invalid-filter-value', 'invalid-page-size'],
  },
  follow: {
    id: 'followLog',
    summary: 'Stream the lines of the log as they are written',
    notes: `Server-sent events: \`id\` is the number of the line, \`data\` the line. The stream begins after the line in \`Last-Event-ID\`, otherwise with the next line. When nothing happens, an event \`beat\` with the \`time\` is sent every 15 s. ${kept}`,
    query,
    answers: { 200: { schema: text, type: eventStreamType } },
    problems: ['unknown-parameter', 'malformed-request', 'invalid-filter-value', 'busy', 'starting-up'],
  },
} satisfies Record<string, Description>
