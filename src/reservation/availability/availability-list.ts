import { listAnswer } from '../../jsonapi/document-answers.ts'
import type { RequestedQuery } from '../../jsonapi/query/query.ts'
import type { Answer, Request } from '../../jsonapi/route.ts'
import type { ListSource, Serializing } from '../../jsonapi/serializer.ts'
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
  const listed: ListSource = {
    page(query) {
      expectCursor(serializing, entries, query)
      const { found, more } = pageOf(entries, query)
      return { documents: found.map((entry) => documentOf(entries, entry, chosen)), more }
    },
    total: () => entries.all.length,
    related: (ids) => ({ resource: target, ids: [...new Set(ids.map((id) => positionOf(id).of))] }),
  }
  return listAnswer(serializing, resource, asked, request, listed)
}

const attributes = ['startDate', 'endDate', 'quantity'] as const

type Position = Pick<Entry, 'of' | 'startDate'>

const idOf = ({ of, startDate }: Position) => `${of}:${startDate}`

function positionOf(id: string): Position {
  const [of = '', startDate = ''] = id.split(':')
  return { of, startDate }
}

function pageOf(entries: Entries, { filters, sort, page: { after, before, size } }: Query) {
  const order = orderBy(entries, sort)
  const isAsked = (entry: Entry) => filters.every(({ path, value }) => path !== 'id' || value === idOf(entry))
  const all = entries.all.filter(isAsked).toSorted(order)
  const cursor = after ?? before
  const at = cursor === undefined ? null : entryAt(entries, positionOf(cursor))
  const beyond = at ? all.filter((entry) => order(entry, at) * (after === undefined ? -1 : 1) > 0) : all
  const found = before === undefined ? beyond.slice(0, size) : beyond.slice(-size)
  return { found, more: beyond.length > size }
}

function orderBy({ by }: Entries, sort: Query['sort']): (a: Entry, b: Entry) => number {
  const keys = [...sort, { path: by, descending: false }, { path: 'startDate', descending: false }]
  const sortValue = (entry: Entry, path: string) =>
    path === 'id' ? idOf(entry) : entry[path === by ? 'of' : (path as keyof Entry)]
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
  const unknown = sort.find(({ path }) => !allowed.includes(path))
  if (!unknown) return
  const options = { parameter: 'sort', meta: { allowed } }
  throw new Problem('invalid-sort-field', `${unknown.path} cannot be sorted by.`, options)
}

/** Throws 400 `page-cursor-unknown` unless the cursor's unit or unit type exists, or was deleted within the last day. */
function expectCursor({ reader, serializer }: Serializing, { target }: Entries, { page }: Query): void {
  const cursor = page.after ?? page.before
  if (cursor === undefined) return
  const parameter = page.after === undefined ? 'page[before]' : 'page[after]'
  const detail = `${parameter}: expected the id of a period from an earlier page.`
  const unknown = new Problem('page-cursor-unknown', detail, { parameter })
  if (!cursor.includes(':')) throw unknown
  try {
    const query = { filters: [], sort: [], page: { size: 1, after: positionOf(cursor).of } }
    reader.page(target, query, serializer.shape(target))
  } catch (error) {
    throw error instanceof Problem && error.code === unknown.code ? unknown : error
  }
}

/** Returns the entry that contains the position now, moved to it. If there is none, returns an empty entry there. */
function entryAt({ all }: Entries, { of, startDate }: Position): Entry {
  const now = all.find((each) => each.of === of && each.startDate <= startDate && startDate <= each.endDate)
  return { endDate: startDate, quantity: 0, ...now, of, startDate }
}

function documentOf({ resource, by, target }: Entries, entry: Entry, chosen: ReadonlySet<string>): Document {
  const id = idOf(entry)
  const name = relationshipName(by)
  const shown = attributes.filter((each) => chosen.has(each)).map((each) => [each, entry[each]])
  const data = { type: target.type, id: entry.of }
  const text = JSON.stringify({
    type: resource.type,
    id,
    attributes: Object.fromEntries(shown),
    ...(chosen.has(name) && { relationships: { [name]: { data } } }),
  })
  return { id, revision: 1, text }
}
