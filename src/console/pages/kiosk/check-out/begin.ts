import { type Found, readStay } from '../box.ts'
import { Stop } from '../failures.ts'
import { controller, dispenser, house, now, terminal, untilOpen } from '../house.ts'
import { late } from '../late.ts'
import { decision, page } from '../page.ts'
import { patiently } from '../patiently.ts'
import { amountDue } from '../payment.ts'
import { forget, isFresh, ofGuest, type PendingCheckOut, remember } from '../pending.ts'
import { chimeForGuest } from '../speech.ts'
import { t } from '../texts.ts'
import { leave, type Visit } from '../visit.ts'
import type { Taker } from './card-back.ts'

/**
 * Checks a guest out, who pays before and shows or hands back the card where the box demands it. Throws a Stop where only the front
 * desk can do it, and where its script cannot be loaded.
 */
export async function checkOut(visit: Visit, found: Found): Promise<void> {
  visit.doing = 'check-out'
  visit.show({ name: 'working', does: 'check-out', row: null })
  const script = await import('./check-out.ts').catch(() => null)
  if (!script) throw new Stop('leaveAtDesk', {}, 'page-error')
  await script.checkOut({
    visit,
    found,
    taker: takerHere(),
    tools: {
      page,
      decision,
      texts: t,
      patiently: (ask) => patiently(visit, ask),
      readStay,
      pay: () => askToPay(visit, found),
      stop: (row, failure) => new Stop(row, {}, failure),
      remember: () => remember({ ...ofGuest(found.stay, now()), isCheckOut: true, hasKept: visit.hasKept }),
      forget,
      slotPicture: () => late.value?.slotPicture(house.value.kiosk.cardSlot ?? 'below', true),
      leave,
      chime: chimeForGuest,
    },
  })
}

/** Goes on with the check-out that was under way before the page was loaded again, if its guest may still be here. */
export const resumeCheckOut = (visit: Visit, pending: PendingCheckOut) =>
  visit.step('check-out', async () => {
    visit.show({ name: 'working', does: 'check-out', row: null })
    await untilOpen(visit)
    if (!isFresh(pending, now())) return leave()
    const { stayId: id, reservationId } = pending
    const { stay } = await readStay({ id, reservationId }, visit.signal)
    visit.found = { stay, guest: null }
    visit.isLeaving = true
    visit.hasKept = pending.hasKept
    await checkOut(visit, visit.found)
  })

/** Where a guest of this kiosk shows or hands back a card; null where no card can be read. */
function takerHere(): Taker | null {
  const { id, dispenserId, cardFormats } = controller.value ?? {}
  if (id === undefined) return null
  if (!dispenserId) return { isReturn: false, path: `/api/v2/access/controllers/${id}/shown-card` }
  // A card that only a lock system can read proves nothing in a dispenser.
  if (!dispenser.value?.acceptReturns || !cardFormats) return null
  return { isReturn: true, path: `/api/v2/access/dispensers/${dispenserId}/status` }
}

function askToPay(visit: Visit, found: Found): void {
  const amount = amountDue(found)
  if (amount === null) throw new Stop('leaveAtDesk', {}, 'balance-outstanding')
  if (terminal.value === null) throw new Stop('toPay', { amount }, 'balance-outstanding')
  visit.show({ name: 'pay', amount, found, isCanceled: false })
}
