import { longDate, timeText } from '../lib/language/format.ts'
import { ApiError } from '../lib/server/api.ts'
import { assignRoom, checkIn, completeProfile, type Found, type Said } from './box.ts'
import { cardsAtMost, handOutCards } from './cards/cards.ts'
import { checkOut } from './check-out/begin.ts'
import { Stop, stayOver, stopWithoutRoom, unregistered } from './failures.ts'
import { house, now, terminal, today, untilOpen } from './house.ts'
import { findPatiently, patiently } from './patiently.ts'
import { amountDue, outcomeOf, pay } from './payment.ts'
import { forget, type PendingPayment } from './pending.ts'
import { register } from './registration/begin.ts'
import type { Screen } from './screen.ts'
import { leave, type Visit } from './visit.ts'

// The steps of a guest's visit, from the number to the card. Each exported function is the action of a button.

/** Begins to look for the booking. What was said before may have been wrong. */
export const enter = (visit: Visit, name: 'number' | 'name', wantsOut = visit.wantsOut, typed = '') =>
  visit.step(name, () => {
    visit.said = {}
    visit.typed = typed
    visit.wantsOut = wantsOut
    visit.show({ name })
    visit.forgetBefore()
  })

/** Looks for the booking by all that the guest has said so far, and goes on to the stay, or to what is missing. */
export const search = (visit: Visit, step: 'number' | 'name' | 'onFile', more: Said) =>
  visit.step(step, async () => {
    const said = { ...visit.said, ...more }
    const { found, proven } = await findPatiently(visit, said).catch(tooMuchWrong)
    if (found.length === 0) throw new Stop('notFound')
    visit.said = said
    visit.typed = ''
    const open = found.filter(isForToday)
    if (open.length === 0) return expectToday(visit, found[0]!)
    const own = open.filter(({ stay }) => proven.has(stay.id))
    if (own.length > 1) visit.show({ name: 'choose', found: own })
    else if (own[0]) choose(visit, own[0])
    else if (Object.keys(said).length === 1) visit.show({ name: 'name' })
    else visit.show({ name: 'number' })
  })

/** The box takes no proof for some time after too many wrong answers. */
function tooMuchWrong(error: unknown): never {
  const isRefused = error instanceof ApiError && error.code === 'kiosk-scope'
  throw isRefused ? new Stop('helpAtDesk', {}, 'guest-unknown') : error
}

/** The guest does not have the number at hand, or cannot type the name. */
export const sayOther = (visit: Visit) => visit.step('onFile', () => visit.show({ name: 'onFile' }))

export const chooseStay = (visit: Visit, found: Found) => visit.step('choose', () => choose(visit, found))

function choose(visit: Visit, found: Found): void {
  visit.found = found
  visit.isLeaving = found.stay.status === 'InHouse'
  if (!visit.isLeaving) visit.show({ name: 'greeting', found })
  else visit.show({ name: visit.wantsOut || isOver(found.stay) ? 'check-out' : 'another-card', found })
}

function isForToday({ stay }: Found): boolean {
  const { status, startDate } = stay
  // A guest may check out late.
  return status === 'InHouse' || (status === 'Confirmed' && startDate <= today() && !isOver(stay))
}

/** Whether the departure has come, so that a key would not open. The time is not known of a stay whose guest has not said enough. */
export function isOver({ endDate, plannedEndsAt }: Found['stay']): boolean {
  return endDate < today() || (plannedEndsAt !== undefined && Date.parse(plannedEndsAt) <= now())
}

/** Throws the sentence for a stay that cannot be checked in today. The desk can set a later departure. */
function expectToday(visit: Visit, found: Found): void {
  const { stay } = found
  const { status, startDate } = stay
  if (status !== 'Confirmed' && status !== 'InHouse') throw new Stop('inactive')
  if (status === 'Confirmed' && startDate > today()) throw new Stop('later', { date: longDate(startDate) })
  visit.found = found
  throw new Stop('past', {}, stayOver)
}

export const confirmGuest = (visit: Visit, found: Found) =>
  visit.step('details', () => {
    const profile = found.guest?.attributes
    if (profile && !profile.emails?.length) return askDetail(visit, found, 'email')
    return askPhone(visit, found)
  })

type DetailName = Extract<Screen, { name: 'detail' }>['detail']

function askDetail(visit: Visit, found: Found, detail: DetailName, isRefused = false): void {
  visit.show({ name: 'detail', detail, found, isRefused })
}

/** Asks for each missing detail once. */
function askPhone(visit: Visit, found: Found): void | Promise<void> {
  const profile = found.guest?.attributes
  if (profile && !profile.phoneNumbers?.length) return askDetail(visit, found, 'phone')
  return settle(visit, found)
}

/** Writes a detail to the profile, and goes on. The guest may correct a detail that the box refuses. */
export const giveDetail = (visit: Visit, found: Found, detail: DetailName, value: string) =>
  visit.step('details', async () => {
    const more =
      detail === 'email'
        ? { emails: [{ address: value, type: 'Private', primary: true }] }
        : { phoneNumbers: [{ number: value, type: 'Mobile' }] }
    try {
      await completeProfile(found.guest!.id, more, visit.signal)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 422) return askDetail(visit, found, detail, true)
      // The guest gets the key without the detail.
    }
    await afterDetail(visit, found, detail)
  })

export const skipDetail = (visit: Visit, found: Found, detail: DetailName) =>
  visit.step('details', () => afterDetail(visit, found, detail))

const afterDetail = (visit: Visit, found: Found, detail: DetailName) =>
  detail === 'email' ? askPhone(visit, found) : settle(visit, found)

const settle = (visit: Visit, found: Found): void | Promise<void> =>
  house.value.registersGuests ? register(visit, found, () => askCards(visit, found)) : askCards(visit, found)

/** Guests who share a room may want several cards. */
function askCards(visit: Visit, found: Found): void | Promise<void> {
  visit.cards = null
  const most = cardsAtMost(found.stay)
  if (most <= 1) return payOrArrive(visit, found)
  visit.show({ name: 'how-many', found, most })
}

export const wantCards = (visit: Visit, found: Found, cards: number) =>
  visit.step('card', () => {
    visit.cards = cards
    return payOrArrive(visit, found)
  })

/** Where something is to be paid and there is a terminal, the guest may pay here. */
function payOrArrive(visit: Visit, found: Found): void | Promise<void> {
  const amount = amountDue(found)
  if (amount === null || terminal.value === null) return arrive(visit, found)
  visit.show({ name: 'pay', amount, found, isCanceled: false })
}

/** The box decides whether the key is made before the payment: the desk may have released the stay. It has refused the check-out before. */
export const payAtDesk = (visit: Visit, found: Found) =>
  visit.step('payment', () => {
    if (!visit.isLeaving) return arrive(visit, found)
    throw new Stop('toPay', { amount: amountDue(found)! }, 'balance-outstanding')
  })

/** Assigns the room before the payment, so that a guest without a ready room is not charged. */
export const payHere = (visit: Visit, found: Found) =>
  visit.step('payment', async () => {
    if (!visit.isLeaving) await giveRoom(visit, found)
    visit.doing = 'payment'
    await goOn(visit, found, await pay(visit, found))
  })

/** After a payment: the guest gets the card or checks out, or may pay once more. */
async function goOn(visit: Visit, found: Found, isPaid: boolean): Promise<void> {
  if (isPaid) await (visit.isLeaving ? checkOut(visit, found) : arrive(visit, found))
  else visit.show({ name: 'pay', amount: amountDue(found)!, found, isCanceled: true })
}

/** Tells the guest the outcome of the payment that was under way before the page was loaded again. */
export const resumePayment = (visit: Visit, pending: PendingPayment) =>
  visit.step('payment', async () => {
    visit.isLeaving = pending.isLeaving
    visit.hasKept = pending.hasKept
    visit.cards = pending.cards
    visit.show({ name: 'working', does: pending.isLeaving ? 'check-out' : 'room', row: null })
    await untilOpen(visit)
    const outcome = await outcomeOf(visit, pending)
    if (outcome === null) return leave()
    if (!outcome.isPaid) await forget()
    await goOn(visit, outcome.found, outcome.isPaid)
  })

/** Checks the guest in and makes the cards. */
async function arrive(visit: Visit, found: Found): Promise<void> {
  await giveRoom(visit, found)
  visit.doing = 'check-in'
  try {
    await patiently(visit, () => checkInOnceMore(visit, found))
  } catch (error) {
    const isUnregistered = error instanceof ApiError && error.code === unregistered
    if (!isUnregistered || visit.isAskedAgain) return unpaid(found, error)
    // What the house asks has changed meanwhile.
    visit.isAskedAgain = true
    return register(visit, found, () => arrive(visit, found))
  }
  visit.doing = 'card'
  await handOutCards(visit, found, { isCopy: false, wanted: visit.cards ?? 1 })
}

/** The guest pays at the desk. Prices in several currencies have no amount. */
function unpaid(found: Found, error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'balance-outstanding') throw error
  const amount = amountDue(found)
  throw amount === null
    ? new Stop('needsColleague', {}, error.code)
    : new Stop('toPay', { amount }, error.code)
}

/** A stay that has a room keeps it. */
async function giveRoom(visit: Visit, found: Found): Promise<void> {
  visit.doing = 'room'
  visit.show({ name: 'working', does: 'room', row: null })
  const assigning = patiently(visit, () => assignRoom(found.stay, visit.signal))
  found.stay = await assigning.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'no-eligible-unit') throw stopWithoutRoom(error, timeText)
    throw error
  })
}

/** The stay may have changed a moment ago: it is read again and the change is repeated once. */
async function checkInOnceMore({ signal }: Visit, { stay }: Found): Promise<void> {
  try {
    await checkIn(stay, signal)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error
    await checkIn(stay, signal)
  }
}

/** Asks a guest in house whether to check out. */
export const askToLeave = (visit: Visit, found: Found) =>
  visit.step('check-out', () => visit.show({ name: 'check-out', found }))

export const leaveHouse = (visit: Visit, found: Found) =>
  visit.step('check-out', () => checkOut(visit, found))

/** The guest would like to stay when the departure has come. The desk can set a later one. */
export const stayLonger = (visit: Visit) =>
  visit.step('check-out', () => {
    throw new Stop('past', {}, stayOver)
  })

/** Makes another card for a guest who is in house. */
export const anotherCard = (visit: Visit, found: Found) =>
  visit.step('card', () => handOutCards(visit, found, { isCopy: true }))

/**
 * The same for a guest who comes back. The card opens a room in which a guest sleeps: what is on file is not enough, because others
 * know it too.
 */
export const cardByNumber = (visit: Visit, found: Found) =>
  visit.said.number === undefined
    ? visit.step('number', () => visit.show({ name: 'number' }))
    : anotherCard(visit, found)

/** Makes a new original, which ends the card that was lost. Only the desk can say that it is the guest who asks. */
export const lostCard = (visit: Visit, found: Found) =>
  visit.step('card', () =>
    handOutCards(visit, found, { isCopy: false }).catch((error: unknown) => {
      const isUnknown = error instanceof Stop && error.failure === 'kiosk-scope'
      throw isUnknown ? new Stop('lostCard', {}, 'card-lost') : error
    }),
  )
