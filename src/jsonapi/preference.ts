import { Problem } from '../resource/problem.ts'
import type { Answer, Request, Route } from './route.ts'
import { isTrial } from './write-options.ts'

/** The GET of what a PUT or PATCH answers nothing about: it shows what has become of it. Undefined where there is none. */
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

/** Whether a client would rather have the document than nothing (RFC 7240). What is said twice counts as it is said first. */
export function prefersRepresentation(header = ''): boolean {
  const said = header.split(',').map((each) => each.split(';')[0]!.replaceAll(/[\s"]/g, '').toLowerCase())
  return said.find((each) => each.startsWith('return=')) === 'return=representation'
}

/**
 * The document instead of `answer`, as its own GET shows it to this caller; `answer` where he may not read it, where nothing was written,
 * or where it cannot be read now: it was written all the same.
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

/** The parameters of a path under the names that another route has for the same places. */
function namedAs(path: string, params: Record<string, string>): Record<string, string> {
  const values = Object.values(params)
  const names = path.matchAll(/:(\w+)/g).map(([, name = '']) => name)
  return Object.fromEntries([...names].map((name, place) => [name, values[place] ?? '']))
}
