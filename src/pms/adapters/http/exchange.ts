import http, {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { troubleText } from '../../../devices/network/line-trouble.ts'
import { AddressRefused, guarded, peerPolicies } from '../../../devices/network/peer-address.ts'
import { https } from '../../../devices/network/tls.ts'

/** One HTTP request, and its limits. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: URL
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
  /** The maximum number of bytes of an answer. */
  largest: number
  /** True when a repetition is harmless: the request changes nothing, or the server recognises it by its key. */
  mayRepeat: boolean
}

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The request had no answer. */
export class NoAnswer extends Error {
  /** Part of the request may have arrived. */
  sent: boolean
  /** What was received of an answer that was too large; null for any other failure. */
  excess: Buffer | null

  constructor(message: string, { sent, excess = null }: { sent: boolean; excess?: Buffer | null }) {
    super(message)
    this.sent = sent
    this.excess = excess
  }
}

/** The trusted authorities, and the client certificate; PEM texts. */
interface TlsSettings {
  /** Instead of the authorities that Node trusts. */
  ca?: string
  cert?: string
  key?: string
}

const maxConnections = 4
const idleMs = 30_000

/**
 * Keeps connections to one PMS. It follows no redirect and uses no compression. When a kept connection ends during a
 * request, a repeatable request is sent once more; for any other request the outcome is unknown.
 */
export function httpClient(tls: TlsSettings) {
  const kept = { keepAlive: true, maxSockets: maxConnections, timeout: idleMs }
  const agents = {
    'http:': new http.Agent(kept),
    'https:': new (https().Agent)({ ...kept, ...tls, minVersion: 'TLSv1.2' }),
  }

  /** Resolves with any status. Rejects with NoAnswer, and with AddressRefused for an address that must not be spoken to. */
  async function exchange(asking: HttpRequest): Promise<HttpAnswer> {
    try {
      return await once(asking)
    } catch (error) {
      if (!(error instanceof Stale) || !asking.mayRepeat) throw error
      return once(asking)
    }
  }

  function once({ method, url, headers, body, signal, largest }: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const isTls = url.protocol === 'https:'
      const options: RequestOptions = {
        method,
        signal,
        ...guarded(url, peerPolicies.pms),
        agent: agents[isTls ? 'https:' : 'http:'],
        headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      }
      const request = (isTls ? https() : http).request(url, options)
      const isSent = sentBy(request, isTls)
      request.on('error', (error) => reject(failureOf(error, { sent: isSent(), request, signal })))
      request.on('response', (response) => {
        bodyOf(response, largest).then(
          (whole) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: whole }),
          (error) => {
            request.destroy()
            reject(
              error instanceof NoAnswer ? error : failureOf(error, { sent: true, request: null, signal }),
            )
          },
        )
      })
      request.end(body)
    })
  }

  function close(): void {
    for (const agent of Object.values(agents)) agent.destroy()
  }

  return { exchange, close }
}

/** A kept connection ended before an answer: in most cases the other side had closed it before the request arrived. */
class Stale extends NoAnswer {}

/** Whether a part of a request may have been sent: never before its connection was established. */
function sentBy(request: ClientRequest, isTls: boolean): () => boolean {
  let sent = false
  request.once('socket', (socket) => {
    if (request.reusedSocket || !socket.connecting) sent = true
    else socket.once(isTls ? 'secureConnect' : 'connect', () => (sent = true))
  })
  return () => sent
}

function failureOf(
  error: Error,
  { sent, request, signal }: { sent: boolean; request: ClientRequest | null; signal: AbortSignal },
): Error {
  if (error instanceof AddressRefused) return error
  if (signal.aborted) return new NoAnswer('gave no answer in time', { sent })
  const code = 'code' in error ? String(error.code) : ''
  if (request?.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) {
    return new Stale('broke the connection off', { sent })
  }
  return new NoAnswer(
    sent ? `broke the connection off (${troubleText(error)})` : `cannot be reached (${troubleText(error)})`,
    { sent },
  )
}

async function bodyOf(response: IncomingMessage, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    chunks.push(chunk)
    if (size > largest)
      throw new NoAnswer(`answers with more than ${largest} bytes`, {
        sent: true,
        excess: Buffer.concat(chunks),
      })
  }
  return Buffer.concat(chunks)
}
