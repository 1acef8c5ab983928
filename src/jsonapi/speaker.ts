import type { Document } from '../resource/change.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Resources } from '../resource/path.ts'
import { Problem } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'
import type { Shape } from '../resource/shape.ts'
import { documentShape } from './document.ts'
import type { Asked } from './query.ts'
import { type Answer, etag, type Request } from './route.ts'

const mostIncluded = 1_000
const mostShapes = 200

export interface Speaker {
  shape(resource: Resource, chosen?: ReadonlySet<string>): Shape
}

/** Draws each document shape once; the same shape means the same kept text. */
export function speaker(resources: Resources): Speaker {
  const shapes = new Map<string, Shape>()
  return {
    shape(resource, chosen) {
      const key = chosen ? `${resource.type}:${[...chosen].sort().join()}` : resource.type
      let shape = shapes.get(key)
      if (!shape) {
        if (shapes.size >= mostShapes) shapes.clear()
        shape = documentShape(resource, (type) => resources.get(type)!, chosen)
        shapes.set(key, shape)
      }
      return shape
    },
  }
}

interface Keeping {
  reader: Reader
  speaker: Speaker
}

/** A page as a list document: data, links to itself and its neighbours, and what was asked to come along. */
export function listAnswer(keeping: Keeping, resource: Resource, asked: Asked, request: Request): Answer {
  const { reader, speaker } = keeping
  const shape = speaker.shape(resource, asked.fields.get(resource.type))
  const { documents, more } = reader.page(resource, asked.query, shape)
  const links = linksOf(keeping, resource, asked, documents, more, request)
  const included = includedText(keeping, resource, documents, asked, request)
  return {
    status: 200,
    text: `{"data":[${documents.map(({ text }) => text).join(',')}],"links":${JSON.stringify(links)}${included}}`,
  }
}

export function singleAnswer(
  keeping: Keeping,
  resource: Resource,
  document: Document,
  asked: Asked,
  request: Request,
): Answer {
  const included = includedText(keeping, resource, [document], asked, request)
  return {
    status: 200,
    text: `{"data":${document.text}${included}}`,
    headers: included === '' && asked.fields.size === 0 ? { ETag: etag(document.revision) } : {},
  }
}

/** `next` only when more rows follow; `prev` only when the request itself went on from a cursor. */
function linksOf(
  { reader, speaker }: Keeping,
  resource: Resource,
  { query }: Asked,
  documents: Document[],
  more: boolean,
  request: Request,
): Record<string, string> {
  const { after, before } = query.page
  const first = documents.at(0)?.id
  const last = documents.at(-1)?.id
  const follows = (id: string) =>
    reader.page(resource, { ...query, page: { size: 1, after: id } }, speaker.shape(resource)).documents
      .length > 0
  const next = before === undefined ? more : last !== undefined && follows(last)
  return {
    self: request.url,
    ...(next && last && { next: linkWith(request, 'page[after]', last) }),
    ...(after !== undefined && { prev: linkWith(request, 'page[before]', first ?? after) }),
    ...(before !== undefined && more && first && { prev: linkWith(request, 'page[before]', first) }),
  }
}

function linkWith({ url, query }: Request, parameter: string, id: string): string {
  const changed = new URLSearchParams(query)
  changed.delete('page[after]')
  changed.delete('page[before]')
  changed.set(parameter, id)
  return `${url.split('?')[0]}?${changed}`
}

/** `,"included":[…]`, or nothing when nothing was asked to come along. Each resource stands there once. */
function includedText(
  { reader, speaker }: Keeping,
  resource: Resource,
  documents: Document[],
  { include, fields }: Asked,
  { caller }: Request,
): string {
  if (include.length === 0) return ''
  const seen = new Set(documents.map(({ id }) => id))
  const texts: string[] = []
  for (const path of include) {
    let from = { resource, ids: documents.map(({ id }) => id) }
    for (const name of path.split('.')) {
      from = reader.related(from.resource, from.ids, name)
      const { resource: target } = from
      if (!caller.may(target.scopes.read)) {
        throw new Problem('scope-required', `Including ${name} needs the scope ${target.scopes.read}.`, {
          parameter: 'include',
          meta: { scope: target.scopes.read },
        })
      }
      for (const id of from.ids) {
        if (seen.has(id)) continue
        seen.add(id)
        if (texts.length >= mostIncluded) {
          throw new Problem(
            'invalid-include',
            `More than ${mostIncluded} resources; ask for a smaller page.`,
            {
              parameter: 'include',
            },
          )
        }
        texts.push(reader.document(target, id, speaker.shape(target, fields.get(target.type))).text)
      }
    }
  }
  return `,"included":[${texts.join(',')}]`
}
