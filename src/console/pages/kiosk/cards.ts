import { ApiError, type Resource } from '../lib/api.ts'
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
  type Wish,
} from './box.ts'
import { failureOf, type Row, rowOf, Stop } from './failures.ts'
import { controller, dispenser, house, now, untilOpen } from './house.ts'
import { loadLate } from './late.ts'
import { type CardOrder, forget, isFresh, ofGuest, type PendingCard, remember } from './pending.ts'
import type { RoomFacts } from './screen.ts'
import { leave, type Visit } from './visit.ts'

/** The cards of a stay, made one after the other: those of the first room, then those of the next. */
interface Cards {
  found: Found
  /** Whether the first card of a room leaves the present ones valid. */
  isCopy: boolean
  /** The number of cards for each room. Those after the first are copies. */
  each: number
  /** The card that is being made. Its place among all is `given.length`. */
  order: CardOrder
  /** The rooms whose cards the guest has, without those from before the page was loaded again. */
  rooms: RoomFacts[]
  /** The keys of the cards that the guest has; empty for a copy that could not be made. */
  given: string[]
}

/** The box makes three copies a day at a kiosk, and the desk makes more. */
const mostEach = 4

/** How many cards a guest may want for each room: one for each adult. */
export const cardsEach = ({ personCount, units }: StayOfGuest): number =>
  Math.min(mostEach, Math.ceil((personCount?.adults ?? 1) / units.length))

/** Makes `each` cards for each room of the stay, and then shows the rooms. */
export function handOutCards(
  visit: Visit,
  found: Found,
  { isCopy, each = 1 }: { isCopy: boolean; each?: number },
): Promise<void> {
  return handOutRest(visit, { found, isCopy, each, order: newOrder(found, isCopy), rooms: [], given: [] })
}

async function handOutRest(visit: Visit, cards: Cards): Promise<void> {
  const { found, isCopy, each, rooms, given } = cards
  const { units } = found.stay
  while (given.length < units.length * each) {
    const isFirst = given.length % each === 0
    const card = handOut(visit, cards)
    const key = await (isFirst ? card : card.catch((error: unknown) => withoutCopy(visit, error)))
    if (key === null) {
      const again = () => void visit.step('card', () => handOutRest(visit, cards))
      return visit.show({ name: 'not-taken', again })
    }
    if (key && !rooms.some(({ name }) => name === key.attributes.unitName))
      rooms.push(await roomOf(key, units[unitOf(cards)]!.unitId, visit))
    given.push(key?.id ?? '')
    cards.order = newOrder(found, isCopy || given.length % each > 0)
  }
  visit.show({ name: 'room', found, rooms, isShort: given.includes('') })
}

/** The guest has a card of the room, and reads at the end that a copy could not be made. */
async function withoutCopy({ signal }: Visit, error: unknown): Promise<undefined> {
  if (signal.aborted || !(error instanceof Stop || error instanceof ApiError)) throw error
  await forget()
}

/** The place of the room for which the next card is. */
const unitOf = ({ given, each }: Cards) => Math.floor(given.length / each)

function newOrder({ stay }: Found, isCopy: boolean): CardOrder {
  // The key of a guest who arrives before check-in time opens at once.
  const isEarly = now() < Date.parse(stay.plannedStartsAt)
  return {
    idempotencyKey: crypto.randomUUID(),
    isOriginal: !isCopy,
    startTime: (isEarly ? timeNow() : stay.startTime) ?? null,
  }
}

/** Returns the time at the property, HH:MM, in the format of the API. */
function timeNow(): string {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: house.value.timeZone }).format(now())
}

function wishFor(stay: StayOfGuest, unit: number, order: CardOrder): Wish {
  const { startDate, endDate, endTime, externalId, id, units } = stay
  const { idempotencyKey, isOriginal, startTime } = order
  return {
    controllerId: controller.value?.id ?? '',
    idempotencyKey,
    order: {
      type: controller.value?.keyType ?? 'keyCard',
      unitName: units[unit]?.unitName ?? '',
      original: isOriginal,
      startDate,
      ...(startTime && { startTime }),
      endDate,
      ...(endTime && { endTime }),
      externalId: externalId ?? id,
    },
  }
}

/** Makes a card and waits until the guest has it. Returns null when the machine took it back. */
async function handOut(visit: Visit, cards: Cards): Promise<Resource<Key> | null> {
  const { found, each, given } = cards
  const count = { card: given.length + 1, of: found.stay.units.length * each }
  for (let failed = 0; ; ) {
    visit.show({ name: 'working', does: 'card', row: failed === 0 ? null : 'newCard' })
    const key = await made(visit, cards)
    const ending = await ended(visit, key.id, count)
    // The box took the card back and revoked its key, so the same request makes another card.
    if (ending === 'failed' || ending === 'captured' || ending === 'unknown') {
      if (failed++ === 1) throw new Stop('cannotMake', {}, `card-${ending}`)
      continue
    }
    await forget()
    return ending === 'left' ? null : key
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
async function made(visit: Visit, cards: Cards): Promise<Resource<Key>> {
  const unit = unitOf(cards)
  let ask = makeCard
  let isHeard = true
  const since = now()
  for (const tried = new Map<string, number>(); ; ) {
    await keep(cards)
    try {
      return await ask(wishFor(cards.found.stay, unit, cards.order), visit.signal)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A copy was ordered, and the room no longer has an original card.
      if (error.code === 'no-original-key') {
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
function keep({ found: { stay }, order, each, given }: Cards): Promise<unknown> {
  return remember({ ...ofGuest(stay, now()), order, each, given })
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

async function roomOf(key: Resource<Key>, unitId: string | null, { signal }: Visit): Promise<RoomFacts> {
  const floor = unitId === null ? null : await readFloor(unitId, signal).catch(() => null)
  const { unitName, validFrom, validUntil } = key.attributes
  return { name: unitName, floor, validFrom, validUntil }
}

/** Continues with the card that was ordered before the page was loaded again, if its guest may still be here. */
export const resume = (visit: Visit, pending: PendingCard) =>
  visit.step('card', async () => {
    visit.show({ name: 'working', does: 'card', row: null })
    await untilOpen(visit)
    if (!isFresh(pending, now())) return leave()
    // The release before kept one card for each room, of which this is the first.
    const { order, each = 1, given = [], stayId, reservationId } = pending
    const { stay } = await readStay({ id: stayId, reservationId }, visit.signal)
    const found = { stay, guest: null }
    visit.found = found
    const isCopy = each === 1 && !order.isOriginal
    await handOutRest(visit, { found, isCopy, each, order, rooms: [], given })
  })
