import type { Document } from '../resource/command.ts'
import type { PageOfDocuments } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import type { Query } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import { mostCounted } from './list-total.ts'
import { includedText } from './query/included.ts'
import type { RequestedQuery } from './query/query.ts'
import type { Answer, Caller, Request } from './route.ts'
import { type ListSource, type Serializing, serialized } from './serializer.ts'
import { etag } from './write-options.ts'

/** The stored rows of a resource as the source of a list. */
function rowsOf(
  { reader, serializer }: Serializing,
  resource: Resource,
  requested: RequestedQuery,
  request: Request,
): ListSource {
  const shape = serializer.shape(resource, requested.fields.get(resource.type), request.caller)
  return {
    page: (query) => reader.page(resource, query, shape, request.whenGone),
    total: (filters, most) => reader.total(resource, filters, most, request.whenGone),
    related: (ids, relationship) => reader.related(resource, ids, relationship),
  }
}

/**
 * Returns a page as a list document: data, links to itself and its neighbours, and included resources. Throws
 * scope-required for a filter or an include that leads to a resource that the caller may not read.
 */
export async function listAnswer(
  serializing: Serializing,
  resource: Resource,
  requested: RequestedQuery,
  request: Request,
  listed = rowsOf(serializing, resource, requested, request),
): Promise<Answer> {
  expectScopes(requested, request.caller)
  const page = await listed.page(requested.query)
  const build = () => textOfList(serializing, resource, requested, request, { listed, page })
  // What is included depends on the caller, and the page alone does not.
  if (requested.include.length > 0) return { status: 200, text: await build() }
  return { status: 200, ...(await serializing.serializer.bodyOfPage(page, request.url, build)) }
}

async function textOfList(
  serializing: Serializing,
  resource: Resource,
  requested: RequestedQuery,
  request: Request,
  { listed, page: { documents, more } }: { listed: ListSource; page: PageOfDocuments },
): Promise<string> {
  const chosen = requested.fields.get(resource.type)
  const data = documents.flatMap((each) => {
    const texts = textsIfPresent(serializing, resource, each, chosen)
    return listed.about ? texts.map((text) => withMeta(text, listed.about!(each.id))) : texts
  })
  const ids = documents.map(({ id }) => id)
  const links = await linksOf(listed, requested.query, { ids, more }, request)
  const included = includedText(serializing, { ids, related: listed.related }, requested, request.caller)
  const total = requested.isTotalWanted && (await totalOf(listed, requested))
  const meta = total || listed.meta ? `,"meta":${JSON.stringify({ ...total, ...listed.meta })}` : ''
  return `{"data":[${data.join(',')}],"links":${JSON.stringify(links)}${meta}${included}}`
}

function withMeta(text: string, members: object): string {
  const entry = JSON.parse(text) as { meta?: object }
  return JSON.stringify({ ...entry, meta: { ...entry.meta, ...members } })
}

/** Returns the number of resources on all pages, exact up to `mostCounted`. */
async function totalOf(listed: ListSource, { query: { filters } }: RequestedQuery) {
  const total = await listed.total(filters, mostCounted)
  return total > mostCounted ? { total: mostCounted, totalIsAtLeast: true } : { total }
}

/** Returns a 200 with a document that an action has read or written, and its ETag. */
export function documentAnswer({ text, revision }: Document, meta?: Record<string, unknown>): Answer {
  const metaText = meta ? `,"meta":${JSON.stringify(meta)}` : ''
  return { status: 200, text: `{"data":${text}${metaText}}`, headers: { ETag: etag(revision) } }
}

/** Returns a 200 with these meta members and no document. */
export function metaAnswer(meta: object): Answer {
  return { status: 200, text: JSON.stringify({ meta }) }
}

/**
 * Returns one document with its included resources. The ETag is present only when the document is complete
 * and nothing is included. Throws scope-required as a list does.
 */
export function singleAnswer(
  serializing: Serializing,
  resource: Resource,
  document: Document,
  requested: RequestedQuery,
  request: Request,
): Answer {
  expectScopes(requested, request.caller)
  const related: ListSource['related'] = (ids, name) => serializing.reader.related(resource, ids, name)
  const included = includedText(serializing, { ids: [document.id], related }, requested, request.caller)
  const chosen = requested.fields.get(resource.type)
  const { text, hasChanged } = serialized(serializing, resource, document, chosen)
  return {
    status: 200,
    text: `{"data":${text}${included}}`,
    headers: included === '' && requested.fields.size === 0 ? { ETag: etag(document.revision) } : {},
    ...(hasChanged && { describesMore: true }),
  }
}

/** Returns nothing for a document that was deleted after its page was found. */
function textsIfPresent(
  serializing: Serializing,
  resource: Resource,
  document: Document,
  chosen: ReadonlySet<string> | undefined,
): string[] {
  try {
    return [serialized(serializing, resource, document, chosen).text]
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') return []
    throw error
  }
}

function expectScopes({ scopes }: RequestedQuery, caller: Caller): void {
  for (const [scope, parameter] of scopes) {
    if (caller.may(scope)) continue
    throw new Problem('scope-required', `${parameter} needs the scope ${scope}.`, {
      parameter,
      meta: { scope },
    })
  }
}

/** Returns `self`, `next` only when more rows follow, and `prev` only when the request had a cursor. */
async function linksOf(
  listed: ListSource,
  query: Query,
  { ids, more }: { ids: string[]; more: boolean },
  request: Request,
): Promise<Record<string, string>> {
  const { size, after, before } = query.page
  const [first, last] = [ids.at(0), ids.at(-1)]
  const link = (parameter: 'after' | 'before', id: string | undefined) =>
    linkWith(request, `page[${parameter}]`, id)
  const idsOf = async (other: Partial<Query>) =>
    (await listed.page({ ...query, ...other })).documents.map(({ id }) => id)

  return {
    self: encoded(request.url),
    ...((await hasNext()) && { next: link('after', last) }),
    ...(after !== undefined && { prev: first ? link('before', first) : await linkToTheEnd(after) }),
    ...(before !== undefined && more && first && { prev: link('before', first) }),
  }

  /**
   * Before a cursor, the next page exists if the cursor's row is listed or any row follows this page. If this
   * page is empty, the start of the list counts.
   */
  async function hasNext(): Promise<boolean> {
    if (before === undefined) return more
    if (await isListed(before)) return true
    return (await idsOf({ page: { size: 1, ...(last !== undefined && { after: last }) } })).length > 0
  }

  async function isListed(id: string): Promise<boolean> {
    const filters = [...query.filters, { path: 'id', operator: 'eq' as const, value: id }]
    return (await idsOf({ filters, sort: [], page: { size: 1 } })).includes(id)
  }

  /** When no row follows the cursor, the cursor's own row ends the previous page. */
  async function linkToTheEnd(cursor: string): Promise<string> {
    if (!(await isListed(cursor))) return link('before', cursor)
    const earlier = await idsOf({ page: { size, before: cursor } })
    return link('after', earlier.length < size ? undefined : earlier[0])
  }
}

/**
 * Percent-encodes the brackets and other characters that a URI's query may not contain; the rest stays as it
 * was sent.
 */
function encoded(url: string): string {
  return url.replace(/[[\]"<>\\^`{|}]/g, encodeURIComponent)
}

function linkWith({ url, query }: Request, parameter: string, id: string | undefined): string {
  const changed = new URLSearchParams(query)
  changed.delete('page[after]')
  changed.delete('page[before]')
  if (id !== undefined) changed.set(parameter, id)
  return `${url.split('?')[0]}?${changed}`
}
