import { type ApiError, getList, type Resource, sendOne } from '../../lib/server/api.ts'
import type { CardRun, Key } from '../../lib/server/resources.ts'
import { confirmed } from '../../lib/server/session.ts'
import { type CardOrder, keyOf, wordOf } from './order.ts'

/** The deadline of an answer, in which the machine feeds a card, writes it, reads it back and moves it to the gate. */
export const answerWithinMs = 120_000

/** Orders the card, and resolves with its key. The box makes one card for an order, however often it is sent. Throws ApiError. */
export async function sent(order: CardOrder): Promise<Resource<Key>> {
  const { stayId, body, controllerId } = order
  const kind = stayId === null ? 'one-shot-key' : 'key'
  const path = `/api/v2/access/controllers/${controllerId}/${kind}`
  const options = {
    body: { data: { type: 'key', attributes: body }, ...wordOf(order) },
    idempotencyKey: keyOf(order),
    timeoutMs: answerWithinMs,
  }
  return (await confirmed(() => sendOne<Key>('POST', path, options))).data
}

/**
 * Whether the box did not decide the request: the connection is lost, the station is locked, or the first attempt still
 * runs.
 */
export function isNoAnswer({ status, code }: ApiError): boolean {
  return [0, 401, 429, 503].includes(status) || ['idempotency-in-progress', 'session-locked'].includes(code)
}

/** Reads the keys of the stay of an order, or those of a room for the staff, the newest first. */
export async function keysOf({ stayId, room }: CardOrder): Promise<Resource<Key>[]> {
  const filter =
    stayId === null
      ? `filter[unitName]=${encodeURIComponent(room)}&filter[usage]=OneShot`
      : `filter[stayId]=${stayId}`
  const path = `/api/v2/access/keys?${filter}&sort=-createdAt&page[size]=100`
  return (await getList<Key>(path)).data
}

/**
 * Finds the key that was made for an order; null for none. A colleague may make cards of the same stay meanwhile: a key of another
 * room, or of another kind, is not of this order.
 */
export async function newKeyOf(order: CardOrder): Promise<Resource<Key> | null> {
  const { known, room, body } = order
  if (known === null) return null
  const isOwn = ({ id, attributes }: Resource<Key>) =>
    !known.includes(id) &&
    attributes.unitName === room &&
    (!('original' in body) || attributes.original === body.original)
  return (await keysOf(order)).find(isOwn) ?? null
}

/** Reads how far the card of a key is; null for a key without a card run. */
export async function runOf(keyId: string): Promise<CardRun | null> {
  const path = `/api/v2/access/card-runs?filter[keyId]=${keyId}&sort=-createdAt&page[size]=1`
  const { data } = await getList<CardRun>(path)
  return data[0]?.attributes ?? null
}
