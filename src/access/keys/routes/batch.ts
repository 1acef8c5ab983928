import { DeviceFault } from '../../../devices/fault.ts'
import type { Answer } from '../../../jsonapi/route.ts'
import { refuseDryRun } from '../../../jsonapi/write-options.ts'
import { answersSince } from '../../../resource/answers-since.ts'
import type { Document, WriteOptions } from '../../../resource/command.ts'
import { invalidValue, Problem } from '../../../resource/problem.ts'
import type { Access, Machines } from '../../access.ts'
import { expectNextCard } from '../../cards/read-card.ts'
import { faultBehind } from '../../handles/device-problem.ts'
import { dispenserBy } from '../../lookups.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import { presentSecondsOf } from '../../resources/dispenser.ts'
import { key } from '../../resources/key.ts'
import { type KeyRequest, keyBodySchema } from '../../resources/key-request.ts'
import { issueKey } from '../issuing/make-key.ts'
import { orderOf } from '../issuing/order-of.ts'
import { reconcileKey } from '../issuing/reconcile.ts'
import { runOfKey } from '../life/keys-on-card.ts'
import type { KeyOrder } from '../orders/key-order.ts'
import { answeredBefore } from '../undelivered-cards.ts'

/** The highest number of keys in one batch: enough for a large family, and a limit for a typing error. */
export const mostKeys = 20
const lookEveryMs = 100

/** The schema of the body of a batch: a key request with `quantity`. */
export const batchBodySchema = {
  ...keyBodySchema,
  properties: { ...keyBodySchema.properties, quantity: { type: 'integer', minimum: 1, maximum: mostKeys } },
  required: [...keyBodySchema.required, 'quantity'],
}

/** A requested key, with what its caller may do. */
export interface Wanted extends Pick<KeyOrder, 'confirmed' | 'atKiosk'> {
  controller: AccessController
  request: KeyRequest
  options: WriteOptions
}

/** Makes a requested key. A stay has one PIN, so that a repeated request yields the same key; copies are other keys. */
export async function makeWanted(access: Access, wanted: Wanted): Promise<Document> {
  const { controller, request, options } = wanted
  const { externalId, unitName, original } = request
  if (controller.keyType === 'pinCode' && externalId !== null && original !== false)
    return reconcileKey(access, { ...wanted, externalId, unitName, dates: request, request: () => request })
  return issueKey(access, controller, orderOf(access, controller, request, wanted), options)
}

/**
 * Makes `quantity` keys one by one and stops at the first failure. The first key is the requested one, the others are
 * its copies, because a second original would end the first. The next card is fed after the one before was taken.
 * Throws when the first key, or the number of copies, is refused before anything was written.
 */
export async function makeBatch(access: Access, wanted: Wanted, quantity: number): Promise<Answer> {
  const { controller, request, options } = wanted
  const copy = { ...request, original: false }
  const order = (index: number) => orderOf(access, controller, index === 0 ? request : copy, wanted)
  const orders = Array.from({ length: quantity }, (_, index) => () => order(index))
  if (quantity > 1) refuseTooMany(order(0), request.original === false ? quantity : quantity - 1)
  const makeFirst = (how: WriteOptions) => makeWanted(access, { ...wanted, options: how })
  return makeAll(access, controller, orders, options, makeFirst)
}

/** Throws for a batch with more copies than its key can have, before the first card is touched. */
function refuseTooMany({ opensAt, maxCopies }: KeyOrder, copies: number): void {
  if (opensAt)
    throw invalidValue('/quantity', 'A virtual key has no copies. Make copies when its window has opened.', {
      expected: 1,
    })
  if (copies > maxCopies)
    throw invalidValue('/quantity', `The lock system takes at most ${maxCopies} copies of a key.`, {
      maxCopies,
    })
}

/**
 * Makes the key of each order one by one, as `makeBatch` does. Each order is built when its turn comes. `makeFirst`
 * replaces how the first key is made. Each key is stored under an idempotency key of its own, so that a request that is repeated
 * after a power cut goes on with the first card that no one has received.
 */
export async function makeAll(
  access: Access,
  controller: AccessController,
  orders: readonly (() => KeyOrder)[],
  options: WriteOptions,
  makeFirst?: (options: WriteOptions) => Promise<Document>,
): Promise<Answer> {
  refuseDryRun(options, 'Keys cannot be made with dryRun. Repeat the request without it.')
  const keyIds: string[] = []
  // An order that cannot be made at all is refused before the first key.
  orders[0]?.()
  // Where the cards of the same request are is known when the issuances before a restart are recovered.
  if (options.idempotency) await access.recovered
  try {
    for (const [index, order] of orders.entries()) {
      const own = optionsOfKey(access, options, index)
      const made = answeredBefore(access, own)
      const before = keyIds.at(-1)
      if (before && !made) await expectNextCard(access, controller, before)
      const make =
        index === 0 && makeFirst
          ? makeFirst
          : (how: WriteOptions) => issueKey(access, controller, order(), how)
      const { id } = made ?? (await make(own))
      await inHand(access, controller, id)
      keyIds.push(id)
      if (before && !made) expectOtherCard(access, keyIds)
    }
    return answer(orders.length, keyIds, null)
  } catch (error) {
    const stopped = faultBehind(error) ?? (error instanceof Problem && keyIds.length > 0 ? error : null)
    // A refusal before the first card was touched is thrown like that of a single key.
    if (!stopped) throw error
    return answer(orders.length, keyIds, stopped)
  }
}

/**
 * The options for one key of a batch. Its idempotency key is that of the request with the index after a space, which no client's
 * key contains.
 */
function optionsOfKey(
  { reader, clock }: Pick<Access, 'reader' | 'clock'>,
  { actor, idempotency }: WriteOptions,
  index: number,
): WriteOptions {
  if (!idempotency) return { actor }
  const { key: requested, fingerprint } = idempotency
  const own = `${requested} ${index}`
  const answered = reader.answered(own, answersSince(clock))
  return { actor, idempotency: { key: own, fingerprint, ...(answered && { answered }) } }
}

/** The result of a batch, with what stopped it. The HTTP status is 201 also when a key of the batch failed. */
function answer(requested: number, keyIds: string[], stopped: DeviceFault | Problem | null): Answer {
  const result = {
    requested,
    succeeded: keyIds.length,
    error: stopped?.message ?? null,
    errorCode: stopped?.code ?? null,
    outcomeUnknown: stopped instanceof DeviceFault && stopped.outcomeUnknown,
    failedIndex: stopped && keyIds.length,
    keyIds,
  }
  return { status: 201, text: JSON.stringify(result) }
}

/** Throws no-card when the last key was written over the card of the one before, and takes that out of the result. */
function expectOtherCard({ reader }: Access, keyIds: string[]): void {
  const [before, last] = keyIds.slice(-2).map((id) => reader.row(key, id)?.uid)
  if (!before || before !== last) return
  keyIds.splice(-2, 1)
  throw new DeviceFault(
    'no-card',
    'The card of the key before still lay on the encoder and was overwritten: that key is on no card any more.',
  )
}

/**
 * Waits until the guest takes the card that a dispenser presents. Rejects with no-card when the card is captured or the
 * wait is over.
 */
async function inHand(
  { reader, clock, devices }: Machines,
  { dispenserId }: AccessController,
  keyId: string,
): Promise<void> {
  if (!dispenserId) return
  const dispenser = dispenserBy({ reader }, dispenserId)
  const patience = (presentSecondsOf(dispenser) + 30) * 1_000
  const deadline = clock.monotonic() + patience
  while (clock.monotonic() < deadline) {
    const run = runOfKey({ reader }, keyId)
    if (!run) return
    // The dispenser takes no order before the watch at its gate has ended, a moment after the ending is stored.
    if (run.ending === 'taken' && devices.dispenser(dispenser).guest?.runId !== run.id) return
    if (run.step === 'ended' && run.ending !== 'taken') break
    await clock.sleep(lookEveryMs)
  }
  throw new DeviceFault('no-card', 'The card was not taken from the gate in time.')
}
