import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Clock } from './host/clock.ts'
import { dataFiles } from './host/data-files.ts'
import { watchFiles } from './host/file-changes.ts'
import { errorAnswer } from './jsonapi/errors.ts'
import { type Answer, mediaType } from './jsonapi/route.ts'
import { closing, listen, urlOf } from './listen.ts'
import { Problem } from './resource/problem.ts'
import { secureContextOfPage } from './served-certificates.ts'

const lookEveryMs = 2_000

/**
 * Answers every request with 503 and the reason why the appliance cannot be used: people get a page, programs
 * get health answers and JSON:API errors. `why` is for people, and contains no secret. After `againAfterMs`
 * another start is worth trying even when nothing has changed. Changes nothing in the data folder. Rejects
 * with the system's error when the address cannot be used.
 */
export async function outOfOrder(
  config: Config,
  { clock, why, againAfterMs }: { clock: Clock; why: string; againAfterMs: number | null },
) {
  const secure = await secureContextOfPage(config, clock)
  const handler: RequestListener = (request, response) => send(request, response, answerTo(request, why))
  const server = await listen(handler, config, { secure })
  const changed = Promise.withResolvers<void>()
  const files = [dataFiles.database, ...dataFiles.databaseLogs.slice(0, 1), dataFiles.key].map((name) =>
    join(config.data, name),
  )
  const looking = watchFiles(files, { clock, everyMs: lookEveryMs, changed: changed.resolve })
  const again = againAfterMs === null ? null : clock.setTimeout(changed.resolve, againAfterMs)
  return {
    url: urlOf(server),
    /**
     * Resolves when another start is worth trying: database or key were changed and are steady again, or the
     * time has passed.
     */
    changed: changed.promise,
    async close(): Promise<void> {
      looking.cancel()
      again?.cancel()
      await closing([server], clock, async () => {})
    },
  }
}

function answerTo({ url = '/', headers }: IncomingMessage, why: string): Answer {
  const [path] = url.split('?')
  if (path === '/healthz' || path === '/readyz') {
    const text = JSON.stringify({ status: 'fail', output: why })
    return { status: 503, text, type: 'application/health+json' }
  }
  if (!path?.startsWith('/api/')) return { status: 503, text: pageOf(why), type: 'text/html; charset=utf-8' }
  const problem = new Problem('storage-damaged', why, { meta: { retryAfterSeconds: 30 } })
  return errorAnswer(problem, { language: headers['accept-language'] })
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
    'Retry-After': '30',
    Connection: 'close',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}

function pageOf(why: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="30">
<title>Out of order</title>
<style>body { font: 1.1em/1.5 system-ui, sans-serif; max-width: 40em; margin: 3em auto; padding: 0 1em }</style>
<h1>Out of order</h1>
<h2>What happened, and what to do</h2>
<p>${escaped(why)}</p>
<h2>What it means</h2>
<p>The appliance answers no requests, and no key can be made or changed. Keys that guests have open their doors as before.
Nothing is written to the data folder.</p>
<h2>Then</h2>
<p>When the database and its key are in order again, the appliance continues within 30 seconds, without a restart.</p>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
