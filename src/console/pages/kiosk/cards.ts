import { ApiError, type Resource } from '../lib/api.ts'
import { language } from '../lib/language.ts'
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
import { type Row, rowOf, Stop } from './failures.ts'
import { controller, house, now } from './house.ts'
import { forget, type Pending, remember } from './pending.ts'
import { pause, type RoomFacts, show, step, type Visit } from './visit.ts'

/** Makes a card for each room of the stay, one after the other, and then shows the rooms. */
export async function handOutCards(
  current: Visit,
  found: Found,
  { isCopy }: { isCopy: boolean },
): Promise<void> {
  const { units } = found.stay
  const rooms: RoomFacts[] = []
  for (const [index, { unitName, unitId }] of units.entries()) {
    const wish = wishFor(found.stay, unitName ?? '', { isOriginal: !isCopy })
    const key = await handOut(current, found, wish, { card: index + 1, of: units.length })
    rooms.push(await roomOf(key, unitId, current))
  }
  show({ name: 'room', found, rooms })
}

function wishFor(stay: StayOfGuest, unitName: string, { isOriginal }: { isOriginal: boolean }): Wish {
  const { startDate, startTime, endDate, endTime, externalId, id, plannedStartsAt } = stay
  // A guest who arrives before check-in time gets a key that opens at once.
  const isEarly = now() < Date.parse(plannedStartsAt)
  const from = isEarly ? timeNow() : startTime
  return {
    controllerId: controller.value?.id ?? '',
    idempotencyKey: crypto.randomUUID(),
    order: {
      type: controller.value?.keyType ?? 'keyCard',
      unitName,
      original: isOriginal,
      startDate,
      ...(from && { startTime: from }),
      endDate,
      ...(endTime && { endTime }),
      externalId: externalId ?? id,
    },
  }
}

/** The time at the property, HH:MM, as the box takes it. */
function timeNow(): string {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: house.value.timeZone }).format(now())
}

/** Makes a card and waits until the guest has it. */
async function handOut(
  current: Visit,
  found: Found,
  wish: Wish,
  count: { card: number; of: number },
): Promise<Resource<Key>> {
  remember(wish, found, language.value)
  for (let failed = 0; ; ) {
    show({ name: 'working', does: 'card', row: failed === 0 ? null : 'newCard' })
    const key = await made(current, wish)
    const ending = await ended(current, key.id, count)
    if (ending === 'taken' || ending === 'handed') {
      forget()
      return key
    }
    // The box took the card back and ended its key, so the same request makes another card.
    if (ending === 'left') await touched(current)
    else if (failed++ === 1) throw new Stop('cannotMake', {}, `card-${ending}`)
  }
}

/** Waits for the touch with which the guest asks for a new card. */
function touched({ signal }: Visit): Promise<void> {
  return new Promise((done, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason))
    show({ name: 'not-taken', again: done })
  })
}

/** How often a request is repeated after each sentence. The guest must do something for the last three. */
const repetitions: Partial<Record<Row, number>> = {
  moment: 3,
  newCard: 2,
  unknownCard: 2,
  outOfService: 10,
  placeCard: 20,
  liftCard: 20,
  oneCard: 20,
}

/** Makes a card. Repeats the request, always with the same key, while that can help. */
async function made(current: Visit, wish: Wish): Promise<Resource<Key>> {
  let ask = makeCard
  let order = wish
  for (const tried = new Map<Row, number>(); ; ) {
    try {
      return await ask(order, current.signal)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A copy was asked for, and the room has no original card any more.
      if (error.code === 'no-original-key') {
        order = { ...wish, order: { ...wish.order, original: true }, idempotencyKey: crypto.randomUUID() }
        continue
      }
      const row = rowOfCard(error)
      const count = (tried.get(row) ?? 0) + 1
      tried.set(row, count)
      if (count > (repetitions[row] ?? 0)) throw new Stop(lastRow(row), {}, error.code)
      // Nobody knows whether the card was written. The box looks before it makes another one. A copy has no such request: its
      // repetition is as safe.
      if (row === 'unknownCard' && order.order.original) ask = reconcileCard
      show({ name: 'working', does: 'card', row: row === 'outOfService' ? 'moment' : row })
      await pause(error.retryAfterSeconds ?? 2, current)
    }
  }
}

/** The sentence for a card that failed. A card that was read back and found wrong is known; any other doubt is looked into. */
function rowOfCard(error: ApiError): Row {
  const isInDoubt = error.meta.outcomeUnknown === true && error.meta.guest !== 'new-card'
  // At a reader without a dispenser the guest holds the card, and puts it down again.
  if (error.meta.guest === 'recard' && !controller.value?.dispenserId) return 'placeCard'
  return isInDoubt ? 'unknownCard' : rowOf(error)
}

/** What the guest reads when no repetition has helped. */
function lastRow(row: Row): Row {
  return row === 'outOfService' || row === 'changed' || row === 'toPay' ? row : 'cannotMake'
}

/** A line that is lost while the card waits is no reason to leave the guest: so many times it is asked again. */
const mostSilent = 30

/** Waits until the card is in the guest's hand, or was taken back. Returns how it ended. */
async function ended(
  current: Visit,
  keyId: string,
  count: { card: number; of: number },
): Promise<CardRun['ending']> {
  const { dispenserId = null } = controller.value ?? {}
  let deadline: number | null = null
  for (let silent = 0; silent < mostSilent; ) {
    try {
      const run = await readCardRun(keyId, current.signal)
      if (run === null || run.step === 'ended') return run?.ending ?? 'unknown'
      if (run.step === 'presented' && dispenserId !== null)
        deadline ??= await readDeadline(dispenserId, current.signal)
      silent = 0
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      silent++
    }
    const secondsLeft = deadline === null ? null : Math.max(0, Math.round((deadline - now()) / 1_000))
    show({ name: 'take-card', secondsLeft, ...count })
    await pause(1, current)
  }
  throw new Stop('outOfService')
}

async function roomOf(key: Resource<Key>, unitId: string | null, { signal }: Visit): Promise<RoomFacts> {
  const floor = unitId === null ? null : await readFloor(unitId, signal).catch(() => null)
  const { unitName, validFrom, validUntil } = key.attributes
  return { name: unitName, floor, validFrom, validUntil }
}

/** Goes on with the card that a page before this one has asked for. */
export const resume = ({ wish, stayId, reservationId }: Pending) =>
  step('card', async (current) => {
    show({ name: 'working', does: 'card', row: null })
    const { stay } = await readStay({ id: stayId, reservationId }, current.signal)
    const found = { stay, guest: null }
    current.found = found
    const key = await handOut(current, found, wish, { card: 1, of: 1 })
    const unit = stay.units.find(({ unitName }) => unitName === wish.order.unitName)
    show({ name: 'room', found, rooms: [await roomOf(key, unit?.unitId ?? null, current)] })
  })
