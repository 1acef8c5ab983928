import { createHash, randomUUID } from 'node:crypto'
import type { ExtensionMethod } from '../../../contract.ts'
import type { HttpAnswer } from '../../http/exchange.ts'
import { jsonTextIn, objectIn, reasonIn } from '../../http/faults.ts'
import type { ExtensionReplied } from '../messages/message-data.ts'
import type { Exchanges, RequestType } from '../messages/messages.ts'

/** A message as an HTTP request. */
export interface HttpCall {
  method: ExtensionMethod
  /** Below the base URL, with its query. */
  path: string
  body?: unknown
  /** Equal for repetitions of the same request. */
  idempotencyKey?: string
  /** True when the request may change something at the PMS. */
  changes: boolean
  /** True when the answer may be cached by its ETag. */
  isTagged?: boolean
  /** Statuses beside 2xx that are answers. */
  also?: readonly number[]
  /** The `data` of the reply. */
  read(answer: HttpAnswer): unknown
}

const whole = ({ body }: HttpAnswer) => objectIn(body)

/** The HTTP form of each request. */
export const httpCalls: { [Type in RequestType]: (data: Exchanges[Type]['data']) => HttpCall } = {
  'pms.changes.requested': ({ after, limit }) => ({
    method: 'GET',
    path: `changes${queryOf({ after, limit })}`,
    changes: false,
    isTagged: true,
    read: whole,
  }),
  'pms.reservations.offered': (data) => ({
    method: 'POST',
    path: 'offers',
    body: data,
    idempotencyKey: keyOf(data.offers.map(({ id }) => id)),
    changes: true,
    read: whole,
  }),
  'pms.capabilities.requested': ({ requestId, ...parameters }) => ({
    method: 'GET',
    path: `capabilities${queryOf(parameters)}`,
    changes: false,
    // The connection relates an answer to its request.
    read: (answer) => Object.assign(whole(answer), { requestId }),
  }),
  'pms.unit-assignment.requested': (data) => ({
    method: 'POST',
    path: 'unit-assignments',
    body: data,
    idempotencyKey: randomUUID(),
    changes: true,
    read: whole,
  }),
  'pms.extension.invoked': ({ name, method, query, body }) => ({
    method,
    path: `extensions/${encodeURIComponent(name)}${query === '' ? '' : `?${query}`}`,
    ...(body && { body }),
    ...(method === 'POST' && { idempotencyKey: randomUUID() }),
    changes: method !== 'GET',
    also: [400, 404, 405, 422, 501],
    read: extensionReply,
  }),
}

function extensionReply({ status, body }: HttpAnswer): ExtensionReplied {
  if ([404, 405, 501].includes(status)) return { is: 'not-implemented' }
  if (status >= 400) return { is: 'refused', reason: reasonIn(body) ?? `The PMS answered ${status}.` }
  return { is: 'answered', payload: body.length === 0 ? null : jsonTextIn(body) }
}

function queryOf(members: Record<string, unknown>): string {
  const given = Object.entries(members).filter(([, value]) => value !== null && value !== undefined)
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** The same key for the same ids in the same order. */
export function keyOf(ids: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(ids)).digest('hex')
}
