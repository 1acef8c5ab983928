import { h } from 'preact'
import { textsLoaded } from '../../lib/language/language.ts'
import { ApiError, send } from '../../lib/server/api.ts'
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
  await options.tools.remember()
  await attempt(options, null)
}

/** `card`: what became of the card; null where it was not asked for. */
async function attempt(options: Options, card: CardSeen | null): Promise<void> {
  const { visit, taker, tools } = options
  if (await isOut(options, card)) return
  if (taker === null || card === 'shown') throw tools.stop('leaveAtDesk', noCard)
  if (card === null) return askForCard(options, taker)
  const again = () => void visit.step('check-out', () => askForCard(options, taker))
  const run = () => void visit.step('check-out', () => withoutCard(options, 'none'))
  const other = { label: 'noCard', run } as const
  visit.show({
    name: 'card-back',
    draw: () => h(CardBack, { visit, kit: tools, taker, again, seen: card, other }),
  })
}

/** What the desk reads of a guest who has shown no card. */
const noCard = 'check-out-without-card'

/** The guest has no card, or none but a copy, which proves nothing. The right one may have come at the last moment. */
async function withoutCard(options: Options, card: CardSeen): Promise<void> {
  if (await isOut(options, card)) return
  const { tools, visit } = options
  throw visit.hasKept ? tools.stop('cardKept', 'card-not-read') : tools.stop('leaveAtDesk', noCard)
}

/** Asks for the check-out. Shows the last page, or what is to be paid; resolves with false where the box demands a card. */
async function isOut(options: Options, card: CardSeen | null): Promise<boolean> {
  const { tools, visit } = options
  if (card === 'kept') {
    visit.hasKept = true
    await tools.remember()
  }
  const refusal = await refusalOf(options)
  if (refusal === null) {
    await tools.forget()
    farewell(options)
  } else if (refusal.code === 'balance-outstanding') tools.pay()
  else return false
  return true
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

/** Takes the card, and asks for the check-out again. */
async function askForCard(options: Options, taker: Taker): Promise<void> {
  const { tools } = options
  await tools.remember()
  await showTaking(options, taker, {
    label: 'noCard',
    goOn: (card) => attempt(options, card),
    otherwise: (card) => withoutCard(options, card),
    // A device that fails does not check the guest out, and the desk does.
    failed(error) {
      throw error instanceof ApiError ? tools.stop('leaveAtDesk', error.code) : error
    },
  })
}

interface Taking {
  label: CardBackOptions['other']['label']
  goOn(card: CardSeen): void | Promise<void>
  /** What follows when the guest presses the other button. */
  otherwise(card: CardSeen): void | Promise<void>
  failed(error: unknown): void
}

/** Shows where a card is shown or handed back, once the device waits for it. */
async function showTaking(
  { visit, tools }: Options,
  taker: Taker,
  { label, goOn, otherwise, failed }: Taking,
): Promise<void> {
  const working = () => {
    visit.show({ name: 'working', does: 'card-back', row: null })
    return visit.screen.peek()
  }
  let shown = working()
  /** The guest may have done something else, or have left. */
  const isShown = () => visit.screen.peek() === shown
  const taking = () => {
    if (isShown()) shown = working()
  }
  const step = (work: () => void | Promise<void>) => void visit.step('check-out', work)
  let waiting: Awaited<ReturnType<typeof takeCard>>
  try {
    waiting = await takeCard(taker, visit, { patiently: tools.patiently, taking })
  } catch (error) {
    return failed(error)
  }
  const run = () =>
    step(async () => {
      shown = working()
      const card = await waiting.stop().catch(() => 'none' as const)
      await otherwise(card)
    })
  const other = { label, run }
  visit.show({ name: 'card-back', draw: () => h(CardBack, { visit, kit: tools, taker, other }) })
  shown = visit.screen.peek()
  waiting.seen.then(
    (card) => {
      if (!isShown()) return
      step(() => {
        shown = working()
        return goOn(card)
      })
    },
    (error: unknown) => {
      if (isShown()) step(() => failed(error))
    },
  )
}

/** The last page. A family has more cards to hand back, while the machine takes them. */
function farewell(options: Options, takesMore = true): void {
  const { visit, taker, tools } = options
  const goOn = () => farewell(options)
  const failed = () => farewell(options, false)
  const more =
    taker?.isReturn && takesMore
      ? () =>
          void visit.step('card-back', () =>
            showTaking(options, taker, { label: 'noMoreCards', goOn, otherwise: goOn, failed }),
          )
      : null
  const given = { visit, kit: tools, taker, more }
  visit.show({
    name: 'checked-out',
    draw: (left, of, receipt) => h(CheckedOut, { ...given, left, of, receipt }),
  })
}
