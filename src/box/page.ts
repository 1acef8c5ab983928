import { createServer, type Server } from 'node:http'
import type { Clock } from '../host/clock.ts'
import { readState } from './state.ts'
import { wordsOf } from './words.ts'

interface PageOptions {
  clock: Clock
  /** The folder with the state file of the daemon. */
  folder: string
}

const idleMs = 60_000

/**
 * Serves the status page of the box from a separate process. It does not query the daemon, so it answers when the
 * daemon cannot. Everyone in the network may read it, so it has no pairing code, no names and no input. The server closes
 * when the page was not requested for a minute.
 */
export function statusPage({ clock, folder }: PageOptions): Server {
  let waiting = clock.setTimeout(end, idleMs)
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    waiting.cancel()
    waiting = clock.setTimeout(end, idleMs)
    const state = readState(folder, clock.now())
    const isWell = state !== null && !state.isSilent && state.phase === 'running'
    const [path = '/'] = (request.url ?? '/').split('?')
    const { title, text } = wordsOf(state, clock.now())
    const headers = {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      Connection: 'close',
    }
    if (path === '/state.json') {
      const body = { state: title, text, version: state?.version ?? null }
      response.writeHead(200, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    if (path !== '/') {
      response
        .writeHead(404, { ...headers, 'Content-Type': 'text/plain' })
        .end('There is only one page here: /\n')
      return
    }
    const secure = isWell && state.isSecured ? secureUrl(request.headers.host, state.port) : null
    response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' })
    response.end(pageOf(title, text, secure, state?.version ?? ''))
  })
  /** A closing server has no deadlines, so half a request would keep it, and the page from everybody, for ever. */
  function end(): void {
    server.close()
    server.closeAllConnections()
  }
  return server.on('close', () => waiting.cancel())
}

/** Returns the daemon's address under the host name of this request; null for an invalid host name. */
function secureUrl(host: string | undefined, port: number): string | null {
  const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d+)?$/i.exec(host ?? '') ?? []
  if (name === undefined) return null
  return port === 443 ? `https://${name}` : `https://${name}:${port}`
}

function pageOf(title: string, text: string, url: string | null, version: string): string {
  const links = url
    ? `<p><a href="${url}/desk">Front desk</a> · <a href="${url}/kiosk">Kiosk</a> · <a href="${url}/setup">Set up</a></p>
<p>A browser that warns of the certificate: <a href="${url}/trust">how this device trusts the box</a>.</p>`
    : ''
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="10">
<title>${escaped(title)} - nightporter</title>
<style>body { font: 1.1em/1.5 system-ui, sans-serif; max-width: 40em; margin: 3em auto; padding: 0 1em }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } a { color: #9cf } }</style>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
${links}
<p><small>nightporter ${escaped(version)}</small></p>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
