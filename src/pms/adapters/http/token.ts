import { DeviceFault } from '../../../devices/fault.ts'
import type { HttpAnswer } from './exchange.ts'
import { objectIn } from './faults.ts'

/** How requests authenticate the appliance. */
export interface HttpAuthentication {
  /** The value of `Authorization`; null for none. */
  header(): Promise<string | null>
  /** The value for a second attempt after `refused` received a 401: a new token, or null when there is only the fixed one. */
  instead(refused: string | null): Promise<string | null>
}

/** A fixed token, or none. */
export function staticToken(token: string | undefined): HttpAuthentication {
  const header = token === undefined ? null : `Bearer ${token}`
  return { header: async () => header, instead: async () => null }
}

interface ClientCredentials {
  clientId: string
  clientSecret: string
  scope?: string
  now(): number
  /** Posts a form to the token URL. It has its own deadline, because several callers share it. */
  post(form: string, authorization: string): Promise<HttpAnswer>
}

interface Token {
  header: string
  /** Unix milliseconds. */
  from: number
  until: number
}

/** A token is renewed before it expires: a tenth of its lifetime earlier, a minute at most. */
const earlyShare = 0.1
const earlyMs = 60_000
/** The lifetime of a token whose answer states none. */
const usualSeconds = 300

/** OAuth 2 client credentials (RFC 6749, 4.4): one token at a time, kept until shortly before it expires. */
export function clientCredentials({
  clientId,
  clientSecret,
  scope,
  now,
  post,
}: ClientCredentials): HttpAuthentication {
  let token: Token | null = null
  let renewal: Promise<Token> | null = null

  async function header(): Promise<string> {
    // A clock that was set back to before the request makes the age of the token unknown: it counts as expired.
    if (token && now() >= token.from && now() < token.until) return token.header
    return (await renewed()).header
  }

  async function renewed(): Promise<Token> {
    renewal ??= ask().finally(() => {
      renewal = null
    })
    token = await renewal
    return token
  }

  async function ask(): Promise<Token> {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) })
    const from = now()
    const answer = await post(form.toString(), basic(clientId, clientSecret))
    if (answer.status !== 200) throw refusedBy(answer)
    const { access_token: word, expires_in: seconds = usualSeconds } = objectIn(answer.body)
    if (typeof word !== 'string' || !tokenForm.test(word))
      throw unreadable('no access_token that a header can hold')
    const life = typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : usualSeconds * 1_000
    return { header: `Bearer ${word}`, from, until: from + life - Math.min(earlyMs, life * earlyShare) }
  }

  return {
    header,
    async instead(refused) {
      if (token?.header === refused) token = null
      return header()
    },
  }
}

const tokenForm = /^[\x21-\x7e]{1,4096}$/

/** The header for client id and secret. RFC 6749 requires that both are encoded before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const pair = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':')
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

function refusedBy({ status }: HttpAnswer): DeviceFault {
  return status >= 500 || status === 429
    ? new DeviceFault('adapter-timeout', `The token URL answered ${status}.`, { vendorCode: `${status}` })
    : new DeviceFault('vendor-error', `The token URL refused the client id and secret with ${status}.`, {
        vendorCode: `${status}`,
      })
}

function unreadable(what: string): DeviceFault {
  return new DeviceFault('vendor-error', `The token URL answered with ${what}.`)
}

/** A caller waits for a token only until its own signal is aborted; the request goes on for others. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      reject(new DeviceFault('adapter-timeout', 'The token URL of the PMS did not answer in time.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
