import { validate } from '../../jsonapi/validate.ts'
import { Problem } from '../../resource/problem.ts'
import type { Refused, ReservationChange } from '../sync-side.ts'
import type { MewsCall, MewsClient } from './client.ts'
import type { Lookups } from './lookups.ts'
import {
  type MewsCompanionship,
  type MewsCustomer,
  type MewsReservation,
  reservationSchema,
} from './records.ts'
import { sharedForm } from './shared-form.ts'

export interface FetchOptions {
  client: MewsClient
  lookups(call: MewsCall): Promise<Lookups>
  timeZone(): string
}

const longestPayload = 65_536

/** What was answered as changes, each with its guests; what cannot be understood stands apart. */
export async function changesOf(
  records: readonly unknown[],
  { client, lookups, timeZone }: FetchOptions,
  call: MewsCall,
): Promise<{ changes: ReservationChange[]; refused: Refused[] }> {
  const refused: Refused[] = []
  const readable: MewsReservation[] = []
  for (const record of records) {
    const wrong = await whatIsWrong(record)
    if (wrong === null) readable.push(record as MewsReservation)
    else refused.push(aside(wrong, record))
  }
  if (readable.length === 0) return { changes: [], refused }
  const guests = await guestsOf(client, readable, call)
  const parts = { lookups: await lookups(call), timeZone: timeZone() }
  const changes: ReservationChange[] = []
  for (const record of readable) {
    const value = sharedForm(record, { ...parts, customers: guests(record) })
    if (typeof value === 'string') refused.push(aside(value, record))
    else changes.push({ is: 'reservation', externalId: record.Id, ...revisionOf(record), value })
  }
  return { changes, refused }
}

/** Mews has no revisions: the moment of the last change stands for one. */
export function revisionOf({ UpdatedUtc }: MewsReservation): { revision: number; changedAt: number } {
  const changedAt = Date.parse(UpdatedUtc)
  return { revision: changedAt, changedAt }
}

async function whatIsWrong(record: unknown): Promise<string | null> {
  try {
    await validate(reservationSchema, record)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

function aside(reason: string, record: unknown): Refused {
  const payload = JSON.stringify(record) ?? ''
  const id = (record as { Id?: unknown } | null)?.Id
  return {
    reason,
    payload: payload.slice(0, longestPayload),
    size: Buffer.byteLength(payload),
    externalId: typeof id === 'string' ? id.slice(0, 128) : null,
  }
}

/** Who is on each reservation: its owner, where that is a person, and those who accompany him. */
async function guestsOf(
  client: MewsClient,
  records: readonly MewsReservation[],
  call: MewsCall,
): Promise<(record: MewsReservation) => MewsCustomer[]> {
  const companionships = await client.all<MewsCompanionship>(
    'companionships/getAll',
    'Companionships',
    { ReservationIds: records.map(({ Id }) => Id), Extent: {} },
    call,
  )
  const companions = Map.groupBy(companionships, ({ ReservationId }) => ReservationId ?? '')
  const idsOf = (record: MewsReservation) => [
    ...new Set([
      ...(record.AccountType === 'Customer' ? [record.AccountId] : []),
      ...(companions.get(record.Id) ?? []).map(({ CustomerId }) => CustomerId),
    ]),
  ]
  const wanted = [...new Set(records.flatMap(idsOf))]
  const customers = await client.all<MewsCustomer>(
    'customers/getAll',
    'Customers',
    { CustomerIds: wanted, Extent: { Customers: true } },
    call,
  )
  const byId = new Map(customers.map((customer) => [customer.Id, customer]))
  return (record) =>
    idsOf(record)
      .slice(0, 50)
      .flatMap((id) => byId.get(id) ?? [])
      .filter(({ LastName }) => typeof LastName === 'string')
}
