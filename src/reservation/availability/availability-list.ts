import { listAnswer } from '../../jsonapi/document-answers.ts'
import type { RequestedQuery } from '../../jsonapi/query/query.ts'
import type { Answer, Request } from '../../jsonapi/route.ts'
import type { Listed, Serializing } from '../../jsonapi/serializer.ts'
import type { Document } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Query } from '../../resource/query.ts'
import { type Resource, relationshipName } from '../../resource/resource.ts'
import type { Period } from './availability.ts'

/** A period with the id of its unit or unit type. */
export interface Entry extends Period {
  of: string
}

/** The entries of one list. They are computed, not stored. */
export interface Entries {
  /** Declares the names of the type and the fields. */
  resource: Resource
  /** The field of `resource` that refers to the unit or the unit type, and the resource it refers to. */
  by: string
  target: Resource
  all: readonly Entry[]
}

/**
 * Answers a page of the entries, in the format of every other list. The entries are ordered by unit or unit type, then
 * by start date. A cursor is a position in this order. It stays valid when the entry at this position no longer exists.
 */
export function entriesAnswer(
  serializing: Serializing,
  entries: Entries,
  asked: RequestedQuery,
  request: Request,
): Promise<Answer> {
  const { resource, by, target } = entries
  expectSortable(entries, asked.query)
  const chosen = asked.fields.get(resource.type) ?? new Set([...attributes, relationshipName(by)])
  const listed: Listed = {
    page(query) {
      expectCursor(serializing, entries, query)
      const { found, more } = pageOf(entries, query)
      return { documents: found.map((entry) => documentOf(entries, entry, chosen)), more }
    },
    related: (ids) => ({ resource: target, ids: [...new Set(ids.map((id) => placeIn(id)[0]))] }),
  }
  return listAnswer(serializing, resource, asked, request, listed)
}

const attributes = ['startDate', 'endDate', 'quantity'] as const

function idOf({ of, startDate }: Pick<Entry, 'of' | 'startDate'>): string {
  return `${of}:${startDate}`
}

function placeIn(id: string): [of: string, startDate: string] {
  const [of = '', startDate = ''] = id.split(':')
  return [of, startDate]
}

function pageOf(entries: Entries, { filters, sort, page: { after, before, size } }: Query) {
  const order = orderBy(entries, sort)
  const isAsked = (entry: Entry) => filters.every(({ path, value }) => path !== 'id' || value === idOf(entry))
  const all = entries.all.filter(isAsked).toSorted(order)
  const cursor = after ?? before
  const place = cursor === undefined ? null : entryAt(entries, cursor)
  const beyond = place ? all.filter((entry) => order(entry, place) * (after === undefined ? -1 : 1) > 0) : all
  const found = before === undefined ? beyond.slice(0, size) : beyond.slice(-size)
  return { found, more: beyond.length > size }
}

function orderBy({ by }: Entries, sort: Query['sort']): (a: Entry, b: Entry) => number {
  const keys = [...sort, { path: by, descending: false }, { path: 'startDate', descending: false }]
  const sortValue = (entry: Entry, path: string): string | number =>
    path === 'id' ? idOf(entry) : path === by ? entry.of : entry[path as (typeof attributes)[number]]
  return (a, b) => {
    for (const { path, descending } of keys) {
      const [one, other] = [sortValue(a, path), sortValue(b, path)]
      if (one !== other) return one < other === descending ? 1 : -1
    }
    return 0
  }
}

function expectSortable({ by }: Entries, { sort }: Query): void {
  const allowed = ['id', by, ...attributes]
  const strange = sort.find(({ path }) => !allowed.includes(path))
  if (!strange) return
  throw new Problem('invalid-sort-field', `${strange.path} cannot be sorted by.`, {
    parameter: 'sort',
    meta: { allowed },
  })
}

/**
 * Throws 400 `page-cursor-unknown` unless the unit or the unit type in the cursor exists, or existed within the last
 * day.
 */
function expectCursor({ reader, serializer }: Serializing, { target }: Entries, { page }: Query): void {
  const cursor = page.after ?? page.before
  if (cursor === undefined) return
  const parameter = page.after === undefined ? 'page[before]' : 'page[after]'
  const detail = `${parameter}: expected the id of a period already received.`
  const unknown = new Problem('page-cursor-unknown', detail, { parameter })
  if (!cursor.includes(':')) throw unknown
  try {
    const query = { filters: [], sort: [], page: { size: 1, after: placeIn(cursor)[0] } }
    reader.page(target, query, serializer.shape(target))
  } catch (error) {
    throw error instanceof Problem && error.code === unknown.code ? unknown : error
  }
}

/** Returns the entry that contains the cursor's date now. If there is none, returns an empty entry at this date. */
function entryAt({ all }: Entries, cursor: string): Entry {
  const [of, startDate] = placeIn(cursor)
  const now = all.find(
    (entry) => entry.of === of && entry.startDate <= startDate && startDate <= entry.endDate,
  )
  return { endDate: startDate, quantity: 0, ...now, of, startDate }
}

function documentOf({ resource, by, target }: Entries, entry: Entry, chosen: ReadonlySet<string>): Document {
  const id = idOf(entry)
  const name = relationshipName(by)
  const text = JSON.stringify({
    type: resource.type,
    id,
    attributes: Object.fromEntries(
      attributes.filter((each) => chosen.has(each)).map((each) => [each, entry[each]]),
    ),
    ...(chosen.has(name) && {
      relationships: { [name]: { data: { type: target.type, id: entry.of } } },
    }),
  })
  return { id, revision: 1, text }
}
