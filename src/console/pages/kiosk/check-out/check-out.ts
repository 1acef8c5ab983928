import { h } from 'preact'
import { ApiError, send } from '../../lib/api.ts'
import { textsLoaded } from '../../lib/language.ts'
import type { Found, readStay } from '../box.ts'
import type { Row } from '../failures.ts'
import type { Visit } from '../visit.ts'
import { type CardSeen, type Taker, takeCard } from './card-back.ts'
import { CardBack, type CardBackOptions, CheckedOut, type Kit } from './screens.ts'

/** What the start script has. An import of it would cut that script into parts, which compress less well. */
interface Tools extends Kit {
  readStay: typeof readStay
  /** Repeats a request that may be sent again, when the box is back. */
  patiently<T>(ask: () => Promise<T>): Promise<T>
  /** Shows what is to be paid. Throws a Stop where it cannot be paid here. */
  pay(): void
  /** A sentence for the guest, and the word for the desk. */
  stop(row: Row, failure: string): Error
  /** Keeps that the check-out is under way, for a page that is loaded again. */
  remember(): Promise<unknown>
  forget(): Promise<unknown>
}

interface Options {
  visit: Visit
  found: Found
  taker: Taker | null
  tools: Tools
}

/**
 * Asks the box for the check-out, and does what it demands before: a payment, or the card. Throws a Stop where only the front desk can
 * check the guest out.
 */
export async function checkOut(options: Options): Promise<void> {
  await textsLoaded()
  await attempt({ ...options, hasKept: false }, null)
}

interface CheckOut extends Options {
  /** Whether the machine has kept a card: the guest may have one less. */
  hasKept: boolean
}

/** `card`: what became of the card; null where it was not asked for. */
async function attempt(options: CheckOut, card: CardSeen | null): Promise<void> {
  const { visit, taker, tools } = options
  const refusal = await refusalOf(options)
  if (refusal === null) {
    await tools.forget()
    return farewell(options)
  }
  if (refusal.code === 'balance-outstanding') return tools.pay()
  options.hasKept ||= card === 'kept'
  if (taker === null || card === 'shown') throw tools.stop('leaveAtDesk', 'check-out-without-card')
  if (card === null) return askForCard(options, taker)
  const again = () => void visit.step('check-out', () => askForCard(options, taker))
  visit.show({
    name: 'card-back',
    draw: () => h(CardBack, { visit, kit: tools, taker, again, seen: card, other: noCard(options) }),
  })
}

/** Returns what the box demands before the check-out; null for a guest who is checked out. */
async function refusalOf({ visit: { signal }, found, tools }: Options): Promise<ApiError | null> {
  try {
    await tools.patiently(async () => {
      const { stay } = await tools.readStay(found.stay, signal)
      found.stay = stay
      const { id, reservationId, status } = stay
      if (status === 'CheckedOut') return
      const body = { data: { type: 'stay', id, attributes: { status: 'CheckedOut' } } }
      await send('PATCH', `/api/v2/reservations/${reservationId}/stays/${id}`, { body, signal })
    })
    return null
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'balance-outstanding' || needsCard(error))) return error
    throw error
  }
}

/** Other refusals with this code say that the guest is not known here any more. */
const needsCard = ({ code, errors }: ApiError) =>
  code === 'kiosk-scope' && errors[0]?.source?.pointer?.endsWith('/status') === true

/** What a guest presses who has no card to show, or none but a copy, which proves nothing. */
function noCard({ visit, tools, hasKept }: CheckOut) {
  return {
    label: 'noCard',
    run: () =>
      void visit.step('check-out', () => {
        if (hasKept) throw tools.stop('cardKept', 'card-not-read')
        throw tools.stop('leaveAtDesk', 'check-out-without-card')
      }),
  } as const
}

/** Takes the card, and asks for the check-out again. */
async function askForCard(options: CheckOut, taker: Taker): Promise<void> {
  await options.tools.remember()
  await showTaking(options, taker, noCard(options), (seen) => attempt(options, seen))
}

/** Shows where a card is shown or handed back, once the device waits for it. It waits no longer when the guest does something else. */
async function showTaking(
  { visit, tools }: Options,
  taker: Taker,
  other: CardBackOptions['other'],
  goOn: (seen: CardSeen) => void | Promise<void>,
): Promise<void> {
  // A device that fails does not check the guest out, and the desk does.
  const failed = (error: unknown): never => {
    throw error instanceof ApiError ? tools.stop('leaveAtDesk', error.code) : error
  }
  const ending = new AbortController()
  const run = () => {
    ending.abort()
    other.run()
  }
  visit.show({ name: 'working', does: 'check-out', row: null })
  const { seen } = await takeCard(taker, visit, ending.signal, tools).catch(failed)
  visit.show({
    name: 'card-back',
    draw: () => h(CardBack, { visit, kit: tools, taker, other: { ...other, run } }),
  })
  const shown = visit.screen.peek()
  /** The guest may have done something else, or have left. */
  const then = (work: () => void | Promise<void>) => {
    if (visit.screen.peek() === shown) void visit.step('check-out', work)
  }
  seen.then(
    (card) =>
      then(() => {
        visit.show({ name: 'working', does: 'check-out', row: null })
        return goOn(card)
      }),
    (error: unknown) => then(() => failed(error)),
  )
}

/** The last page. A family has more cards to hand back. */
function farewell(options: Options): void {
  const { visit, taker, tools } = options
  const show = () => farewell(options)
  const more = taker?.isReturn
    ? () =>
        void visit.step('card-back', () =>
          showTaking(
            options,
            taker,
            { label: 'noMoreCards', run: () => void visit.step('card-back', show) },
            show,
          ),
        )
    : null
  const given = { visit, kit: tools, taker, more }
  visit.show({ name: 'checked-out', draw: (left, of) => h(CheckedOut, { ...given, left, of }) })
}
