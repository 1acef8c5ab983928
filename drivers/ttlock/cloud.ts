import { DeviceFault } from '../../src/devices/fault.ts'
import type { Clock } from '../../src/host/clock.ts'
import { answerIn, type CloudRequest, refused, unreadable } from './answer.ts'
import { exchange, type HttpOutcome, timeIsUp } from './exchange.ts'
import { type CallName, calls, type FormFields, tokenOver } from './protocol.ts'
import { inText, outText } from './record.ts'
import { type IssuedToken, session } from './session.ts'
import type { TtlockSettings } from './settings.ts'

/** The Open Platform, as one account sees it. Methods reject with a DeviceFault and nothing else. */
export interface Cloud {
  /**
   * Makes a request in the account's name, once. It is repeated once when the cloud refused it because the token has
   * expired. Resolves with the fields of the answer; null for an `errcode` among `fine`.
   */
  ask(
    name: CallName,
    fields: FormFields,
    signal: AbortSignal,
    fine?: readonly number[],
  ): Promise<Record<string, unknown> | null>
  /**
   * Resolves when the cloud is reachable, with the date of its answer in Unix milliseconds; null when the answer has no
   * date. It needs no account and no token.
   */
  look(signal: AbortSignal): Promise<number | null>
}

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

/** The cloud client. It sends nothing before the first call. */
export function cloud(options: CloudOptions): Cloud {
  const { name, settings, clock, closing, record } = options
  const { now } = clock
  const { baseUrl, timeoutMs, clientId, clientSecret, username, passwordDigest } = settings
  const mayAsk = quota(settings.callsPerMinute, now)
  const account = session({
    ask: askForToken,
    isRefused: isRefusal,
    loggedIn: options.loggedIn,
    username,
    passwordDigest,
    now,
  })

  function deadline(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, closing, clock.timeout(timeoutMs)])
  }

  /** Makes one exchange, and reports its result. */
  async function exchanged(cloudRequest: CloudRequest, signal: AbortSignal): Promise<HttpOutcome> {
    if (!mayAsk())
      throw new DeviceFault('lock-system-busy', `${name}: the limit of requests in a minute is reached`)
    const { method, path } = cloudRequest.call
    record('out', outText(cloudRequest.call, cloudRequest.fields))
    const url = new URL(baseUrl + path)
    const encoded = new URLSearchParams(cloudRequest.fields).toString()
    if (method === 'GET') url.search = encoded
    const outcome = await exchange({ method, url, form: method === 'GET' ? null : encoded }, deadline(signal))
    record('in', inText(outcome, cloudRequest.fields))
    report(outcome, signal)
    return outcome
  }

  function report(outcome: HttpOutcome, signal: AbortSignal) {
    if (outcome.kind === 'answer') return options.exchanged(null)
    // A request that its caller cancelled says nothing about the cloud. One that reached its deadline does.
    if (!signal.aborted || timeIsUp(signal))
      options.exchanged(new DeviceFault('lock-system-unreachable', `${name}: the cloud ${outcome.why}`))
  }

  /** Several callers share this request, so only its own deadline ends it. */
  async function askForToken(grant: FormFields): Promise<IssuedToken> {
    const cloudRequest = { name, call: calls.token, fields: { clientId, clientSecret, ...grant } }
    const answer = answerIn(await exchanged(cloudRequest, closing), cloudRequest)
    if (answer.kind === 'refused') throw refused(answer.errcode, answer.words, cloudRequest)
    const { access_token: access, refresh_token: refresh, expires_in: seconds } = answer.content
    if (!isToken(access)) throw unreadable('issued no token', cloudRequest)
    return { access, refresh: isToken(refresh) ? refresh : null, seconds: Number(seconds) }
  }

  async function once(callName: CallName, fields: FormFields, token: string, signal: AbortSignal) {
    const call = calls[callName]
    const sent = { clientId, accessToken: token, ...fields, date: String(now()) }
    const cloudRequest = { name, call, fields: sent }
    return { ...answerIn(await exchanged(cloudRequest, signal), cloudRequest), asked: cloudRequest }
  }

  return {
    async ask(callName, fields, signal, fine = []) {
      const token = await unlessAborted(account.token(), signal, name)
      let answer = await once(callName, fields, token, signal)
      if (answer.kind === 'refused' && tokenOver.includes(answer.errcode)) {
        const next = await unlessAborted(account.after(token), signal, name)
        answer = await once(callName, fields, next, signal)
      }
      if (answer.kind === 'done') return answer.content
      if (fine.includes(answer.errcode)) return null
      throw refused(answer.errcode, answer.words, answer.asked)
    },
    async look(signal) {
      const outcome = await exchange(
        { method: 'HEAD', url: new URL(`${baseUrl}/`), form: null },
        deadline(signal),
      )
      report(outcome, signal)
      if (outcome.kind === 'answer') return outcome.date
      throw new DeviceFault('lock-system-unreachable', `${name}: the cloud ${outcome.why}`)
    },
  }
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

/**
 * Settles as `work` does, or rejects once the signal is aborted. `work` continues for the other callers that share it. A
 * caller whose signal is aborted has not sent its own request yet.
 */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      reject(
        new DeviceFault(
          'lock-system-unreachable',
          `${name}: the login was cancelled before the cloud issued a token`,
        ),
      )
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
