import { expectAdmitted, type Request, type Route, textOf } from '../jsonapi/route.ts'

/** What a route has answered; null without a body. */
// biome-ignore lint/suspicious/noExplicitAny: each caller knows what the route that it asks answers.
export type Own = (method: Route['method'], path: string, body?: unknown) => Promise<any>

/**
 * Returns a function that asks the appliance's own routes in the name of a caller: with the caller's rights, and with the
 * checks of the routes. With `trial` nothing is written. It throws the Problem of the route, scope-required and
 * reauthentication-required.
 */
export function askOwn(
  routes: readonly Route[],
  { caller, whenGone, remoteAddress, message }: Request,
  trial: boolean,
): Own {
  return async (method, path, body) => {
    const found = routes.flatMap((route) => {
      const params = route.method === method ? paramsOf(`${route.base}/${route.path}`, path) : null
      return params ? [{ route, params }] : []
    })
    // A word of a path goes before a parameter.
    const [{ route, params } = missing(method, path)] = found.sort(
      (a, b) => Object.keys(a.params).length - Object.keys(b.params).length,
    )
    expectAdmitted(caller, route)
    const query = trial && method !== 'GET' ? 'dryRun=true' : ''
    const answer = await route.handle({
      method,
      url: query ? `${path}?${query}` : path,
      params,
      query: new URLSearchParams(query),
      header: () => '',
      caller,
      remoteAddress,
      message,
      whenGone,
      body: async () => structuredClone(body),
      text: async () => JSON.stringify(body ?? null),
    })
    return JSON.parse(textOf(answer) ?? 'null')
  }
}

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const [words, given] = [pattern.split('/'), path.split('/')]
  if (words.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, word] of words.entries()) {
    if (word.startsWith(':')) params[word.slice(1)] = given[index]!
    else if (word !== given[index]) return null
  }
  return params
}

function missing(method: string, path: string): never {
  throw new RangeError(`there is no route ${method} ${path}`)
}
