import { signal } from '@preact/signals'
import { moneyText } from '../lib/language/format.ts'
import { language } from '../lib/language/language.ts'
import { ApiError } from '../lib/server/api.ts'
import type { TerminalPayment } from '../lib/server/resources.ts'
import { cancelTerminalPayment, type Found, payAtTerminal, readStay, readTerminalPayment } from './box.ts'
import { failureOf, rowOf, Stop } from './failures.ts'
import { now, terminal, untilOpen } from './house.ts'
import { forget, isFresh, ofGuest, type PendingPayment, remember } from './pending.ts'
import type { Cancellation } from './screen.ts'
import type { Visit } from './visit.ts'

/** Returns the outstanding amount of a stay; null when nothing is outstanding. */
export function amountDue({ stay: { outstanding, currency } }: Found): string | null {
  return outstanding && outstanding > 0 && currency ? moneyText(outstanding, currency) : null
}

/** The largest number of requests while the terminal is busy, and when the answer was lost. */
const mostAttempts = 4

/**
 * Takes the outstanding amount at the terminal. Returns false if the guest or the desk has canceled the payment, unless the
 * terminal had taken the amount before the cancellation reached it.
 */
export async function pay(visit: Visit, found: Found): Promise<boolean> {
  const wish = showPaying(visit, found, now())
  await remember({
    ...ofGuest(found.stay, now()),
    isPayment: true,
    isLeaving: visit.isLeaving,
    hasKept: visit.hasKept,
    cards: visit.cards ?? 1,
  })
  const isPaid = await isTaken(visit, found, wish)
  // A paid amount is remembered until the card is, so that a power cut between the two loses neither.
  if (!isPaid) await forget()
  return isPaid
}

/** Shows that the guest is at the terminal `since` then. Returns whether the guest wants to cancel the payment. */
function showPaying(visit: Visit, found: Found, since: number): { isCanceled: boolean } {
  const state: Cancellation['state'] = signal('none')
  const wish = { isCanceled: false }
  const ask = () => {
    wish.isCanceled = true
    state.value = 'asked'
    // The payment itself reports how it ended.
    cancelTerminalPayment(found.stay, visit.signal).catch(() => {
      state.value = 'refused'
    })
  }
  const until = since + (terminal.value?.timeoutSeconds ?? 120) * 1_000
  visit.show({ name: 'paying', amount: amountDue(found) ?? '', until, cancellation: { state, ask } })
  return wish
}

/**
 * Repeats the request with the same idempotency key, which never charges twice. A payment that the guest has canceled is
 * not requested again: its cancellation is repeated instead, until the box says how it has ended.
 */
async function isTaken(visit: Visit, found: Found, wish: { isCanceled: boolean }): Promise<boolean> {
  const how = {
    terminalId: terminal.value!.id,
    language: language.value,
    idempotencyKey: crypto.randomUUID(),
  }
  let isLost = false
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt > 1 && wish.isCanceled) return await cancelTerminalPayment(found.stay, visit.signal)
      await payAtTerminal(found.stay, how, visit.signal)
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'idempotency-in-progress') {
        const isPaid = await endOfRunning(visit, found)
        if (isPaid !== null) return isPaid
        attempt--
        continue
      }
      // Nothing is outstanding: the payment whose answer was lost was recorded.
      if (error.code === 'payment-exceeds-outstanding') return true
      if (isOver(error) && (wish.isCanceled || isWithoutCard(error.meta.reason))) return false
      const row = rowOf(error)
      const said = { amount: amountDue(found) ?? '' }
      if (row !== 'outOfService' && row !== 'moment') throw new Stop(row, said, failureOf(error))
      isLost ||= row === 'outOfService'
      // Another guest is at the terminal all the time. Only a request without an answer may have begun the payment.
      if (attempt === mostAttempts) throw new Stop(isLost ? 'paymentUnknown' : 'toPay', said, error.code)
      await visit.pause(error.retryAfterSeconds ?? 2)
      if (row === 'outOfService') await untilBack(visit)
    }
  }
}

/**
 * Waits for the payment that the box still takes for a request whose answer was lost. Returns whether it was made; null
 * when nobody has seen its end, so that the request is to be repeated. Throws a Stop for a payment that the terminal refused.
 */
async function endOfRunning(visit: Visit, { stay }: Found): Promise<boolean | null> {
  for (let isSeen = false; ; ) {
    await visit.pause(pauseSeconds)
    const seen = await lookAt(visit, { stayId: stay.id, reservationId: stay.reservationId })
    if (seen === null) continue
    const { found, last } = seen
    const isOpen = last?.state === 'open'
    if (!isOpen && isSeen) return endOf(found, last).isPaid
    if (!isOpen || last.inDoubtSince !== null) return null
    isSeen = true
  }
}

/** Waits for a box that starts again. What became of the payment is unknown when it does not come back. */
async function untilBack(visit: Visit): Promise<void> {
  try {
    await untilOpen(visit)
  } catch (error) {
    throw error instanceof Stop ? new Stop('paymentUnknown', {}, error.failure) : error
  }
}

/** Whether a refusal says that no payment is under way. A payment that the terminal did not get is not found. */
const isOver = ({ code }: ApiError) => code === 'payment-refused' || code === 'not-found'

/** Whether a payment ended without a refusal of the card, such as one that the desk has canceled: the guest may pay once more. */
const isWithoutCard = (reason: unknown) =>
  ['canceled', 'never-started', 'never-arrived'].includes(reason as string)

/** How often the page asks for the outcome of a payment that it has not started itself. */
const pauseSeconds = 2
/**
 * After this time from the beginning of a payment the guest has certainly left: the terminal waits two minutes for the
 * guest's card, and the guest two minutes for the key. A payment that the box settles after a power cut of its own may
 * have an end long after its guest.
 */
const mostMs = 240_000

/** A stay after its payment, and whether the amount is paid. */
interface Outcome {
  found: Found
  isPaid: boolean
}

/**
 * Waits for the outcome of the payment that was under way before the page was loaded again. Returns null when its guest
 * has left. Throws a Stop for a payment that the terminal refused, or does not report.
 */
export async function outcomeOf(visit: Visit, pending: PendingPayment): Promise<Outcome | null> {
  for (let isShown = false; ; await visit.pause(pauseSeconds)) {
    const seen = await lookAt(visit, pending)
    if (seen === null) continue
    const { found, last } = seen
    if (!isStillHere(pending, last)) return null
    visit.found = found
    if (last?.state !== 'open') return endOf(found, last)
    if (last.inDoubtSince !== null) throw new Stop('paymentUnknown', {}, 'payment-outcome-unknown')
    if (!isShown) showPaying(visit, found, Date.parse(last.createdAt))
    isShown = true
  }
}

/** Reads the stay and its payment; null when the box starts again meanwhile. */
async function lookAt(
  visit: Visit,
  { stayId: id, reservationId }: Pick<PendingPayment, 'stayId' | 'reservationId'>,
) {
  try {
    const { stay } = await readStay({ id, reservationId }, visit.signal)
    return { found: { stay, guest: null }, last: await readTerminalPayment(stay, visit.signal) }
  } catch (error) {
    if (!(error instanceof ApiError) || rowOf(error) !== 'outOfService') throw error
    await untilBack(visit)
    return null
  }
}

/** Whether the guest may still be at the kiosk: the guest was there when the payment began, and when it ended. */
function isStillHere({ since }: PendingPayment, last: TerminalPayment | null): boolean {
  if (Math.abs(now() - since) > mostMs) return false
  const endedAt = last?.settledAt ? Date.parse(last.settledAt) : since
  return last?.state === 'open' || isFresh({ since: Math.max(since, endedAt) }, now())
}

function endOf(found: Found, last: TerminalPayment | null): Outcome {
  const amount = amountDue(found)
  if (amount !== null && last?.state === 'refused' && !isWithoutCard(last.reason))
    throw new Stop('refused', { amount }, 'payment-refused')
  return { found, isPaid: amount === null }
}
