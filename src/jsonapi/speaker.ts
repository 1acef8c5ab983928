import type { Document } from '../resource/change.ts'
import type { PageOfDocuments, Reader } from '../resource/keeper.ts'
import type { Resources } from '../resource/path.ts'
import { Problem } from '../resource/problem.ts'
import type { Query } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import type { Shape } from '../resource/shape.ts'
import { documentShape } from './document.ts'
import { includedText } from './included.ts'
import { type Moments, moments, type Said } from './moments.ts'
import type { Asked } from './query.ts'
import { type Answer, type Caller, etag, type Request } from './route.ts'

const mostShapes = 200

export interface Speaker {
  /** `caller` is who will read it, where the resource has fields that ask for a scope. */
  shape(resource: Resource, chosen?: ReadonlySet<string>, caller?: Pick<Caller, 'may'>): Shape
  /** Says of a document what depends on the day. */
  say: Moments
}

/**
 * Draws each document shape once, because the texts of a revision are kept by the identity of their shape: that makes a document
 * 25 us instead of 113. After 200 shapes all are drawn anew. `today` is the property's date, YYYY-MM-DD.
 */
export function speaker(resources: Resources, today: () => string): Speaker {
  const shapes = new Map<string, Shape>()
  return {
    say: moments(today),
    shape(resource, chosen, caller) {
      const names = chosen ? `:${[...chosen].sort().join()}` : ''
      const key = `${resource.type}${names} ${openedTo(caller, resource).join()}`
      let shape = shapes.get(key)
      if (!shape) {
        if (shapes.size >= mostShapes) shapes.clear()
        shape = documentShape(resource, (type) => resources.get(type)!, chosen, caller?.may)
        shapes.set(key, shape)
      }
      return shape
    },
  }
}

/** The fields that are shown to this reader because of a scope he holds. */
export function openedTo(caller: Pick<Caller, 'may'> | undefined, resource: Resource): readonly string[] {
  if (!caller) return []
  return resource.guarded.filter(([, scope]) => caller.may(scope)).map(([name]) => name)
}

/** What an answer is made with. */
export interface Speaking {
  reader: Reader
  speaker: Speaker
}

/** What a list is made of: the rows of a resource, or entries that are computed for one request. */
export interface Listed {
  /** A page in the order that the query asks for. Throws page-cursor-unknown. */
  page(query: Query): PageOfDocuments | Promise<PageOfDocuments>
  /** The rows that entries lead to through a relationship, each once. */
  related(ids: readonly string[], relationship: string): { resource: Resource; ids: string[] }
}

/** The rows of a resource, as they are kept. */
function rowsOf({ reader, speaker }: Speaking, resource: Resource, asked: Asked, request: Request): Listed {
  const shape = speaker.shape(resource, asked.fields.get(resource.type), request.caller)
  return {
    page: (query) => reader.page(resource, query, shape, request.whenGone),
    related: (ids, relationship) => reader.related(resource, ids, relationship),
  }
}

/**
 * A page as a list document: data, links to itself and its neighbours, and what was asked to come along. Throws
 * scope-required for a filter or an include that leads to a resource the caller may not read.
 */
export async function listAnswer(
  speaking: Speaking,
  resource: Resource,
  asked: Asked,
  request: Request,
  listed = rowsOf(speaking, resource, asked, request),
): Promise<Answer> {
  expectScopes(asked, request.caller)
  const { documents, more } = await listed.page(asked.query)
  const ids = documents.map(({ id }) => id)
  const links = await linksOf(listed, asked.query, { ids, more }, request)
  const included = includedText(speaking, { ids, related: listed.related }, asked, request.caller)
  return {
    status: 200,
    text: `{"data":[${documents.flatMap((each) => saidIfThere(speaking, resource, each)).join(',')}],"links":${JSON.stringify(links)}${included}}`,
  }
}

/**
 * One document with what was asked to come along. Its revision is told when the document is whole and alone. Throws
 * scope-required as a list does.
 */
export function singleAnswer(
  speaking: Speaking,
  resource: Resource,
  document: Document,
  asked: Asked,
  request: Request,
): Answer {
  expectScopes(asked, request.caller)
  const related: Listed['related'] = (ids, name) => speaking.reader.related(resource, ids, name)
  const included = includedText(speaking, { ids: [document.id], related }, asked, request.caller)
  const { text, hasChanged } = said(speaking, resource, document)
  return {
    status: 200,
    text: `{"data":${text}${included}}`,
    headers: included === '' && asked.fields.size === 0 ? { ETag: etag(document.revision) } : {},
    ...(hasChanged && { saysMore: true }),
  }
}

/** A document with what is true of it today. */
export function said({ reader, speaker }: Speaking, resource: Resource, document: Document): Said {
  return speaker.say(resource, document, () =>
    reader.document(resource, document.id, speaker.shape(resource)),
  )
}

/** Nothing for a document that was removed since its page was found. */
function saidIfThere(speaking: Speaking, resource: Resource, document: Document): string[] {
  try {
    return [said(speaking, resource, document).text]
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') return []
    throw error
  }
}

function expectScopes({ scopes }: Asked, caller: Caller): void {
  for (const [scope, parameter] of scopes) {
    if (caller.may(scope)) continue
    throw new Problem('scope-required', `${parameter} needs the scope ${scope}.`, {
      parameter,
      meta: { scope },
    })
  }
}

/** `next` only when more rows follow; `prev` only when the request itself went on from a cursor. */
async function linksOf(
  listed: Listed,
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

  /** Where nothing comes before a cursor, what comes next is the start of the list. */
  async function hasNext(): Promise<boolean> {
    if (before === undefined) return more
    if (await isListed(before)) return true
    return (await idsOf({ page: { size: 1, ...(last !== undefined && { after: last }) } })).length > 0
  }

  async function isListed(id: string): Promise<boolean> {
    const filters = [...query.filters, { path: 'id', operator: 'eq' as const, value: id }]
    return (await idsOf({ filters, sort: [], page: { size: 1 } })).includes(id)
  }

  /** Where nothing comes after a cursor, its own row is the last of the page before. */
  async function linkToTheEnd(cursor: string): Promise<string> {
    if (!(await isListed(cursor))) return link('before', cursor)
    const earlier = await idsOf({ page: { size, before: cursor } })
    return link('after', earlier.length < size ? undefined : earlier[0])
  }
}

/** As it was sent, but for the brackets, which a URI has no room for in its query. */
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
