import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { errorAnswer } from '../jsonapi/errors.ts'
import { type Answer, mediaType } from '../jsonapi/route.ts'
import { Problem, type ProblemCode } from '../resource/problem.ts'

/** The reason why no request can be answered now. */
export interface NotReady {
  code: ProblemCode
  /** What happened and what to do, in one or two sentences without secrets. */
  why: string
  /** The step of the start, or `draining`; null while the start has failed. */
  startup: Startup | 'draining' | null
  retryAfterSeconds: number
  /** The page for a browser. */
  page: Said
}

/** The content of a page: its title, and a text for each heading. */
export interface Said {
  title: string
  parts: readonly (readonly [heading: string, text: string])[]
}

/** The steps of a start, in order. A start may skip any of them. */
export type Startup = 'opening' | 'restoring' | 'migrating' | 'checking'

/**
 * Answers every request with 503, `Retry-After` and the reason: browsers get a page, programs get health answers or
 * JSON:API errors. `/healthz` answers 200 while the program is working. `special` may answer some requests in another
 * way.
 */
export function refusing(
  find: () => NotReady,
  special: (request: IncomingMessage) => Answer | null = () => null,
): RequestListener {
  return (request, response) => send(request, response, special(request) ?? answerTo(request, find()))
}

function answerTo({ url = '/', headers }: IncomingMessage, reason: NotReady): Answer {
  const { code, why, startup, retryAfterSeconds } = reason
  const again = { 'Retry-After': String(retryAfterSeconds) }
  const [path] = url.split('?')
  if (path === '/healthz' && startup !== null) return health(200, { status: 'pass' })
  if (path === '/healthz' || path === '/readyz')
    return { ...health(503, { status: 'fail', output: why, ...(startup && { startup }) }), headers: again }
  if (!path?.startsWith('/api/') && path !== '/metrics')
    return { status: 503, text: pageOf(reason), type: 'text/html; charset=utf-8', headers: again }
  const problem = new Problem(code, why, { meta: { retryAfterSeconds } })
  return errorAnswer(problem, { language: headers['accept-language'] })
}

function health(status: number, body: object): Answer {
  return { status, text: JSON.stringify(body), type: 'application/health+json' }
}

/** The body of the request is not read: the connection ends with the answer. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, text, type, headers }: Answer,
): void {
  response.writeHead(status, {
    'Content-Type': type ?? mediaType,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    Connection: 'close',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}

function pageOf({ why, retryAfterSeconds, page: { title, parts } }: NotReady): string {
  const sections = [['What happens', why] as const, ...parts].map(
    ([heading, text]) => `<h2>${heading}</h2>\n<p>${escaped(text)}</p>\n`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${retryAfterSeconds}">
<title>${title}</title>
<style>body { font: 1.1em/1.5 system-ui, sans-serif; max-width: 40em; margin: 3em auto; padding: 0 1em }</style>
<h1>${title}</h1>
${sections.join('')}</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const sentences: Record<Startup | 'draining', string> = {
  opening: 'The appliance is starting.',
  restoring: 'The appliance is putting a backup back.',
  migrating: 'The appliance is bringing its data to the form of the new version. This can take some minutes.',
  checking: 'The appliance is checking its database.',
  draining: 'The appliance is stopping.',
}

/** The reason while the appliance starts or stops. */
export function passing(startup: Startup | 'draining'): NotReady {
  return {
    code: 'starting-up',
    why: sentences[startup],
    startup,
    retryAfterSeconds: 5,
    page: {
      title: 'One moment',
      parts: [
        [
          'What it means',
          'No request is answered for a moment. Keys that guests have open their doors as before.',
        ],
        ['Then', 'This page asks again by itself.'],
      ],
    },
  }
}
