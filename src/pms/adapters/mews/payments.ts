import { toDecimal } from '../../../resource/values/currency.ts'
import type { SharedPayment } from '../../sync/shared-reservation.ts'
import type { Fact } from '../../sync-contract.ts'
import type { MewsCall, MewsClient } from './client.ts'
import type { MewsPayment, MewsReservation } from './records.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const longestAgoMs = 85 * dayMs

/** The types of external payments that the operation accepts; every other brand is of a card. */
const types: Readonly<Record<string, string>> = {
  Cash: 'Cash',
  BankTransfer: 'WireTransfer',
  Invoice: 'Invoice',
}

/**
 * The ids of the payments, of those to be recorded, that Mews has. One of this id may have been recorded without an answer.
 * The clock of the appliance, by which they were recorded here, may be ahead of that of Mews.
 */
export async function recordedPayments(
  facts: readonly Fact[],
  { client, now }: { client: MewsClient; now: number },
  call: MewsCall,
): Promise<Set<string>> {
  const times = facts.flatMap((fact) => ('payment' in fact ? [Date.parse(fact.payment.recordedAt)] : []))
  if (times.length === 0) return new Set()
  const start = Math.max(now - longestAgoMs, Math.min(now, ...times) - dayMs)
  const interval = { StartUtc: new Date(start), EndUtc: new Date(now + 5 * minuteMs) }
  const found = await client.all<MewsPayment>(
    'payments/getAll',
    'Payments',
    { CreatedUtc: interval, Type: 'ExternalPayment' },
    call,
  )
  return new Set(found.flatMap(({ Data }) => Data?.External?.ExternalIdentifier ?? []))
}

/** Records a payment that was taken here. */
export async function recordPayment(
  client: MewsClient,
  { id, currency, amount, brand }: SharedPayment,
  { Id, AccountId }: MewsReservation,
  call: MewsCall,
): Promise<void> {
  const body = {
    AccountId,
    ReservationId: Id,
    Amount: { Currency: currency, GrossValue: Number(toDecimal(amount, currency)) },
    Type: types[brand] ?? 'CreditCard',
    ExternalIdentifier: id,
    Notes: brand,
  }
  await client.ask('payments/addExternal', body, { ...call, changes: true })
}
