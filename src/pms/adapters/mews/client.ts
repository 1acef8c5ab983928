import { DeviceFault } from '../../../devices/fault.ts'
import { type HttpAnswer, httpClient } from '../http/exchange.ts'
import { faultOfSilence, objectIn } from '../http/faults.ts'
import { requestedPause } from '../http/retry-after.ts'

/** A client of the Connector API. Every operation is a POST whose body contains the credentials. */
export interface MewsClient {
  /**
   * Returns the answer of the operation. Rejects with Refusal when Mews refuses it, and with DeviceFault for a failure.
   */
  ask<T>(operation: string, body: Record<string, unknown>, call: MewsCall): Promise<T>
  /** The time of its last answer by the clock of Mews, Unix milliseconds to the second; null when it is unknown. */
  answeredAt(): number | null
  /** All pages of a list. Rejects with vendor-error above 50,000 items. */
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
  now(): number
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

export function mewsClient({ platformAddress, clientToken, accessToken, now }: ClientSettings): MewsClient {
  const base = platformAddress.replace(/\/+$/, '')
  const { exchange, close } = httpClient({})
  const closing = new AbortController()
  const pause = requestedPause(now)
  let answeredAt: number | null = null

  async function ask<T>(
    operation: string,
    body: Record<string, unknown>,
    { signal, changes = false }: MewsCall,
  ): Promise<T> {
    pause.expectOver(operation)
    const whole = { ClientToken: clientToken, AccessToken: accessToken, Client: client, ...body }
    try {
      const answer = await exchange({
        method: 'POST',
        url: new URL(`${base}/api/connector/v1/${operation}`),
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(whole),
        signal: AbortSignal.any([signal, closing.signal]),
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
      if (!Array.isArray(items)) throw rubbish(operation, member)
      found.push(...(items as T[]))
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

/** The fault for an answer without the expected list. */
export function rubbish(operation: string, member: string): DeviceFault {
  return new DeviceFault('vendor-error', `Mews answered to ${operation} without a list of ${member}.`)
}

function failureOf({ status, body }: HttpAnswer, operation: string, changes: boolean): Error {
  const message = messageIn(body)
  if (refusals.includes(status)) return new MewsRefusal(status, message ?? `Mews refused ${operation}.`)
  const detail = `Mews answered ${status} to ${operation}${message ? `: ${message}` : '.'}`
  const code = passing.includes(status) ? 'adapter-timeout' : 'vendor-error'
  return new DeviceFault(code, detail, {
    vendorCode: String(status),
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
