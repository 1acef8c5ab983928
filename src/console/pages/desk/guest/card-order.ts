/** One card or PIN that was ordered for a stay. It is kept in the browser until the page knows what became of it. */
export interface CardOrder {
  /** Who has ordered it. Nobody else sends it. */
  accountId: string | null
  stayId: string
  /** Whose card it is, for a strip that is shown on other screens. */
  guest: string
  room: string
  controllerId: string
  controllerName: string
  /** The card comes out of a dispenser; otherwise a person puts one on the encoder. */
  hasDispenser: boolean
  /** What is sent. A repetition sends exactly the same, with the same key. */
  body: { original: boolean; unitName: string; externalId: string; [name: string]: unknown }
  idempotencyKey: string
  /** The keys of the stay before the order, so that the new one is recognised. */
  known: readonly string[]
  /** The new key, as soon as the box has it. */
  keyId: string | null
  /** The bodies of cards that are made after this one. */
  next: readonly CardOrder['body'][]
  /** Nobody knows whether the card was made. */
  isUnknown: boolean
}

const prefix = 'nightporter.card.'

export function keepOrder(order: CardOrder): void {
  sessionStorage.setItem(nameOf(order), JSON.stringify(order))
}

export function forgetOrder(order: CardOrder): void {
  sessionStorage.removeItem(nameOf(order))
}

const nameOf = ({ accountId, stayId }: CardOrder) => `${prefix}${accountId ?? ''}.${stayId}`

/** The orders of a person whose end this browser has not seen. */
export function keptOrders(accountId: string | null): CardOrder[] {
  return Object.keys(sessionStorage)
    .filter((name) => name.startsWith(`${prefix}${accountId ?? ''}.`))
    .flatMap((name) => {
      const text = sessionStorage.getItem(name)
      return text === null ? [] : [JSON.parse(text) as CardOrder]
    })
}
