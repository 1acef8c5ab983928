import { DeviceFault } from '../../devices/fault.ts'
import type { Answer } from '../../jsonapi/route.ts'
import type { Document, WriteOptions } from '../../resource/command.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import type { Access, Machines, Property } from '../access.ts'
import { runOfKey } from '../cards/keys-on-card.ts'
import { expectNextCard, expectOtherCard } from '../cards/read-card.ts'
import { faultBehind } from '../controllers/device-problem.ts'
import { dispenserBy } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { Confirmation } from './door-guard.ts'
import type { KeyOrder, KioskGuest } from './key-order.ts'
import { issueKey } from './make-key.ts'
import { orderOf } from './order-of.ts'
import { type KeyRequest, keyIn, readKeyRequest } from './routes/key-request.ts'
import { reconcileKey } from './stay/reconcile.ts'

/** The highest number of keys in one batch: enough for a large family, and a limit for a typing error. */
export const mostKeys = 20
const lookEveryMs = 100

interface Batch {
  controller: AccessController
  request: KeyRequest
  quantity: number
  confirmed: Confirmation | null
  /** See `KeyOrder`. */
  atKiosk: KioskGuest | null
  options: WriteOptions
}

/** The result of a batch. The HTTP status is 201 also when a key of the batch failed. */
interface BatchResult {
  requested: number
  succeeded: number
  /** The error that stopped the batch, as a sentence. */
  error: string | null
  errorCode: string | null
  outcomeUnknown: boolean
  /** The index of the failed key, from 0; null when none failed. */
  failedIndex: number | null
  keyIds: string[]
}

/** Reads the body of a batch: a key request with `quantity`, 1 to 20. Throws as `readKeyRequest` does. */
export async function readBatch(
  body: unknown,
  controller: AccessController,
): Promise<{ quantity: number; request: KeyRequest }> {
  const schema = { quantity: { type: 'integer', minimum: 1, maximum: mostKeys } }
  const request = await readKeyRequest(body, controller, schema, ['quantity'])
  const { quantity } = keyIn(body)
  return { quantity: Number(quantity), request }
}

/**
 * Makes `quantity` keys one by one and stops at the first failure. The first key is the requested one, the others are
 * its copies, because a second original would end the first. The next card is fed after the one before was taken.
 * Throws when the first key, or the number of copies, is refused before anything was written.
 */
export async function makeBatch(
  access: Access,
  { controller, request, quantity, confirmed, atKiosk, options }: Batch,
): Promise<Answer> {
  const orders = Array.from({ length: quantity }, (_, index) => () => {
    const copy = { ...request, original: false }
    return orderOf(access, controller, index === 0 ? request : copy, { confirmed, atKiosk })
  })
  if (quantity > 1) refuseTooMany(orders[0]!(), request.original === false ? quantity : quantity - 1)
  const { externalId } = request
  // A stay that has a PIN keeps it, and the batch adds copies.
  const isKept = controller.keyType === 'pinCode' && externalId !== null && request.original !== false
  const first = isKept
    ? (how: WriteOptions) =>
        reconcileKey(access, {
          controller,
          externalId,
          unitName: request.unitName,
          request: () => request,
          confirmed,
          atKiosk,
          options: how,
        })
    : null
  return makeAll(access, controller, orders, options, first)
}

/** Throws for a batch with more copies than its key can have, before the first card is touched. */
function refuseTooMany({ opensAt, maxCopies }: KeyOrder, copies: number): void {
  if (opensAt) {
    throw invalidValue('/quantity', 'A virtual key has no copies. Make copies when its window has opened.', {
      expected: 1,
    })
  }
  if (copies <= maxCopies) return
  throw invalidValue('/quantity', `The lock system takes at most ${maxCopies} copies of a key.`, {
    maxCopies,
  })
}

/**
 * Makes the key of each order one by one, as `makeBatch` does. Each order is built when its turn comes. `first`
 * replaces how the first key is made.
 */
export async function makeAll(
  access: Access,
  controller: AccessController,
  orders: readonly (() => KeyOrder)[],
  { actor, dryRun }: WriteOptions,
  first: ((options: WriteOptions) => Promise<Document>) | null = null,
): Promise<Answer> {
  if (dryRun)
    throw new Problem(
      'unknown-parameter',
      'Keys cannot be made with dryRun. Repeat the request without it.',
      { parameter: 'dryRun' },
    )
  const keyIds: string[] = []
  const requested = orders.length
  // An order that cannot be made at all is refused before the first key.
  orders[0]?.()
  try {
    for (const [index, order] of orders.entries()) {
      const isFirst = index === 0 && first !== null
      const before = keyIds.at(-1)
      if (before) await expectNextCard(access, controller, before)
      const { id } = await (isFirst ? first({ actor }) : issueKey(access, controller, order(), { actor }))
      await inHand(access, controller, id)
      keyIds.push(id)
      if (before) expectAnother(access, keyIds)
    }
    return answer({ requested, succeeded: requested, ...nothingWrong, keyIds })
  } catch (error) {
    const fault = faultBehind(error)
    // A refusal before the first card was touched is thrown like that of a single key.
    if (!fault && (keyIds.length === 0 || !(error instanceof Problem))) throw error
    const { code, message } = (fault ?? error) as DeviceFault | Problem
    return answer({
      requested,
      succeeded: keyIds.length,
      error: message,
      errorCode: code,
      outcomeUnknown: fault?.outcomeUnknown ?? false,
      failedIndex: keyIds.length,
      keyIds,
    })
  }
}

/** Takes the key before out of the result when the last one was written over its card. */
function expectAnother(access: Access, keyIds: string[]): void {
  const [before = '', last = ''] = keyIds.slice(-2)
  try {
    expectOtherCard(access, before, last)
  } catch (error) {
    keyIds.splice(-2, 1)
    throw error
  }
}

const nothingWrong = { error: null, errorCode: null, outcomeUnknown: false, failedIndex: null }

function answer(result: BatchResult): Answer {
  return { status: 201, text: JSON.stringify(result) }
}

/**
 * Waits until the guest takes the card that a dispenser presents. Rejects with no-card when the card is captured or the
 * wait is over.
 */
async function inHand(
  { reader, clock, devices }: Property & Machines,
  { dispenserId }: AccessController,
  keyId: string,
): Promise<void> {
  if (!dispenserId) return
  const dispenser = dispenserBy({ reader }, dispenserId)
  const patience = ((dispenser.presentTimeoutSeconds ?? 30) + 30) * 1000
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
