import { systemClock } from '../host/clock.ts'
import { CommandFailed, type Exit } from './exit-codes.ts'

interface AskOptions {
  body?: unknown
  headers?: Record<string, string>
  /** The timeout in milliseconds; default 60,000. */
  withinMs?: number
}

/** A successful answer. `body` is null for an empty answer. */
export interface Reply<Body> {
  body: Body
  /** The ETag, to be sent back as If-Match. */
  etag: string | null
}

/** An error object of a JSON:API answer. */
export interface ErrorObject {
  code: string
  title: string
  detail: string
  source?: { pointer?: string; parameter?: string; header?: string }
  meta?: Record<string, unknown>
}

/** An error answer of the appliance: its HTTP status and at least one error. */
export class ApplianceRefusal extends CommandFailed {
  status: number
  errors: ErrorObject[]
  /** How many further errors the appliance has found and not listed. */
  more: number

  constructor(status: number, errors: ErrorObject[], more = 0) {
    super(exitOf(status, errors[0]?.meta ?? {}), errors.map(({ detail }) => detail).join(' '))
    this.name = 'Refusal'
    this.status = status
    this.errors = errors
    this.more = more
  }

  /** The `meta` of the first error. */
  get meta(): Record<string, unknown> {
    return this.errors[0]?.meta ?? {}
  }
}

/**
 * Sends a request to a running appliance. Throws a Refusal for an error answer, and CommandFailed `unreachable` when
 * there is no answer.
 */
export type Client = <Body>(method: string, path: string, options?: AskOptions) => Promise<Reply<Body>>

/** A resource of a list. */
export interface Item<Attributes> {
  id: string
  attributes: Attributes
}

/** Reads a list, one page after the other. */
export async function* itemsOf<Attributes>(ask: Client, path: string): AsyncGenerator<Item<Attributes>> {
  for (let next: string | null = path; next; ) {
    type Page = { data: Item<Attributes>[]; links?: { next?: string | null } }
    const { body }: Reply<Page> = await ask('GET', next)
    yield* body.data
    next = body.links?.next ?? null
  }
}

const mediaType = 'application/vnd.api+json'

/** Creates a client for the appliance at this URL. Throws CommandFailed `usage` for an invalid URL. */
export function client({ url, token }: { url: string; token: string }): Client {
  const base = readUrl(url)
  return async <Body>(method: string, path: string, options: AskOptions = {}): Promise<Reply<Body>> => {
    const { status, etag, text } = await sent(base, token, method, path, options)
    if (status >= 400) throw refusalOf(status, text)
    return { etag, body: (text === '' ? null : parsed(text, base)) as Body }
  }
}

function readUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, '')
  throw new CommandFailed('usage', `--url: expected something like http://127.0.0.1:8080, not ${url}.`)
}

async function sent(base: string, token: string, method: string, path: string, options: AskOptions) {
  const { body, headers = {}, withinMs = 60_000 } = options
  try {
    const response = await fetch(base + path, {
      method,
      headers: {
        Accept: mediaType,
        'Accept-Language': 'en',
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': mediaType }),
        ...headers,
      },
      signal: systemClock.timeout(withinMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, etag: response.headers.get('etag'), text: await response.text() }
  } catch (error) {
    throw new CommandFailed('unreachable', unanswered(base, reasonOf(error)), { cause: error })
  }
}

function unanswered(base: string, reason: string): string {
  if (/CERT|SELF_SIGNED|ISSUER|VERIFY/.test(reason)) {
    return `The certificate of ${base} is not trusted (${reason}). If it is your own, set NODE_EXTRA_CA_CERTS to its file; the authority that a box has made itself is the file authority.pem in its data folder.`
  }
  return `No appliance answers at ${base} (${reason}). Is it running? Start it with: nightporter serve`
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error & { code?: string } }
  return cause?.code ?? cause?.message ?? message
}

function refusalOf(status: number, text: string): ApplianceRefusal {
  const { errors = [], meta } = documentIn(text)
  const unknown = { code: 'unknown', title: 'Error', detail: `The answer was HTTP ${status}.` }
  return new ApplianceRefusal(status, errors.length > 0 ? errors : [unknown], meta?.moreErrors)
}

function documentIn(text: string): { errors?: ErrorObject[]; meta?: { moreErrors?: number } } {
  return text.startsWith('{') ? JSON.parse(text) : {}
}

function parsed(text: string, base: string): unknown {
  if (/^\s*[[{]/.test(text)) return JSON.parse(text)
  throw new CommandFailed(
    'unreachable',
    `The server at ${base} is not a nightporter appliance. Check the address in --url.`,
  )
}

/** A device that is only busy (`guest` is `wait`) gives `later`, not `device`. */
function exitOf(status: number, { guest, retryAfterSeconds }: Record<string, unknown>): Exit {
  if (status === 401 || status === 403) return 'permission'
  if (status === 404) return 'missing'
  if (status === 502) return guest === 'wait' ? 'later' : 'device'
  if (status === 429 || status === 503 || retryAfterSeconds !== undefined) return 'later'
  return status >= 500 ? 'fault' : 'refused'
}
