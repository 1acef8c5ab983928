/** A request for a key, for a stay or for the staff. */
export type CardBody =
  | { type: string; original: boolean; unitName: string; externalId: string; [name: string]: unknown }
  | { unitName: string; minutes: number }

/** An order of one card or PIN. The browser keeps it until the outcome is known. */
export interface CardOrder {
  /** The person who ordered it. The page sends it only while this person is signed in. */
  accountId: string | null
  /** The stay; null for a card for the staff, which opens a room once. */
  stayId: string | null
  /** The name that other screens show with the progress. */
  guest: string
  room: string
  controllerId: string
  controllerName: string
  /** Whether a dispenser makes the card; otherwise a person puts a card on the encoder. */
  hasDispenser: boolean
  /** Whether the next card is made without a word of the clerk: see `controllers.ts`. */
  takesNextCard: boolean
  /** The request body. A repeat sends the same body with the same idempotency key. */
  body: CardBody
  /** The same for cards that follow one another: see `keyOf`. */
  idempotencyKey: string
  /** When it was ordered, Unix milliseconds of this browser. */
  orderedAt: number
  /** The keys of the stay before the order. Any other key is the new one. Null while the order was not sent. */
  known: readonly string[] | null
  /** The new key, once the box has made it. */
  keyId: string | null
  /** Why a card is made although it concerns another guest; null for any other card. */
  override: string | null
  /** The request bodies of the cards that follow this one. */
  next: readonly CardBody[]
  /** Whether the outcome is unknown. */
  isUnknown: boolean
}

const prefix = 'nightporter.card.'
/** A card is not begun later than this after its order: the person who wanted it has left the encoder. */
const longestMs = 10 * 60_000

/** Whether a card may still be begun. */
export const isFresh = ({ orderedAt }: CardOrder) => Date.now() - orderedAt < longestMs

/** Remembers an order for a card, so that a page that is loaded anew goes on with it. */
export function keepOrder(order: CardOrder): void {
  sessionStorage.setItem(nameOf(order), JSON.stringify(order))
}

/** The order has ended: its card was made, or will not be. */
export function forgetOrder(order: CardOrder): void {
  sessionStorage.removeItem(nameOf(order))
}

/**
 * Returns the subject of a card, by which cards in progress are told apart: the stay, or the room of a card for the
 * staff.
 */
export const subjectOf = ({ stayId, room }: Pick<CardOrder, 'stayId' | 'room'>) => stayId ?? `room ${room}`

/**
 * Returns the idempotency key of one card. A tab that was duplicated has the same orders: whichever tab sends one of them
 * first, the box makes one card.
 */
export const keyOf = ({ idempotencyKey, next }: CardOrder) => `${idempotencyKey}.${next.length}`

/** Returns the order of the next card; null for none. The word for one room counts for no other. */
export function nextOf({ next: [body, ...next], ...order }: CardOrder) {
  if (!body) return null
  const override = body.unitName === order.room ? order.override : null
  return { ...order, room: body.unitName, body, next, override }
}

/** Whether the next card waits until the clerk says that it lies on the encoder. */
export const isNextAwaited = ({ next, takesNextCard }: CardOrder) => next.length > 0 && !takesNextCard

/** Returns the part of a request that says that the card is right although it concerns another guest; false for none. */
export const wordOf = ({ override }: CardOrder) =>
  override !== null && { meta: { confirm: true, reason: override } }

const nameOf = (order: CardOrder) => `${prefix}${order.accountId ?? ''}.${subjectOf(order)}`

/** Returns the orders of a person whose outcome this browser does not know yet. */
export function keptOrders(accountId: string | null): CardOrder[] {
  return Object.keys(sessionStorage)
    .filter((name) => name.startsWith(`${prefix}${accountId ?? ''}.`))
    .flatMap((name) => {
      const text = sessionStorage.getItem(name)
      return text === null ? [] : [JSON.parse(text) as CardOrder]
    })
}
