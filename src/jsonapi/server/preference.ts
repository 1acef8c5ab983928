import { Problem } from '../../resource/problem.ts'
import type { Answer, Request, Route } from '../route.ts'
import { isTrial } from '../write-options.ts'

/**
 * Returns the GET route for the resource that a PUT or PATCH with a 204 has changed; undefined without one.
 */
export function readingOf(routes: readonly Route[], route: Route): Route | undefined {
  const { method, base, path, description } = route
  if ((method !== 'PUT' && method !== 'PATCH') || !(204 in description.answers)) return undefined
  return routes.find(
    (each) =>
      each.method === 'GET' &&
      each.base === base &&
      unnamed(each.path) === unnamed(path) &&
      each.quota === undefined,
  )
}

const unnamed = (path: string) => path.replaceAll(/:\w+/g, ':')

/**
 * Whether `Prefer` asks for the document instead of an empty answer (RFC 7240). The first `return` preference
 * counts.
 */
export function prefersRepresentation(header = ''): boolean {
  const preferences = header
    .split(',')
    .map((each) => each.split(';')[0]!.replaceAll(/[\s"]/g, '').toLowerCase())
  return preferences.find((each) => each.startsWith('return=')) === 'return=representation'
}

/**
 * Returns the document instead of `answer`, as its GET shows it to this caller. Returns `answer` when the
 * caller may not read it, when the request was a dry run, or when it cannot be read now; the write has
 * succeeded all the same.
 */
export async function represented(answer: Answer, request: Request, reading: Route): Promise<Answer> {
  const mayRead = reading.scope === null || request.caller.may(reading.scope)
  if (answer.status !== 204 || !mayRead || isTrial(request)) return answer
  try {
    const params = namedAs(reading.path, request.params)
    const shown = await reading.handle({ ...request, method: 'GET', params, query: new URLSearchParams() })
    return { ...shown, headers: { ...shown.headers, 'Preference-Applied': 'return=representation' } }
  } catch (error) {
    if (error instanceof Problem) return answer
    throw error
  }
}

/** Renames the parameters of one path to the names that another route has at the same positions. */
function namedAs(path: string, params: Record<string, string>): Record<string, string> {
  const values = Object.values(params)
  const names = path.matchAll(/:(\w+)/g).map(([, name = '']) => name)
  return Object.fromEntries([...names].map((name, place) => [name, values[place] ?? '']))
}
