import type { IncomingHttpHeaders } from 'node:http'
import type { CloudEvent } from '../../events/cloud-event.ts'
import type { ExtensionReplied, RequestFailed } from '../../pms/adapters/cloudevents/messages/message-data.ts'
import type { PmsReply, PmsRequest } from './simulated-pms.ts'

export interface IncomingHttp {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  body: string
}

export type HttpPmsRequest = PmsRequest | { type: 'events'; events: CloudEvent[] }

/** The request of the contract in an HTTP request; null for an unknown address. Throws SyntaxError for a body that is not JSON. */
export function pmsRequestIn({ method, url, body }: IncomingHttp): HttpPmsRequest | null {
  const { pathname, searchParams } = url
  const query = Object.fromEntries(searchParams)
  const parsedBody = () => JSON.parse(body)
  const fixed: Record<string, () => HttpPmsRequest> = {
    'GET /changes': () => ({
      type: 'pms.changes.requested',
      data: { after: query.after ?? null, limit: Number(query.limit ?? 500) },
    }),
    'POST /offers': () => ({ type: 'pms.reservations.offered', data: parsedBody() }),
    'GET /capabilities': () => ({ type: 'pms.capabilities.requested', data: query }),
    'POST /unit-assignments': () => ({ type: 'pms.unit-assignment.requested', data: parsedBody() }),
    'POST /events': () => ({ type: 'events', events: parsedBody() }),
  }
  const found = fixed[`${method} ${pathname}`]
  if (found) return found()
  const [, name] = /^\/extensions\/([^/]+)$/.exec(pathname) ?? []
  if (name === undefined) return null
  const data = {
    name: decodeURIComponent(name),
    method,
    query: url.search.slice(1),
    body: body === '' ? null : parsedBody(),
  }
  return { type: 'pms.extension.invoked', data }
}

const failures: Record<RequestFailed['code'], number> = {
  busy: 503,
  'cursor-gone': 410,
  unauthorized: 401,
  invalid: 400,
  failed: 500,
}

/** The HTTP status and body of a reply. */
export function httpReply(
  { type, data }: PmsReply,
  request: HttpPmsRequest,
): { status: number; body: unknown } {
  if (request.type === 'events') return { status: 204, body: null }
  if (type === 'pms.request.failed') {
    const { code, reason } = data as RequestFailed
    return { status: failures[code], body: { detail: reason } }
  }
  if (type !== 'pms.extension.replied') return { status: 200, body: data }
  const replied = data as ExtensionReplied
  if (replied.is === 'not-implemented') return { status: 404, body: { title: 'No such extension' } }
  if (replied.is === 'refused') return { status: 422, body: { detail: replied.reason } }
  return { status: 200, body: replied.payload }
}
