import { Problem } from '../../resource/problem.ts'
import type { Resource } from '../../resource/resource.ts'
import type { Caller } from '../route.ts'
import { type ListSource, type Serializing, serialized } from '../serializer.ts'
import type { RequestedQuery } from './query.ts'

const mostIncluded = 1_000

interface Rows {
  resource: Resource
  ids: readonly string[]
}

/** The entries of a list, and the function that follows their relationships. */
interface Primary extends Pick<ListSource, 'related'> {
  ids: readonly string[]
}

/**
 * Returns `,"included":[…]`, or an empty text when the request has no `include`. Each resource appears once.
 * Throws invalid-include above 1,000 resources.
 */
export function includedText(
  serializing: Serializing,
  primary: Primary,
  requested: RequestedQuery,
  caller: Caller,
): string {
  if (requested.include.length === 0) return ''
  // The queries run on one snapshot: a row that one of them finds must exist for the next.
  return serializing.reader.snapshot(() => includedNow(serializing, primary, requested, caller))
}

function includedNow(
  serializing: Serializing,
  primary: Primary,
  { include, fields }: RequestedQuery,
  caller: Caller,
): string {
  const seen = new Set(primary.ids)
  const texts: string[] = []
  for (const { resource, ids } of include.flatMap((path) => rowsAlong(serializing, primary, path, caller))) {
    const chosen = fields.get(resource.type)
    const shape = serializing.serializer.shape(resource, chosen, caller)
    const fresh = ids.filter((id) => !seen.has(id))
    if (texts.length + fresh.length > mostIncluded) throw tooMany()
    for (const id of fresh) {
      seen.add(id)
      const document = serializing.reader.document(resource, id, shape)
      texts.push(serialized(serializing, resource, document, chosen).text)
    }
  }
  return `,"included":[${texts.join(',')}]`
}

/**
 * Returns the rows at each step of a dotted path. Throws scope-required for a type that the caller may not
 * read.
 */
function rowsAlong({ reader }: Serializing, { ids, related }: Primary, path: string, caller: Caller): Rows[] {
  const steps: Rows[] = []
  for (const name of path.split('.')) {
    const from = steps.at(-1)
    const here = from ? reader.related(from.resource, from.ids, name) : related(ids, name)
    const scope = here.resource.scopes.read
    if (!caller.may(scope)) {
      throw new Problem('scope-required', `Including ${name} needs the scope ${scope}.`, {
        parameter: 'include',
        meta: { scope },
      })
    }
    steps.push(here)
  }
  return steps
}

function tooMany(): Problem {
  const detail = `The answer would include more than ${mostIncluded} resources. Request a smaller page.`
  return new Problem('invalid-include', detail, { parameter: 'include' })
}
