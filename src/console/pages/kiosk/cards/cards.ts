import { ApiError, type Resource } from '../../lib/server/api.ts'
import {
  type CardRun,
  type Found,
  type Key,
  makeCard,
  readCardRun,
  readDeadline,
  readFloor,
  readStay,
  reconcileCard,
  type StayOfGuest,
} from '../box.ts'
import { failureOf, type Row, rowOf, Stop } from '../failures.ts'
import { controller, dispenser, now, untilOpen } from '../house.ts'
import { loadLate } from '../late.ts'
import { type CardOrder, forget, isFresh, ofGuest, type PendingCard, remember } from '../pending.ts'
import type { Missing, RoomFacts } from '../screen.ts'
import { leave, type Visit } from '../visit.ts'
import { newOrder, wishFor } from './order.ts'

/** The cards of a stay, made one after the other: one for each room, and then the copies. */
interface Cards {
  found: Found
  /** Whether the card of a room leaves the present ones valid. */
  isCopy: boolean
  /** The number of cards in all. Those after one for each room are copies for the room. */
  wanted: number
  /** The card that is being made. Its place among all is `given.length`. */
  order: CardOrder
  /** The rooms whose cards the guest has. */
  rooms: RoomFacts[]
  /** The keys of the cards that the guest has. */
  given: string[]
}

/** The box makes three copies a day at a kiosk. */
const mostCards = 4

/**
 * How many cards the guests of a stay may want: one for each adult who shares the room. At an encoder the guests would have to change
 * the cards on it, and of several rooms it is not known who shares one.
 */
export const cardsAtMost = ({ personCount, units }: StayOfGuest): number =>
  controller.value?.dispenserId && units.length === 1 ? Math.min(mostCards, personCount?.adults ?? 1) : 1

/** Makes a card for each room of the stay, and copies until there are as many as wanted. Then shows the rooms. */
export function handOutCards(
  visit: Visit,
  found: Found,
  { isCopy, wanted = 1 }: { isCopy: boolean; wanted?: number },
): Promise<void> {
  const all = Math.max(wanted, found.stay.units.length)
  return handOutRest(visit, {
    found,
    isCopy,
    wanted: all,
    order: newOrder(found, isCopy),
    rooms: [],
    given: [],
  })
}

async function handOutRest(visit: Visit, cards: Cards): Promise<void> {
  const { found, isCopy, wanted, rooms, given } = cards
  const { units } = found.stay
  while (given.length < wanted) {
    const isFurther = given.length >= units.length
    const card = handOut(visit, cards, isFurther)
    const key = await (isFurther ? card.catch((error: unknown) => withoutCopy(visit, error)) : card)
    if (key === undefined) return showRooms(visit, cards, 'notEveryCard')
    if (key === null && isFurther) return showRooms(visit, cards, 'copyTakenBack')
    if (key === null) {
      const again = () => void visit.step('card', () => handOutRest(visit, cards))
      return visit.show({ name: 'not-taken', again })
    }
    given.push(key.id)
    cards.order = newOrder(found, isCopy || given.length >= units.length)
    if (given.length < wanted) await keep(cards)
    else await forget()
    if (!isFurther) rooms.push(await roomOf(key.attributes, units[rooms.length]!.unitId, visit))
  }
  showRooms(visit, cards, null)
}

/** The last page. `missing`: why a guest who has a card of the room has not every copy. */
const showRooms = (visit: Visit, { found, rooms }: Cards, missing: Missing | null) =>
  visit.show({ name: 'room', found, rooms, missing })

/** The guest has a card of the room, and reads on the last page that a copy could not be made. */
async function withoutCopy({ signal }: Visit, error: unknown): Promise<undefined> {
  if (signal.aborted || !(error instanceof Stop || error instanceof ApiError)) throw error
  await forget()
}

/** Makes a card and waits until the guest has it. Returns null when the machine took it back. */
async function handOut(visit: Visit, cards: Cards, isFurther: boolean): Promise<Resource<Key> | null> {
  const { wanted: of, given } = cards
  const count = { card: given.length + 1, of }
  for (let failed = 0; ; ) {
    visit.show({ name: 'working', does: 'card', row: failed === 0 ? null : 'newCard' })
    const key = await made(visit, cards, isFurther)
    const ending = await ended(visit, key.id, count)
    // The box took the card back and revoked its key, so the same request makes another card.
    if (ending === 'failed' || ending === 'captured' || ending === 'unknown') {
      if (failed++ === 1) throw new Stop('cannotMake', {}, `card-${ending}`)
      continue
    }
    if (ending !== 'left') return key
    await forget()
    return null
  }
}

/** The largest number of repeats for each refusal that ends by itself: the box makes this card, or waits for another guest. */
const repetitionsOfCode: Readonly<Record<string, number>> = {
  'idempotency-in-progress': 30,
  'dispenser-busy-with-guest': 20,
}
/** The largest number of repeats for each row. The last three rows need an action of the guest. */
const repetitions: Partial<Record<Row, number>> = {
  moment: 3,
  newCard: 2,
  unknownCard: 2,
  outOfService: 3,
  placeCard: 20,
  liftCard: 20,
  oneCard: 20,
}

/** Makes a card. Repeats the request with the same idempotency key while that can succeed. */
async function made(visit: Visit, cards: Cards, isFurther: boolean): Promise<Resource<Key>> {
  const unit = isFurther ? 0 : cards.given.length
  let ask = makeCard
  let isHeard = true
  const since = now()
  for (const tried = new Map<string, number>(); ; ) {
    await keep(cards)
    try {
      return await ask(wishFor(cards.found.stay, unit, cards.order), visit.signal)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A copy was ordered, and the room no longer has an original card. One that ended a moment ago was ended on purpose.
      if (error.code === 'no-original-key' && !isFurther) {
        cards.order = { ...cards.order, isOriginal: true, idempotencyKey: crypto.randomUUID() }
        continue
      }
      const row = rowOfCard(error)
      isHeard &&= isRefusal(error)
      const most = repetitionsOfCode[error.code]
      const cause = most === undefined ? row : error.code
      const count = (tried.get(cause) ?? 0) + 1
      tried.set(cause, count)
      if (count > (most ?? repetitions[row] ?? 0)) {
        const key = isHeard ? null : await cardUnheard(visit, cards, { unit, since })
        if (key) return key
        throw new Stop(lastRow(row, error), {}, failureOf(error))
      }
      // The outcome of the card is unknown. The box finds it out before it makes another card. For a copy there is no
      // such request, and repeating it is equally safe.
      if (row === 'unknownCard' && cards.order.isOriginal) ask = reconcileCard
      visit.show({ name: 'working', does: 'card', row: row === 'outOfService' ? 'moment' : row })
      await visit.pause(error.retryAfterSeconds ?? 2)
      if (row === 'outOfService') await untilOpen(visit)
    }
  }
}

/** Whether the box has said that it made no card. A fault, and no answer, say nothing about it. */
const isRefusal = ({ status }: ApiError) => status > 0 && status < 500

/** A card may be at the gate when one of the answers was lost, also where a repeat was refused. */
function cardUnheard(
  visit: Visit,
  { found: { stay }, given }: Cards,
  order: { unit: number; since: number },
) {
  visit.show({ name: 'working', does: 'card', row: 'unknownCard' })
  return loadLate()
    .then((late) =>
      late.cardUnheard({ stay, given, controllerId: controller.value?.id ?? '', ...order }, visit),
    )
    .catch(() => null)
}

/** Keeps the order for a page that is loaded again. */
function keep({ found: { stay }, isCopy, wanted, order, given }: Cards): Promise<unknown> {
  return remember({ ...ofGuest(stay, now()), isCopy, wanted, order, given })
}

/**
 * Returns the sentence for a failed card. The outcome is known only for a card that was read back and found wrong.
 * Otherwise the outcome is queried.
 */
function rowOfCard(error: ApiError): Row {
  const isInDoubt = error.meta.outcomeUnknown === true && error.meta.guest !== 'new-card'
  // At an encoder without a dispenser, the guest holds the card and puts it down again.
  if (error.meta.guest === 'recard' && !controller.value?.dispenserId) return 'placeCard'
  return isInDoubt ? 'unknownCard' : rowOf(error)
}

/** Returns the sentence for the guest after the last attempt: a card that repeats did not make cannot be made. */
function lastRow(row: Row, { code }: ApiError): Row {
  // Without an answer the box is out of service. One that cannot be read may be there all the same, and gives the guest a code.
  if (row === 'outOfService' && code !== 'bad-answer') return row
  return row in repetitions ? 'cannotMake' : row
}

/** The number of retries when the connection is lost, and no card can be at the gate any more. */
const mostSilent = 60
/** After the deadline: a machine that is well has taken the card back by then. One that answers no more leaves the outcome open. */
export const lateMs = 20_000

/** Waits until the guest took the card or the machine took it back. Returns the outcome. */
async function ended(
  visit: Visit,
  keyId: string,
  count: { card: number; of: number },
): Promise<CardRun['ending']> {
  const { dispenserId = null } = controller.value ?? {}
  // Until the machine says when it takes the card back, and where its answer is lost: the longest time that it may be.
  let deadline = dispenser.value && now() + dispenser.value.presentTimeoutSeconds * 1_000
  let isKnown = false
  for (let silent = 0; silent < mostSilent || now() < (deadline ?? 0); ) {
    try {
      const run = await readCardRun(keyId, visit.signal)
      if (run === null || run.step === 'ended') return run?.ending ?? 'unknown'
      if (run.step === 'presented' && dispenserId !== null && !isKnown) {
        const said = await readDeadline(dispenserId, visit.signal)
        isKnown = said !== null
        deadline = said ?? deadline
      }
      if (deadline !== null && dispenserId !== null && now() > deadline + lateMs) {
        // A machine that has come back watches the card for the whole time again.
        const later = await readDeadline(dispenserId, visit.signal)
        if (later === null || later <= deadline) throw new Stop('cannotMake', {}, 'card-unknown')
        deadline = later
      }
      silent = 0
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      silent++
    }
    visit.show({ name: 'take-card', deadline, ...count })
    await visit.pause(1)
  }
  throw new Stop('outOfService')
}

async function roomOf(
  { unitName, validFrom, validUntil }: Key,
  unitId: string | null,
  { signal }: Visit,
): Promise<RoomFacts> {
  const floor = unitId === null ? null : await readFloor(unitId, signal).catch(() => null)
  return { name: unitName, floor, validFrom, validUntil }
}

/** Continues with the card that was ordered before the page was loaded again, if its guest may still be here. */
export const resume = (visit: Visit, pending: PendingCard) =>
  visit.step('card', async () => {
    visit.show({ name: 'working', does: 'card', row: null })
    const { stayId, reservationId, order } = pending
    const began = performance.now()
    const closed = await untilOpen(visit).catch((error: unknown) => ({ error }))
    visit.signal.throwIfAborted()
    // The guest was here when the page began to wait.
    const isHere = isFresh(pending, closed ? now() - (performance.now() - began) : now())
    if (closed && !(isHere && pending.given?.length)) throw closed.error
    if (!isHere) return leave()
    const { stay } = await readStay({ id: stayId, reservationId }, visit.signal)
    const { units, plannedStartsAt, plannedEndsAt: validUntil } = stay
    // The release before this one kept the order alone.
    const { isCopy = !order.isOriginal, wanted = units.length, given = [] } = pending
    const found = { stay, guest: null }
    visit.found = found
    // The key of a guest who arrives before check-in time opens at once.
    const validFrom = new Date(Math.min(Date.parse(plannedStartsAt), now())).toISOString()
    const had = units.slice(0, given.length)
    const rooms = await Promise.all(
      had.map(({ unitId, unitName }) =>
        roomOf({ unitName: unitName ?? '', validFrom, validUntil }, unitId, visit),
      ),
    )
    const cards = { found, isCopy, wanted, order, rooms, given }
    if (!closed) return handOutRest(visit, cards)
    // The machine is out of service. Only a copy is missing when each room has its card.
    if (given.length < units.length) throw closed.error
    await withoutCopy(visit, closed.error)
    showRooms(visit, cards, 'notEveryCard')
  })
