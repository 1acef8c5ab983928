import { nameOfActor } from '../auth/actor-names.ts'
import { type Description, exactly } from '../jsonapi/description.ts'
import { type Request, type Route, routesAt } from '../jsonapi/route.ts'
import { text, textOrNull } from '../jsonapi/schemas/words.ts'
import type { JournalLine, Reader } from '../resource/keeper.ts'
import { sequenceText } from '../resource/sequence-text.ts'
import { sequence, sizeSchema, typesSchema } from './event-descriptions.ts'
import { readTypes, typesIn } from './event-filter.ts'
import { expectParameters, inUri, sizeIn } from './event-parameters.ts'
import { readSequence } from './sequence.ts'

const route = routesAt('/api/config/v1')

const before = 'filter[sequence][lt]'
const parameters = [before, 'filter[type]', 'filter[subject]', 'filter[by]', 'page[size]']
/** The number of lines that one request reads. A page of rare entries is shorter, and `links.next` continues after it. */
const mostLooked = 4_000
const linesATime = 1_000

/** Returns the route that lists who did what: every line of the journal, the newest first. */
export function auditRoutes(reader: Pick<Reader, 'journalBefore' | 'row' | 'rows'>): Route[] {
  return [
    route('GET', 'audit-entries', 'audit.read', description, (request) => {
      const { lines, last, more } = pageOf(reader, request)
      const names = new Map<string, string | null>()
      const nameOf = (id: string) => names.getOrInsertComputed(id, () => nameOfActor(reader, id))
      const data = lines.map((line) => entryOf(line, nameOf(line.actor)))
      const links = { self: inUri(request.url), ...(more && { next: nextOf(request, last) }) }
      return { status: 200, text: JSON.stringify({ data, links }) }
    }),
  ]
}

/** Returns the wanted lines before the one that the request names, and the last line that was read. */
function pageOf({ journalBefore }: Pick<Reader, 'journalBefore'>, { query }: Request) {
  expectParameters(query, parameters)
  const size = sizeIn(query)
  const isWanted = wanted(query)
  const lines: JournalLine[] = []
  const from = query.get(before)
  let last = from === null ? Number.MAX_SAFE_INTEGER : readSequence(from, { parameter: before })
  for (let looked = 0; looked < mostLooked; looked += linesATime) {
    const page = journalBefore(last, linesATime)
    for (const line of page) {
      last = line.sequence
      if (isWanted(line)) lines.push(line)
      if (lines.length === size) return { lines, last, more: journalBefore(last, 1).length > 0 }
    }
    if (page.length < linesATime) return { lines, last, more: false }
  }
  return { lines, last, more: true }
}

function wanted(query: URLSearchParams): (line: JournalLine) => boolean {
  const [types, subject, by] = ['type', 'subject', 'by'].map((name) => query.get(`filter[${name}]`))
  const isRequested = types == null ? () => true : typesIn(readTypes(types))
  return (line) =>
    isRequested(line.type) &&
    (subject == null || line.subject === subject) &&
    (by == null || line.actor === by)
}

function entryOf(
  { sequence: number, at, type, subject, data, actor, requestId }: JournalLine,
  name: string | null,
) {
  const attributes = {
    at: new Date(at).toISOString(),
    type,
    subject,
    by: { id: actor, name },
    requestId,
    data,
  }
  return { type: 'audit-entry', id: sequenceText(number), attributes }
}

function nextOf({ url, query }: Request, last: number): string {
  const changed = new URLSearchParams(query)
  changed.set(before, sequenceText(last))
  return `${url.split('?')[0]}?${changed}`
}

const description: Description = {
  id: 'listAuditEntries',
  summary: 'List who did what, the newest first',
  notes:
    "Every change that the appliance made, at the request of a client or by itself, as long as the journal keeps it. `by.id` is the id of an account, a token or a kiosk's station, with the name that it has now or had when it was deleted; or it is the part of the appliance that acted, without a name. `requestId` is the X-Request-Id of the answer. Changes to the configuration have the values before and after them; secrets are masked. A page may be shorter than `page[size]`, or empty: follow `links.next`.",
  query: {
    [before]: {
      schema: sequence,
      notes: 'Only entries before this one. Default: from the newest.',
    },
    'filter[type]': {
      schema: typesSchema,
      notes: 'Types, or whole families of types: `key.*,token.*`.',
    },
    'filter[subject]': { schema: text, notes: 'The resource that changed, such as `stays/{id}`.' },
    'filter[by]': {
      schema: text,
      notes: 'The id of an account, a token or a station, or a part of the appliance.',
    },
    'page[size]': { schema: sizeSchema },
  },
  answers: {
    200: {
      schema: exactly({
        data: {
          type: 'array',
          items: exactly({
            type: { const: 'audit-entry' },
            id: text,
            attributes: exactly({
              at: { ...text, format: 'date-time' },
              type: text,
              subject: text,
              by: exactly({ id: text, name: textOrNull }),
              requestId: textOrNull,
              data: { type: 'object' },
            }),
          }),
        },
        links: exactly(
          { self: { ...text, format: 'uri-reference' }, next: { ...text, format: 'uri-reference' } },
          ['next'],
        ),
      }),
    },
  },
  problems: ['unknown-parameter', 'malformed-request', 'invalid-filter-value', 'invalid-page-size'],
}
