import { localDate, localTime } from '../host/zone.ts'
import type { Transaction } from '../resource/change.ts'
import { feeAmount, feeAtCancellation } from './cancellation-fee.ts'
import type { CancellationTerms } from './cancellation-policy-terms.ts'
import type { Money } from './money.ts'
import { houseTimes, type Settings } from './resources/settings.ts'
import type { Stay } from './resources/stay.ts'
import type { Effect, StayStatus } from './status.ts'
import { stayAmount } from './stay-amount.ts'
import { plannedRange } from './stay-dates.ts'

const minute = 60_000

/** The fields that a new status sets by itself. `after` is what was asked for; a new stay has no `before`. */
export function derivedBy(
  tx: Transaction,
  effects: readonly Effect[],
  { before, after, house }: { before: Stay | null; after: Stay; house: Settings },
): Partial<Stay> {
  const sets: Partial<Record<Effect, () => Partial<Stay>>> = {
    'record-check-in': () => ({ checkedInAt: tx.now }),
    'undo-check-in': () => ({ checkedInAt: null }),
    'record-check-out': () => ({ checkedOutAt: tx.now }),
    'undo-check-out': () => ({ checkedOutAt: null }),
    'shorten-end': () => endingNow(tx.now, after, house),
    'clear-unit': () => ({ units: after.units.map(({ unitTypeId }) => ({ unitTypeId })) }),
    'snapshot-fee': () => ({ cancellationFee: before && feeOf(tx.now, before, house.timeZone) }),
    'clear-fee': () => ({ cancellationFee: null }),
  }
  return Object.assign({}, ...effects.map((effect) => sets[effect]?.() ?? {}))
}

/** Now, or a minute after the planned start for a guest who came early and left before it. */
function endingNow(
  now: number,
  { startDate, startTime, endDate, endTime }: Stay,
  house: Settings,
): Partial<Stay> {
  const dates = { startDate, startTime: startTime ?? null, endDate, endTime: endTime ?? null }
  const { startsAt } = plannedRange(dates, houseTimes(house))
  const end = Math.max(now, startsAt + minute)
  return { endDate: localDate(end, house.timeZone), endTime: localTime(end, house.timeZone) }
}

function feeOf(now: number, row: Stay, zone: string): Money | null {
  const { cancellationPolicy, amount, nights, plannedStartsAt, createdAt } = row
  if (!cancellationPolicy || !amount) return null
  const moments = { canceledAt: now, createdAt, arrivesAt: plannedStartsAt ?? now, zone }
  const fee = feeAtCancellation(cancellationPolicy as CancellationTerms, moments)
  if (!fee) return null
  const { amountWithTax, currency, perNight } = stayAmount(amount, null)
  return feeAmount(fee, {
    currency,
    amountWithTax,
    perNight: perNight.map((night) => night.amountWithTax),
    nights: nights ?? 0,
  })
}

const events: Partial<Record<StayStatus, string>> = {
  InHouse: 'stay.checked-in',
  CheckedOut: 'stay.checked-out',
  Canceled: 'stay.canceled',
  NoShow: 'stay.no-show',
}

/** Writes down that a stay has taken a status. */
export function tellStatus(tx: Transaction, before: Stay | null, { id, status, revision }: Stay): void {
  if (before?.status === status) return
  const isReverted = before?.status === 'InHouse' && status === 'Confirmed'
  const event = isReverted ? 'stay.check-in-reverted' : events[status]
  if (event) tx.journal(event, `stays/${id}`, { revision })
}
