import { signal } from '@preact/signals'
import { ApiError, get, type Resource, send } from '../../lib/api.ts'
import type { CardRun, Key } from '../../lib/resources.ts'
import { session } from '../../lib/session.ts'
import { type CardOrder, forgetOrder, keepOrder, keptOrders } from './card-order.ts'

/** How a card ended. Nothing else is possible: the clerk has it, there is none, or nobody knows. */
export type Ending = 'inHand' | 'notMade' | 'notKnown'

/** The way of one card, as far as the page knows it. */
export interface Making {
  order: CardOrder
  step: 'asked' | CardRun['step']
  ending: Ending | null
  /** Why it was not made, or is not known; null when the step says all. */
  problem: ApiError | null
  /** Why the machine has the card again: the word of the card run. */
  reason: string | null
  pin: string | null
  /** The box does not answer. The page asks again for the same card. */
  isWaiting: boolean
}

/** The cards that this page makes or has made, by the stay. */
export const makings = signal<ReadonlyMap<string, Making>>(new Map())

const lookEveryMs = 400
const waitMs = 1_500
/** Hardware moves: a card is fed, written, read back and moved to the gate. */
const answerWithinMs = 120_000

function set(order: CardOrder, change: Partial<Making>): void {
  const before = makings.value.get(order.stayId) ?? fresh(order)
  makings.value = new Map(makings.value).set(order.stayId, { ...before, ...change, order })
}

const fresh = (order: CardOrder): Making => ({
  order,
  step: 'asked',
  ending: null,
  problem: null,
  reason: null,
  pin: null,
  isWaiting: false,
})

/** Whether a card of the stay is being made now. */
export function isMaking(stayId: string): boolean {
  const making = makings.value.get(stayId)
  return making !== undefined && making.ending === null
}

/** Takes the outcome of a card off the screen. */
export function forgetMaking(stayId: string): void {
  const making = makings.value.get(stayId)
  if (making) forgetOrder(making.order)
  makings.value = new Map([...makings.value].filter(([id]) => id !== stayId))
}

type NewOrder = Omit<CardOrder, 'accountId' | 'idempotencyKey' | 'known' | 'keyId' | 'isUnknown'>

const whoIsHere = () => session.value?.accountId ?? null

/** Orders a card or PIN, and follows it to its end. It goes on when the clerk looks at another guest. */
export async function makeCard(asked: NewOrder): Promise<void> {
  const order = {
    ...asked,
    accountId: whoIsHere(),
    idempotencyKey: crypto.randomUUID(),
    known: [],
    keyId: null,
    isUnknown: false,
  }
  makings.value = new Map(makings.value).set(order.stayId, fresh(order))
  try {
    const known = (await keysOf(order.stayId)).map(({ id }) => id)
    const whole = { ...order, known }
    keepOrder(whole)
    await toEnd(whole, false)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    end(order, 'notMade', { problem: error })
  }
}

/** Goes on with the cards that were being made when the page was loaded anew. No second card is asked for. */
export function resumeMakings(): void {
  for (const order of keptOrders(whoIsHere())) {
    if (makings.value.has(order.stayId)) continue
    makings.value = new Map(makings.value).set(order.stayId, fresh(order))
    if (order.isUnknown) set(order, { ending: 'notKnown' })
    else void toEnd(order, true)
  }
}

async function toEnd(order: CardOrder, isRepeated: boolean): Promise<void> {
  const stop = new AbortController()
  void lookOn(order, stop.signal)
  try {
    const key = await answered(order, isRepeated)
    stop.abort()
    await finished(order, key)
  } catch (error) {
    stop.abort()
    if (!(error instanceof ApiError)) throw error
    const isUnknown = error.meta.outcomeUnknown === true
    end(order, isUnknown ? 'notKnown' : 'notMade', { problem: error })
  }
}

/** Follows a key that the box has answered with until nobody has to do anything. */
async function finished(order: CardOrder, key: Resource<Key>): Promise<void> {
  const known = { ...order, keyId: key.id }
  keepOrder(known)
  if (key.attributes.keyType !== 'keyCard') return end(known, 'inHand', { pin: key.attributes.pin })
  for (;;) {
    const run = await patiently(known, () => runOf(key.id))
    if (!run) return end(known, endingOf(key), {})
    set(known, { step: run.step })
    if (run.step === 'ended') return end(known, endingOfRun(run), { reason: run.reason ?? run.ending })
    await pause(lookEveryMs)
  }
}

const endingOfRun = ({ ending }: CardRun): Ending =>
  ending === 'taken' || ending === 'handed' ? 'inHand' : ending === 'unknown' ? 'notKnown' : 'notMade'

/** A lock system that writes cards itself has no card run: the status of the key says what it knows. */
function endingOf({ attributes: { status } }: Resource<Key>): Ending {
  if (status === 'live') return 'inHand'
  return status === 'unknown' || status === 'pendingWrite' ? 'notKnown' : 'notMade'
}

function end(order: CardOrder, ending: Ending, more: Partial<Making>): void {
  if (ending === 'notKnown') keepOrder({ ...order, isUnknown: true })
  else forgetOrder(order)
  set(order, { ...more, ending, isWaiting: false })
  const [body, ...next] = order.next
  if (ending !== 'inHand' || !body || order.accountId !== whoIsHere()) return
  void makeCard({ ...order, room: body.unitName, body, next })
}

/**
 * Resolves with the key that the box has made for this order. When an answer is lost, the box is asked first whether it has made the
 * key; only then is the same request sent again, with the same idempotency key, and by the person who has ordered the card.
 */
async function answered(order: CardOrder, isRepeated: boolean): Promise<Resource<Key>> {
  let mustLook = isRepeated
  for (let refusals = 0; ; ) {
    try {
      const made = mustLook ? await newKeyOf(order) : null
      if (made && made.attributes.status !== 'pendingWrite') return made
      if (!made && order.accountId === whoIsHere()) {
        const { body, idempotencyKey, controllerId } = order
        const { data } = await send<Resource<Key>>('POST', `/api/v2/access/controllers/${controllerId}/key`, {
          body: { data: { type: 'key', attributes: body } },
          idempotencyKey,
          timeoutMs: answerWithinMs,
        })
        return data
      }
    } catch (error) {
      if (!(error instanceof ApiError) || !isNoAnswer(error)) throw error
      if (error.status >= 429 && ++refusals > 5) throw error
      mustLook = true
      set(order, { isWaiting: error.status === 0 })
    }
    await pause(waitMs)
  }
}

/** The request was not decided: the line is gone, the station locked, or the first attempt still runs. */
function isNoAnswer({ status, code }: ApiError): boolean {
  return [0, 401, 429, 503].includes(status) || ['idempotency-in-progress', 'session-locked'].includes(code)
}

/** Shows the steps while the box has not answered yet. */
async function lookOn(order: CardOrder, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await pause(lookEveryMs)
    const key = await newKeyOf(order).catch(() => null)
    const run = key && !stop.aborted ? await runOf(key.id).catch(() => null) : null
    if (run && !stop.aborted) set(order, { step: run.step, isWaiting: false })
  }
}

async function keysOf(stayId: string): Promise<Resource<Key>[]> {
  const path = `/api/v2/access/keys?filter[stayId]=${stayId}&sort=-createdAt&page[size]=100`
  return (await get<Resource<Key>[]>(path)).data
}

async function newKeyOf({ stayId, known }: CardOrder): Promise<Resource<Key> | null> {
  return (await keysOf(stayId)).find(({ id }) => !known.includes(id)) ?? null
}

async function runOf(keyId: string): Promise<CardRun | null> {
  const path = `/api/v2/access/card-runs?filter[keyId]=${keyId}&sort=-createdAt&page[size]=1`
  const { data } = await get<Resource<CardRun>[]>(path)
  return data[0]?.attributes ?? null
}

/** Repeats a reading while the line is gone. */
async function patiently<T>(order: CardOrder, read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const found = await read()
      if (makings.value.get(order.stayId)?.isWaiting) set(order, { isWaiting: false })
      return found
    } catch (error) {
      if (!(error instanceof ApiError) || !isNoAnswer(error)) throw error
      set(order, { isWaiting: true })
    }
    await pause(waitMs)
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Finds out about a card of which nobody knows whether it was made. The box makes the key of the stay what it should be: it changes
 * nothing if the card is good. A copy is made again on another card, and the doubtful one ends.
 */
export async function makeSure({ order }: Making): Promise<void> {
  set(order, { ...fresh(order) })
  const { controllerId, body, keyId } = order
  try {
    const doubtful = keyId ?? (await newKeyOf(order))?.id
    const { data } =
      body.original || !doubtful
        ? await send<Resource<Key>>(
            'PUT',
            `/api/v2/access/controllers/${controllerId}/keys/by-reservation/${encodeURIComponent(body.externalId)}`,
            { body: { data: { type: 'key', attributes: body } }, timeoutMs: answerWithinMs },
          )
        : await send<Resource<Key>>('POST', `/api/v2/access/keys/${doubtful}/actions/reencode`, {
            body: { data: { type: 'key', attributes: { controllerId } } },
            idempotencyKey: crypto.randomUUID(),
            timeoutMs: answerWithinMs,
          })
    await finished(order, data)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isUnknown = error.meta.outcomeUnknown === true || isNoAnswer(error)
    end(order, isUnknown ? 'notKnown' : 'notMade', { problem: error })
  }
}
