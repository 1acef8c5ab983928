import { language } from '../lib/language/language.ts'

/**
 * What the box does for the guest, without an answer yet. It survives a reload, the end of the browser and a power cut.
 * It names no guest and no room: the page reads both from the box again. It is deleted with the answer, and when the
 * guest leaves.
 */
export type Pending = PendingCard | PendingPayment | PendingCheckOut

interface OfGuest {
  reservationId: string
  stayId: string
  language: string
  /** Unix milliseconds by the clock of the box. */
  since: number
}

/** What is kept of a guest. `since`: by the clock of the box. */
export function ofGuest(
  { id, reservationId }: { id: string; reservationId: string },
  since: number,
): OfGuest {
  return { stayId: id, reservationId, language: language.value, since }
}

/** The ordered card. The page repeats the same request, so no second card is made. */
export interface PendingCard extends OfGuest {
  order: CardOrder
  /** Whether the cards of the rooms are copies. */
  isCopy: boolean
  /** The number of cards in all. */
  wanted: number
  /** The keys of the cards that the guest has. */
  given: string[]
}

/** The payment at the terminal. The page asks for its outcome, and starts no other one. */
export interface PendingPayment extends OfGuest {
  isPayment: true
  /** The guest checks out after it; otherwise the guest gets a card. */
  isLeaving: boolean
  /** Whether the machine has kept a card before. */
  hasKept: boolean
  /** How many cards the guests want. */
  cards: number
}

/** A guest hands the card back. The page asks the box for the check-out again. */
export interface PendingCheckOut extends OfGuest {
  isCheckOut: true
  /** Whether the machine has kept a card. */
  hasKept: boolean
}

/** What the stay does not say about an ordered card. */
export interface CardOrder {
  /** A repeat with the same idempotency key asks for the same card. A new key orders a new card. */
  idempotencyKey: string
  /** False for a copy, which leaves the present cards valid. */
  isOriginal: boolean
  /** From when the card opens on the day of arrival, HH:MM; null for the time of the house. */
  startTime: string | null
}

/** Two kiosks in one browser differ in their addresses. */
const kept = location.search
/** After this time the guest has certainly left. */
const validMs = 120_000
const orders = 'orders'
/** A browser whose disk does not answer keeps nothing, and the guest gets the card all the same. */
const patienceMs = 2_000

export const remember = (pending: Pending) => stored((store) => store.put(pending, kept))

export const forget = () => stored((store) => store.delete(kept))

/** Returns what was under way before the page was loaded again. */
export const remembered = (): Promise<Pending | undefined> => stored((store) => store.get(kept))

/** Whether a guest who was there at `since` may still be waiting. `now`: Unix milliseconds by the clock of the box. */
export function isFresh({ since }: Pick<Pending, 'since'>, now: number): boolean {
  // A clock that was set back by a power cut says nothing about the guest.
  return Math.abs(now - since) < validMs
}

/**
 * Resolves when the change is on the disk. The simpler localStorage is written to the disk seconds later, so a power
 * cut would lose the order.
 */
async function stored<T>(ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  const patience = new Promise<undefined>((done) => setTimeout(done, patienceMs))
  return Promise.race([transacted(ask), patience]).catch((error: unknown) => {
    console.error(error)
    return undefined
  })
}

async function transacted<T>(ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await database()).transaction(orders, 'readwrite', { durability: 'strict' })
  const request = ask(transaction.objectStore(orders))
  return new Promise((done, fail) => {
    transaction.oncomplete = () => done(request.result)
    transaction.onabort = () => fail(transaction.error)
  })
}

let opened: Promise<IDBDatabase> | null = null

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((done, fail) => {
    const request = indexedDB.open('nightporter.kiosk', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(orders)
    request.onsuccess = () => done(request.result)
    request.onerror = () => fail(request.error)
  })
  return opened
}
