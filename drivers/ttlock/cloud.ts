import { unlessAborted } from '../../src/devices/at-most.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { Clock } from '../../src/host/clock.ts'
import { answerIn, type CloudRequest, refused, unreadable } from './answer.ts'
import { exchange, type HttpOutcome, timeIsUp } from './exchange.ts'
import { type CallName, calls, type FormFields, tokenOver } from './protocol.ts'
import { inText, outText } from './record.ts'
import { type IssuedToken, session } from './session.ts'
import type { TtlockSettings } from './settings.ts'

/** The Open Platform, as one account sees it. Methods reject with a DeviceFault and nothing else. */
export type Cloud = ReturnType<typeof cloud>

interface CloudOptions {
  /** Begins the text of its faults. */
  name: string
  settings: TtlockSettings
  clock: Clock
  /** Aborted to end all requests. */
  closing: AbortSignal
  /** Called after every exchange with the cloud: null, or why there was no answer. */
  exchanged(fault: DeviceFault | null): void
  /** Called after each login: null, or why it failed. */
  loggedIn(fault: unknown): void
  /** Receives each request and answer, without secrets. */
  record(direction: 'out' | 'in', text: string): void
}

/** The cloud with its account. */
interface Client {
  options: CloudOptions
  /** False when the limit of requests in a minute is reached. */
  mayAsk(): boolean
}

/** The cloud client. It sends nothing before the first call. */
export function cloud(options: CloudOptions) {
  const { name, settings, clock, loggedIn } = options
  const { username, passwordDigest, callsPerMinute } = settings
  const { now } = clock
  const client: Client = { options, mayAsk: quota(callsPerMinute, now) }
  const ask = (grant: FormFields) => askForToken(client, grant)
  const account = session({ ask, isRefused: isRefusal, loggedIn, username, passwordDigest, now })

  return {
    /**
     * Makes a request in the account's name, once. It is repeated once when the cloud refused it because the token has
     * expired. Resolves with the fields of the answer; null for an `errcode` among `fine`.
     */
    async ask(
      callName: CallName,
      fields: FormFields,
      signal: AbortSignal,
      fine: readonly number[] = [],
    ): Promise<Record<string, unknown> | null> {
      const token = await awaited(account.token(), signal, name)
      let answer = await once(client, callName, fields, token, signal)
      if (answer.kind === 'refused' && tokenOver.includes(answer.errcode)) {
        const next = await awaited(account.after(token), signal, name)
        answer = await once(client, callName, fields, next, signal)
      }
      if (answer.kind === 'done') return answer.content
      if (fine.includes(answer.errcode)) return null
      throw refused(answer.errcode, answer.words, answer.asked)
    },
    /**
     * Resolves when the cloud is reachable, with the date of its answer in Unix milliseconds; null when the answer has no
     * date. It needs no account and no token.
     */
    look: (signal: AbortSignal): Promise<number | null> => look(client, signal),
  }
}

async function once(
  client: Client,
  callName: CallName,
  fields: FormFields,
  token: string,
  signal: AbortSignal,
) {
  const { name, settings, clock } = client.options
  const sent = { clientId: settings.clientId, accessToken: token, ...fields, date: String(clock.now()) }
  const request = { name, call: calls[callName], fields: sent }
  return { ...answerIn(await exchanged(client, request, signal), request), asked: request }
}

/** Several callers share this request, so only its own deadline ends it. */
async function askForToken(client: Client, grant: FormFields): Promise<IssuedToken> {
  const { name, settings, closing } = client.options
  const { clientId, clientSecret } = settings
  const request = { name, call: calls.token, fields: { clientId, clientSecret, ...grant } }
  const answer = answerIn(await exchanged(client, request, closing), request)
  if (answer.kind === 'refused') throw refused(answer.errcode, answer.words, request)
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = answer.content
  if (!isToken(access)) throw unreadable('issued no token', request)
  return { access, refresh: isToken(refresh) ? refresh : null, seconds: Number(seconds) }
}

async function look({ options }: Client, signal: AbortSignal): Promise<number | null> {
  const url = new URL(`${options.settings.baseUrl}/`)
  const outcome = await exchange({ method: 'HEAD', url, form: null }, deadline(options, signal))
  report(options, outcome, signal)
  if (outcome.kind === 'answer') return outcome.date
  throw unreachable(options, outcome.why)
}

/** Makes one exchange, and reports its result. */
async function exchanged(
  { options, mayAsk }: Client,
  { call, fields }: CloudRequest,
  signal: AbortSignal,
): Promise<HttpOutcome> {
  const { name, settings, record } = options
  if (!mayAsk())
    throw new DeviceFault('lock-system-busy', `${name}: the limit of requests in a minute is reached`)
  const { method, path } = call
  record('out', outText(call, fields))
  const url = new URL(settings.baseUrl + path)
  const encoded = new URLSearchParams(fields).toString()
  if (method === 'GET') url.search = encoded
  const form = method === 'GET' ? null : encoded
  const outcome = await exchange({ method, url, form }, deadline(options, signal))
  record('in', inText(outcome, fields))
  report(options, outcome, signal)
  return outcome
}

function deadline({ closing, clock, settings }: CloudOptions, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, closing, clock.timeout(settings.timeoutMs)])
}

function report(options: CloudOptions, outcome: HttpOutcome, signal: AbortSignal): void {
  // A request that its caller cancelled says nothing about the cloud. One that reached its deadline does.
  if (outcome.kind === 'answer') options.exchanged(null)
  else if (!signal.aborted || timeIsUp(signal)) options.exchanged(unreachable(options, outcome.why))
}

function unreachable({ name }: CloudOptions, why: string): DeviceFault {
  return new DeviceFault('lock-system-unreachable', `${name}: the cloud ${why}`)
}

/** Returns true `perMinute` times in each minute; a minute begins with the first call after the one before. */
function quota(perMinute: number, now: () => number): () => boolean {
  let since = Number.NEGATIVE_INFINITY
  let left = 0
  return () => {
    // The absolute difference: a clock that is set back must not extend the pause.
    if (Math.abs(now() - since) >= 60_000) {
      since = now()
      left = perMinute
    }
    return left-- > 0
  }
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 4_096
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof DeviceFault)) return false
  return error.code === 'lock-system-auth-failed' || error.code === 'lock-system-rejected'
}

/** The token, unless the caller gives up first: it has not sent its own request yet. The login continues for others. */
async function awaited(token: Promise<string>, signal: AbortSignal, name: string): Promise<string> {
  try {
    return await unlessAborted(token, signal)
  } catch (error) {
    if (error !== signal.reason) throw error
    const text = `${name}: the login was cancelled before the cloud issued a token`
    throw new DeviceFault('lock-system-unreachable', text)
  }
}
