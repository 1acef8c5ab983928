import type { Page, Route } from 'playwright-core'

const jsonApi = 'application/vnd.api+json'
const html = '<!doctype html><title>Proxy</title><p>Please sign in.</p>'
const instead = (status: number, body: string, contentType = jsonApi) => ({
  damage: (route: Route) => route.fulfill({ status, body, contentType }),
})

/** What a page may get instead of the answer of the box, to a request that the box has carried out. */
export const faults: Readonly<Record<string, { damage(route: Route): Promise<void> }>> = {
  'a page of HTML': instead(200, html, 'text/html'),
  'an empty object': instead(200, '{}'),
  null: instead(200, 'null'),
  'an empty array': instead(200, '[]'),
  'null as its data': instead(200, '{"data":null}'),
  'a resource without attributes': instead(200, '{"data":{"type":"a","id":"b"}}'),
  'a 502 with HTML': instead(502, html, 'text/html'),
  'nothing at all': instead(200, ''),
  'a cut': { damage: (route) => route.abort('connectionreset') },
}

/** Damages the answers of some kinds of requests. */
export interface Injector {
  /** How often an answer was damaged. */
  damaged: number
  /** Lets the answer to the next requests of a kind be lost, or come after `damage` has resolved. What was wanted before is dropped. */
  next(method: string, path: RegExp, damage: Wanted['damage'], times?: number): void
  /** The same for one request of a further kind. */
  and(method: string, path: RegExp, damage: Wanted['damage']): void
}

interface Wanted {
  method: string
  path: RegExp
  damage(route: Route): Promise<void>
  left: number
}

export async function injector(page: Page): Promise<Injector> {
  let wanted: Wanted[] = []
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    const found = wanted.find(
      ({ method, path, left }) => left > 0 && request.method() === method && path.test(pathname),
    )
    if (!found) return route.continue().catch(() => {})
    found.left--
    own.damaged++
    // The box has carried the request out when its answer is lost.
    await route.fetch().catch(() => {})
    // The page may have given the request up.
    await found.damage(route).catch(() => {})
  })
  const own: Injector = {
    damaged: 0,
    next(method, path, damage, left = 1) {
      wanted = [{ method, path, damage, left }]
      own.damaged = 0
    },
    and: (method, path, damage) => {
      wanted.push({ method, path, damage, left: 1 })
    },
  }
  return own
}
