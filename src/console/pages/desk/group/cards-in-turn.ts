import { effect } from '@preact/signals'
import { apiErrorOf } from '../../lib/answer.ts'
import type { Resource } from '../../lib/api.ts'
import { refusalText } from '../../lib/refusal-text.ts'
import type { Controller } from '../../lib/resources.ts'
import { forgetMaking, makings } from '../guest/card-making.ts'
import { takesNextCard } from '../guest/controllers.ts'
import { orderFirstCards } from '../guest/order-cards.ts'
import { hasRoom, readStay, roomsOf } from '../guest/stay.ts'
import { g } from '../guest/texts.ts'

/** A guest whose cards are to be made. */
export interface CardGuest {
  stayId: string
  name: string
}

/** How the cards of a guest ended: made for rooms, or not. `had`: a card was there already. `left`: the clerk went on without it. */
export type CardsEnded = { rooms: string } | 'had' | 'left' | { why: string }

interface Turns {
  controller: Resource<Controller>
  /** Whether each adult gets a card; otherwise each room has one. */
  isForEachAdult: boolean
  /** Called when the turn of a guest begins. `isAwaited`: the card of the guest before has to be taken from the encoder. */
  begins(guest: CardGuest, isAwaited: boolean): void
  ended(guest: CardGuest, as: CardsEnded): void
  /** Resolves when the clerk says to go on, or to stop. */
  pressed(): Promise<void>
  /** Aborted when the clerk stops. A card that is being made goes on, and is found on the sheet of its guest. */
  stopped: AbortSignal
}

const mostCards = 4

/** Makes the cards of several guests, one guest after the other. A card that fails waits for the clerk, and so does the next one where the box takes none itself. */
export async function cardsInTurn(guests: readonly CardGuest[], turns: Turns): Promise<void> {
  let lies = false
  for (const guest of guests) {
    const isAwaited = lies && !takesNextCard(turns.controller)
    turns.begins(guest, isAwaited)
    if (isAwaited) await turns.pressed()
    if (turns.stopped.aborted) return
    const as = await cardsOf(guest, turns)
    const isMade = typeof as === 'object' && 'rooms' in as
    lies = isMade || (lies && as === 'had')
    turns.ended(guest, as)
  }
}

async function cardsOf({ stayId }: CardGuest, turns: Turns): Promise<CardsEnded> {
  try {
    const shown = await readStay(stayId)
    const { keys, personCount } = shown.stay.attributes
    // A first card would end the present ones.
    if (keys.live + keys.virtual > 0) return 'had'
    if (!hasRoom(shown.stay)) return { why: g.value.noRoom }
    const adults = Math.min(mostCards, Math.max(1, personCount.adults))
    void orderFirstCards(shown, turns.controller, turns.isForEachAdult ? adults : 1)
    const isInHand = await Promise.race([inHand(stayId), turns.pressed().then(() => false)])
    return isInHand ? { rooms: roomsOf(shown.stay) } : 'left'
  } catch (error) {
    return { why: refusalText(apiErrorOf(error)).text }
  }
}

/** Resolves with true when all cards of a stay are in hand, and with false when the clerk has put the failure of one away. */
function inHand(stayId: string): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const making = makings.value.get(stayId)
      if (making && (making.ending !== 'inHand' || making.order.next.length > 0)) return
      queueMicrotask(() => {
        stop()
        if (making) forgetMaking(stayId)
        resolve(making !== undefined)
      })
    })
  })
}
