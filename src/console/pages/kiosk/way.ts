import { ApiError } from '../lib/api.ts'
import { longDate, moneyText, timeText } from '../lib/format.ts'
import { language } from '../lib/language.ts'
import {
  assignRoom,
  checkIn,
  completeProfile,
  type Found,
  findByName,
  findByNumber,
  payAtTerminal,
} from './box.ts'
import { handOutCards } from './cards.ts'
import { rowOf, Stop, stopWithoutRoom } from './failures.ts'
import { terminalId, today } from './house.ts'
import { pause, show, step, type Visit, visit } from './visit.ts'

// The way of a guest, from the number to the card. Each function is what a button does.

export const searchNumber = (number: string) =>
  step('number', async (current) => {
    current.foundBy.add('number')
    const all = await findByNumber(number, current.signal)
    const open = all.filter(isOpen)
    if (open.length > 1) return show({ name: 'choose', found: open })
    await choose(current, open[0] ?? all[0])
  })

export const searchName = (name: string, arrival: string) =>
  step('name', async (current) => {
    current.foundBy.add('name')
    const all = await findByName(name, arrival, current.signal)
    const open = all.filter(isOpen)
    if (current.found) return confirmName(current, current.found, open)
    if (open.length > 1) throw new Stop('several')
    await choose(current, open[0] ?? all[0])
  })

export const chooseStay = (found: Found) => step('choose', (current) => choose(current, found))

const isOpen = ({ stay }: Found) => stay.status === 'Confirmed' || stay.status === 'InHouse'

async function choose(current: Visit, found: Found | undefined): Promise<void> {
  if (!found) throw new Stop('notFound')
  current.found = found
  expectToday(found)
  if (found.stay.status === 'InHouse') return askForAnotherCard(current, found)
  show({ name: 'greeting', found })
}

/** Throws the sentence of a stay that cannot be checked in today. */
function expectToday({ stay }: Found): void {
  const { status, startDate, endDate } = stay
  if (status !== 'Confirmed' && status !== 'InHouse') throw new Stop('inactive')
  if (status === 'Confirmed' && startDate > today()) throw new Stop('later', { date: longDate(startDate) })
  if (endDate < today()) throw new Stop('past')
}

/**
 * Another card opens a room in which somebody sleeps. Whoever asks for it must know the number of the booking, the name and the
 * day: a name that was overheard is not enough.
 */
function askForAnotherCard({ foundBy }: Visit, found: Found): void {
  if (!foundBy.has('name')) show({ name: 'name' })
  else if (!foundBy.has('number')) show({ name: 'number' })
  else show({ name: 'another-card', found })
}

/** The name and the day must lead to the stay that the number has led to. */
function confirmName(current: Visit, found: Found, named: readonly Found[]): void {
  if (!named.some(({ stay }) => stay.id === found.stay.id)) throw new Stop('notFound')
  askForAnotherCard(current, found)
}

export const confirmGuest = (found: Found) => step('details', (current) => askDetails(current, found))

/** Asks for what is missing, each detail once. */
async function askDetails(current: Visit, found: Found): Promise<void> {
  const profile = found.guest?.attributes
  const missing =
    profile && !profile.emails?.length ? 'email' : profile && !profile.phoneNumbers?.length ? 'phone' : null
  if (missing !== null) return show({ name: 'detail', detail: missing, found })
  await settle(current, found)
}

/** Writes a detail to the profile. Returns false when the box does not accept it. A failure does not keep the guest from the key. */
export async function giveDetail(found: Found, detail: 'email' | 'phone', value: string): Promise<boolean> {
  const more =
    detail === 'email'
      ? { emails: [{ address: value, type: 'Private', primary: true }] }
      : { phoneNumbers: [{ number: value, type: 'Mobile' }] }
  try {
    await completeProfile(found.guest!.id, more, visit.signal)
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return false
  }
  await afterDetail(found, detail)
  return true
}

export const afterDetail = (found: Found, detail: 'email' | 'phone') =>
  step('details', (current) => {
    const hasPhone = (found.guest?.attributes.phoneNumbers?.length ?? 0) > 0
    if (detail === 'email' && !hasPhone) {
      show({ name: 'detail', detail: 'phone', found })
      return Promise.resolve()
    }
    return settle(current, found)
  })

/** Nobody gets a key past the balance. Without a terminal the guest pays at the desk. */
async function settle(current: Visit, found: Found): Promise<void> {
  const amount = amountDue(found)
  if (amount === null) return arrive(current, found)
  if (terminalId.value === null) throw new Stop('toPay', { amount }, 'balance-outstanding')
  show({ name: 'pay', amount, found })
}

function amountDue({ stay: { outstanding, currency } }: Found): string | null {
  return outstanding && outstanding > 0 && currency ? moneyText(outstanding, currency) : null
}

export const payAtDesk = (amount: string) =>
  step('payment', async () => {
    throw new Stop('toPay', { amount }, 'balance-outstanding')
  })

/** The room first: a guest for whom no room is ready is charged nothing. */
export const payHere = (found: Found) =>
  step('payment', async (current) => {
    await giveRoom(current, found)
    show({ name: 'working', does: 'payment', row: null })
    await pay(current, found)
    await arrive(current, found)
  })

/** How often the request is repeated: while the terminal is busy, and when no answer came. */
const mostPaymentAttempts = 4

/** Repeats the request with the same key, which never charges twice. */
async function pay(current: Visit, found: Found): Promise<void> {
  const how = { terminalId: terminalId.value!, language: language.value, idempotencyKey: crypto.randomUUID() }
  for (let attempt = 1; ; attempt++) {
    try {
      await payAtTerminal(found.stay, how, current.signal)
      return
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Nothing is outstanding any more: the payment whose answer was lost is recorded.
      if (error.code === 'payment-exceeds-outstanding') return
      const row = rowOf(error)
      const isLast = attempt === mostPaymentAttempts
      if (row === 'outOfService' && isLast) throw new Stop('paymentUnknown', {}, error.code)
      if ((row !== 'outOfService' && row !== 'moment') || isLast)
        throw new Stop(row, { amount: amountDue(found) ?? '' }, error.code)
      await pause(error.retryAfterSeconds ?? 2, current)
    }
  }
}

/** Says that the guest has arrived, and makes the cards. */
async function arrive(current: Visit, found: Found): Promise<void> {
  await giveRoom(current, found)
  await checkInOnceMore(current, found)
  await handOutCards(current, found, { isCopy: false })
}

/** A stay that has a room keeps it. */
async function giveRoom(current: Visit, found: Found): Promise<void> {
  show({ name: 'working', does: 'room', row: null })
  found.stay = await assignRoom(found.stay, current.signal).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'no-eligible-unit') throw stopWithoutRoom(error, timeText)
    throw error
  })
}

/** Somebody may have changed the stay a moment ago: it is read and tried once more. */
async function checkInOnceMore({ signal }: Visit, { stay }: Found): Promise<void> {
  try {
    await checkIn(stay, signal)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error
    await checkIn(stay, signal)
  }
}

/** Makes another card for a guest who is in house. */
export const anotherCard = (found: Found) =>
  step('card', (current) => handOutCards(current, found, { isCopy: true }))

/** The guest wants to speak to somebody. */
export const askForHelp = (at: string) =>
  step(at, async () => {
    throw new Stop('helpAtDesk', {}, 'guest-asks')
  })
