import { effect } from '@preact/signals'
import { apiErrorOf } from '../../lib/server/answer.ts'
import type { Resource } from '../../lib/server/api.ts'
import { refusalText } from '../../lib/server/refusal-text.ts'
import type { Controller } from '../../lib/server/resources.ts'
import { takesNextCard } from '../cards/controllers.ts'
import { forgetMaking, type Making, makings } from '../cards/making.ts'
import { isNextAwaited } from '../cards/order.ts'
import { cardTexts } from '../cards/texts.ts'
import { orderMissingCards } from '../stay/order-cards.ts'
import { hasRoom, readKeys, readStay, roomsOf } from '../stay/stay.ts'
import { g } from '../stay/texts.ts'

/** A guest whose cards are to be made. */
export interface CardGuest {
  stayId: string
  name: string
}

/** How the cards of a guest ended: made for rooms, or not. `had`: they were there already. `left`: the clerk went on without all of them. */
export type CardsEnded = { rooms: string } | 'had' | 'left' | { why: string }

interface Turns {
  controller: Resource<Controller>
  /** Whether each adult gets a card; otherwise each room has one. */
  isForEachAdult: boolean
  /** Called when the turn of a guest begins. `isAwaited`: the clerk has to put a card on the encoder first. */
  begins(guest: CardGuest, isAwaited: boolean): void
  ended(guest: CardGuest, as: CardsEnded): void
  /** Resolves when the clerk says to go on, or to stop. */
  pressed(): Promise<void>
  /** Aborted when the clerk stops. A card that is being made goes on, and is found on the sheet of its guest. */
  stopped: AbortSignal
}

/**
 * Makes the cards of several guests, one guest after the other. A card that fails waits for the clerk. So does each guest at an encoder
 * that would write over the card of the guest before.
 */
export async function cardsInTurn(guests: readonly CardGuest[], turns: Turns): Promise<void> {
  for (const guest of guests) {
    const before = makings.value.get(guest.stayId)
    if (before && isOver(before)) forgetMaking(guest.stayId)
    const isAwaited = !takesNextCard(turns.controller) && !makings.value.has(guest.stayId)
    turns.begins(guest, isAwaited)
    if (isAwaited) await turns.pressed()
    if (turns.stopped.aborted) return
    const as = await cardsOf(guest, turns)
    if (as !== null) turns.ended(guest, as)
  }
}

const isOver = ({ ending, order }: Making) =>
  ending === 'notMade' || (ending === 'inHand' && !isNextAwaited(order))

/** Resolves with null when the clerk has stopped before the end. */
async function cardsOf({ stayId }: CardGuest, turns: Turns): Promise<CardsEnded | null> {
  try {
    const [shown, keys] = await Promise.all([readStay(stayId), readKeys(stayId)])
    if (turns.stopped.aborted) return null
    // The card that the sheet has ordered, or of a turn that was stopped, is followed to its end.
    if (!makings.value.has(stayId)) {
      const { personCount, units } = shown.stay.attributes
      if (!hasRoom(shown.stay)) return { why: g.value.noRoom }
      if (keys.some(({ attributes }) => attributes.status === 'unknown'))
        return { why: cardTexts.value.notKnown }
      const wanted = turns.isForEachAdult ? Math.max(units.length, personCount.adults) : units.length
      if (!orderMissingCards(shown, turns.controller, { keys, wanted })) return 'had'
    }
    const { settled, stop } = allInHand(stayId)
    const isMade = await Promise.race([settled, turns.pressed().then(() => false)]).finally(stop)
    if (!isMade) return turns.stopped.aborted ? null : 'left'
    forgetMaking(stayId)
    return { rooms: roomsOf(shown.stay) }
  } catch (error) {
    return { why: refusalText(apiErrorOf(error)).text }
  }
}

/** `settled` resolves with true when all cards of a stay are in hand, and with false when the clerk has put one away. */
function allInHand(stayId: string): { settled: Promise<boolean>; stop(): void } {
  let stop = () => {}
  const settled = new Promise<boolean>((resolve) => {
    stop = effect(() => {
      const making = makings.value.get(stayId)
      if (!making) resolve(false)
      else if (making.ending === 'inHand' && making.order.next.length === 0) resolve(true)
    })
  })
  return { settled, stop }
}
