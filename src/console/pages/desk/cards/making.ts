import { signal } from '@preact/signals'
import { ApiError, type Resource, sendOne } from '../../lib/server/api.ts'
import type { CardRun, Key } from '../../lib/server/resources.ts'
import { session } from '../../lib/server/session.ts'
import {
  type CardOrder,
  forgetOrder,
  isFresh,
  isNextAwaited,
  keepOrder,
  keptOrders,
  nextOf,
  subjectOf,
  wordOf,
} from './order.ts'
import { answerWithinMs, isNoAnswer, keysOf, newKeyOf, runOf, sent } from './requests.ts'

/** How a card ended: the clerk has it, it was not made, or the outcome is unknown. */
export type Ending = 'inHand' | 'notMade' | 'notKnown'

/** The progress of one card, as far as the page knows it. */
export interface Making {
  order: CardOrder
  step: 'asked' | CardRun['step']
  ending: Ending | null
  /** Why the card was not made, or why the outcome is unknown; null when the step says it. */
  problem: ApiError | null
  /** How the card run ended; null without one. */
  reason: string | null
  pin: string | null
  /** Whether the box does not answer. The page repeats the request for the same card. */
  isWaiting: boolean
}

/** The cards that this page is making or has made, by subject (`subjectOf`). */
export const makings = signal<ReadonlyMap<string, Making>>(new Map())

const lookEveryMs = 400
const waitMs = 1_500

function set(order: CardOrder, change: Partial<Making>): void {
  const before = makings.value.get(subjectOf(order)) ?? fresh(order)
  makings.value = new Map(makings.value).set(subjectOf(order), { ...before, ...change, order })
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

/** Returns whether a card of a stay or another subject is being made. */
export function isMaking(subject: string): boolean {
  const making = makings.value.get(subject)
  return making !== undefined && making.ending === null
}

/** Removes the outcome of a card from the screen. */
export function forgetMaking(subject: string): void {
  const making = makings.value.get(subject)
  if (making) forgetOrder(making.order)
  makings.value = new Map([...makings.value].filter(([each]) => each !== subject))
}

type NewOrder = Omit<
  CardOrder,
  'accountId' | 'idempotencyKey' | 'orderedAt' | 'known' | 'keyId' | 'isUnknown' | 'override'
> &
  Partial<Pick<CardOrder, 'override' | 'idempotencyKey'>>

const whoIsHere = () => session.value?.accountId ?? null

/**
 * Orders a card or PIN and follows it until its outcome is known, even while the clerk looks at another guest. A card that
 * follows another one has the key of its order: a second tab that follows the same order orders the same card.
 */
export async function makeCard(asked: NewOrder): Promise<void> {
  const order = {
    override: null,
    idempotencyKey: crypto.randomUUID(),
    ...asked,
    accountId: whoIsHere(),
    orderedAt: Date.now(),
    known: null,
    keyId: null,
    isUnknown: false,
  }
  makings.value = new Map(makings.value).set(subjectOf(order), fresh(order))
  // Before the first answer, so that a reload forgets none of several cards.
  keepOrder(order)
  await toEnd(order, false)
}

/** Continues the cards that were being made when the page was reloaded. No second card is ordered. */
export function resumeMakings(): void {
  for (const order of keptOrders(whoIsHere())) {
    if (makings.value.has(subjectOf(order))) continue
    makings.value = new Map(makings.value).set(subjectOf(order), fresh(order))
    if (order.isUnknown) set(order, { ending: 'notKnown' })
    else void toEnd(order, order.known !== null)
  }
}

async function toEnd(asked: CardOrder, isRepeated: boolean): Promise<void> {
  const stop = new AbortController()
  let order = asked
  try {
    order = await withKnown(asked)
    void lookOn(order, stop.signal)
    const key = await answered(order, isRepeated)
    stop.abort()
    if (key) await finished(order, key)
    else end(order, 'notMade', {})
  } catch (error) {
    stop.abort()
    if (!(error instanceof ApiError)) throw error
    const isUnknown = error.meta.outcomeUnknown === true
    end(order, isUnknown ? 'notKnown' : 'notMade', { problem: error })
  }
}

/** Notes which keys the stay has before the order is sent. A lock or a lost line between two cards drops no card. */
async function withKnown(order: CardOrder): Promise<CardOrder> {
  if (order.known !== null) return order
  const keys = await patiently(order, () => keysOf(order))
  const whole = { ...order, known: keys.map(({ id }) => id) }
  keepOrder(whole)
  return whole
}

/** Follows a key until no further action of a person is needed. */
async function finished(order: CardOrder, key: Resource<Key>): Promise<void> {
  const known = { ...order, keyId: key.id }
  keepOrder(known)
  if (key.attributes.keyType !== 'keyCard') return end(known, 'inHand', { pin: key.attributes.pin })
  for (;;) {
    const run = await patiently(known, () => runOf(key.id))
    if (!run) return end(known, endingOf(key), {})
    set(known, { step: run.step })
    if (run.step === 'ended') return end(known, endingOfRun(run), { reason: run.ending })
    await pause(lookEveryMs)
  }
}

const endingOfRun = ({ ending }: CardRun): Ending =>
  ending === 'taken' || ending === 'handed' ? 'inHand' : ending === 'unknown' ? 'notKnown' : 'notMade'

/** A lock system that writes cards itself has no card run. The status of the key shows the outcome. */
function endingOf({ attributes: { status } }: Resource<Key>): Ending {
  if (status === 'live') return 'inHand'
  return status === 'unknown' || status === 'pendingWrite' ? 'notKnown' : 'notMade'
}

function end(order: CardOrder, ending: Ending, more: Partial<Making>): void {
  if (ending === 'notKnown') keepOrder({ ...order, isUnknown: true })
  else if (ending === 'inHand' && isNextAwaited(order)) keepOrder(order)
  else forgetOrder(order)
  set(order, { ...more, ending, isWaiting: false })
  const next = nextOf(order)
  if (ending === 'inHand' && next && order.takesNextCard && order.accountId === whoIsHere())
    void makeCard(next)
}

/**
 * Resolves with the key that the box made for this order. If an answer is lost, the page first queries whether the box
 * made the key. Only if it did not, the page repeats the same request with the same idempotency key, and only while the
 * person who ordered the card is signed in. Resolves with null if it was not made in time.
 */
async function answered(order: CardOrder, isRepeated: boolean): Promise<Resource<Key> | null> {
  let mustLook = isRepeated
  for (let refusals = 0; ; ) {
    try {
      const made = mustLook ? await newKeyOf(order) : null
      if (made && made.attributes.status !== 'pendingWrite') return made
      if (!made && order.accountId === whoIsHere()) {
        return isFresh(order) ? await sent(order) : null
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

/** Shows the expected steps until the box answers. */
async function lookOn(order: CardOrder, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await pause(lookEveryMs)
    if (order.accountId !== whoIsHere()) continue
    const key = await newKeyOf(order).catch(() => null)
    const run = key && !stop.aborted ? await runOf(key.id).catch(() => null) : null
    if (run && !stop.aborted) set(order, { step: run.step, isWaiting: false })
  }
}

/** Repeats a read while the connection is lost. */
async function patiently<T>(order: CardOrder, read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const found = await read()
      if (makings.value.get(subjectOf(order))?.isWaiting) set(order, { isWaiting: false })
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
 * Resolves an unknown outcome. The box brings the key of the stay into its intended state; a good card stays unchanged.
 * A copy, or a card for the staff, is made again on another card, and the key of the doubtful one is revoked.
 */
export async function makeSure({ order }: Making): Promise<void> {
  set(order, { ...fresh(order) })
  const { keyId } = order
  try {
    const key = await sure(order, keyId ?? (await newKeyOf(order))?.id ?? null)
    await finished(order, key)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isUnknown = error.meta.outcomeUnknown === true || isNoAnswer(error)
    end(order, isUnknown ? 'notKnown' : 'notMade', { problem: error })
  }
}

async function sure(order: CardOrder, doubtful: string | null): Promise<Resource<Key>> {
  const { controllerId, body } = order
  const isWhole = 'externalId' in body && (body.original || doubtful === null)
  if (!isWhole && doubtful === null) return sent({ ...order, idempotencyKey: crypto.randomUUID() })
  const options = { timeoutMs: answerWithinMs }
  const { data } = isWhole
    ? await sendOne<Key>(
        'PUT',
        `/api/v2/access/controllers/${controllerId}/keys/by-reservation/${encodeURIComponent(body.externalId)}`,
        { body: { data: { type: 'key', attributes: body }, ...wordOf(order) }, ...options },
      )
    : await sendOne<Key>('POST', `/api/v2/access/keys/${doubtful}/actions/reencode`, {
        body: { data: { type: 'key', attributes: { controllerId } }, ...wordOf(order) },
        idempotencyKey: crypto.randomUUID(),
        ...options,
      })
  return data
}
