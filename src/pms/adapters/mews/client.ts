import { DeviceFault } from '../../../devices/fault.ts'
import type { Clock } from '../../../host/clock.ts'
import { UnreadableAnswer } from '../../unreadable-answer.ts'
import { type HttpAnswer, httpClient, NoAnswer } from '../http/exchange.ts'
import { faultOfSilence, objectIn } from '../http/faults.ts'
import { requestedPause } from '../http/retry-after.ts'
import { pacer } from './pace.ts'

/**
 * A client of the Connector API. Every operation is a POST whose body contains the credentials. Requests wait for one another so
 * that they stay within the limit of Mews.
 */
export interface MewsClient {
  /**
   * Returns the answer of the operation. Rejects with Refusal when Mews refuses it, and with DeviceFault for a failure.
   */
  ask<T>(operation: string, body: Record<string, unknown>, call: MewsCall): Promise<T>
  /** The time of its last answer by the clock of Mews, Unix milliseconds to the second; null when it is unknown. */
  answeredAt(): number | null
  /** The objects on all pages of a list. Rejects with vendor-error above 50,000 items. */
  all<T>(operation: string, member: string, body: Record<string, unknown>, call: MewsCall): Promise<T[]>
  close(): void
}

export interface MewsCall {
  signal: AbortSignal
  /** True when the operation may change something at Mews. */
  changes?: boolean
}

interface ClientSettings {
  platformAddress: string
  clientToken: string
  accessToken: string
  /** The property that is meant, where the access token is of a portfolio. */
  enterpriseId: string | null
  /** The chain that has the customers of that property. */
  chainId: string | null
  clock: Clock
}

/** Mews refuses the operation: a rule of the property forbids it, or the data has changed. */
export class MewsRefusal extends Error {
  status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'Refusal'
    this.status = status
  }
}

/** The maximum page size of Mews. */
const pageSize = 1_000
const mostPages = 50
const largest = 16 * 1024 * 1024
const client = 'nightporter 1.0.0'

/** 403 is a rule that forbids the operation, 409 a change of the data, and 400 in most cases an unknown name. */
const refusals = [400, 403, 409]
const passing = [408, 429, 500, 502, 503, 504]

/** Sends requests to Mews, at the pace that Mews asks for. Rejects with a `DeviceFault` or a `MewsRefusal`. */
export function mewsClient(settings: ClientSettings): MewsClient {
  const { platformAddress, clientToken, accessToken, clock } = settings
  const base = platformAddress.replace(/\/+$/, '')
  const { exchange, close } = httpClient({})
  const closing = new AbortController()
  const pause = requestedPause(clock.now)
  const turn = pacer(clock)
  let answeredAt: number | null = null

  async function ask<T>(
    operation: string,
    body: Record<string, unknown>,
    { signal, changes = false }: MewsCall,
  ): Promise<T> {
    pause.expectOver(operation)
    const tokens = { ClientToken: clientToken, AccessToken: accessToken, Client: client }
    const whole = { ...tokens, ...propertyFor(operation, settings), ...body }
    try {
      const ended = AbortSignal.any([signal, closing.signal])
      await turn(ended).catch(() => {
        throw new NoAnswer('was not asked in time', { sent: false })
      })
      // Mews may have asked another request to pause meanwhile.
      pause.expectOver(operation)
      const answer = await exchange({
        method: 'POST',
        url: new URL(`${base}/api/connector/v1/${operation}`),
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(whole),
        signal: ended,
        largest,
        mayRepeat: !changes,
      })
      pause.observe(answer)
      answeredAt = momentIn(answer.headers.date)
      if (answer.status === 200) return objectIn(answer.body) as T
      throw failureOf(answer, operation, changes)
    } catch (error) {
      throw faultOfSilence(error, { what: operation, changes })
    }
  }

  async function all<T>(
    operation: string,
    member: string,
    body: Record<string, unknown>,
    call: MewsCall,
  ): Promise<T[]> {
    const found: T[] = []
    let cursor: string | null = null
    for (let page = 0; page < mostPages; page++) {
      const limitation = { Count: pageSize, ...(cursor !== null && { Cursor: cursor }) }
      const answer: Record<string, unknown> = await ask(operation, { ...body, Limitation: limitation }, call)
      const items = answer[member]
      if (!Array.isArray(items)) throw rubbish(operation, member, answer)
      found.push(...(items as T[]).filter((item) => typeof item === 'object' && item !== null))
      cursor = typeof answer.Cursor === 'string' ? answer.Cursor : null
      if (cursor === null || items.length < pageSize) return found
    }
    throw new DeviceFault('vendor-error', `Mews has more than ${mostPages * pageSize} for ${operation}.`)
  }

  return {
    ask,
    all,
    answeredAt: () => answeredAt,
    close() {
      closing.abort()
      close()
    },
  }
}

/** The members that say which property of a portfolio is meant. Mews ignores them with the token of a single property. */
function propertyFor(operation: string, { enterpriseId, chainId }: ClientSettings): Record<string, unknown> {
  const isList = operation.includes('/getAll')
  const isOfChain = operation.startsWith('customers/')
  const [name, id] = isOfChain ? ['ChainId', chainId] : ['EnterpriseId', enterpriseId]
  if (id === null) return {}
  return isList ? { [`${name}s`]: [id] } : { [name]: id }
}

/** The fault for an answer without the expected list. */
export function rubbish(operation: string, member: string, answer: unknown): UnreadableAnswer {
  return new UnreadableAnswer(`Mews answered to ${operation} without a list of ${member}.`, answer)
}

function failureOf({ status, headers, body }: HttpAnswer, operation: string, changes: boolean): Error {
  const message = messageIn(body)
  if (refusals.includes(status)) return new MewsRefusal(status, message ?? `Mews refused ${operation}.`)
  const detail = `Mews answered ${status} to ${operation}${message ? `: ${message}` : '.'}`
  const code = passing.includes(status) ? 'adapter-timeout' : 'vendor-error'
  const seconds = Number(headers['retry-after'])
  return new DeviceFault(code, detail, {
    vendorCode: String(status),
    ...(status === 429 && seconds > 0 && { retryAfterSeconds: seconds }),
    outcomeUnknown: changes && status !== 401 && status !== 429,
  })
}

function momentIn(date: string | undefined): number | null {
  const moment = Date.parse(date ?? '')
  return Number.isNaN(moment) ? null : moment
}

/** Mews's sentence for people, in `Message`. */
function messageIn(body: Buffer): string | null {
  try {
    const { Message } = JSON.parse(body.toString()) as { Message?: unknown }
    return typeof Message === 'string' ? Message.replace(/\p{Cc}+/gu, ' ').slice(0, 300) : null
  } catch {
    return null
  }
}
