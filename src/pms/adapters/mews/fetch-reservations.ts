import { validate } from '../../../jsonapi/validate.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Refused, ReservationChange } from '../../sync-contract.ts'
import type { MewsCall, MewsClient } from './client.ts'
import type { LookupSource, Lookups } from './lookups.ts'
import {
  type MewsCompanionship,
  type MewsCustomer,
  type MewsReservation,
  reservationSchema,
} from './records.ts'
import { sharedForm, Unconvertible } from './shared-form.ts'

export interface FetchOptions {
  client: MewsClient
  lookups: LookupSource
  timeZone(): string
}

const longestPayload = 65_536

/** Converts the answer to changes, each with its guests; records that cannot be converted are returned separately. */
export async function changesOf(
  records: readonly unknown[],
  { client, lookups, timeZone }: FetchOptions,
  call: MewsCall,
): Promise<{ changes: ReservationChange[]; refused: Refused[] }> {
  const refused: Refused[] = []
  const readable: MewsReservation[] = []
  for (const record of records) {
    const wrong = await schemaError(record)
    if (wrong === null) readable.push(record as MewsReservation)
    else refused.push(quarantined(wrong, record))
  }
  if (readable.length === 0) return { changes: [], refused }
  const guests = await guestsOf(client, readable, call)
  const zone = timeZone()
  const formsBy = (known: Lookups) =>
    readable.map((record) => ({
      record,
      value: sharedForm(record, { lookups: known, timeZone: zone, customers: guests(record) }),
    }))
  let forms = formsBy(await lookups.cached(call))
  // A room may be newer than the cached lookups.
  if (forms.some(({ value }) => value instanceof Unconvertible && value.isPassing)) {
    forms = formsBy(await lookups.refreshed(call))
  }
  const changes: ReservationChange[] = []
  for (const { record, value } of forms) {
    if (value instanceof Unconvertible) refused.push(quarantined(value.reason, record, value))
    else changes.push({ is: 'reservation', externalId: record.Id, ...revisionOf(record), value })
  }
  return { changes, refused }
}

/** Reads the current state of one reservation; nothing when it does not exist. */
export async function readReservation(
  externalId: string,
  options: FetchOptions,
  call: MewsCall,
): Promise<{ changes: ReservationChange[]; refused: Refused[] }> {
  const filter = { ReservationIds: [externalId], Limitation: { Count: 1 } }
  const { Reservations = [] } = await options.client.ask<{ Reservations?: unknown[] }>(
    'reservations/getAll/2023-06-06',
    filter,
    call,
  )
  return changesOf(Reservations, options, call)
}

/** Mews has no revisions: the time of the last change replaces them. */
function revisionOf({ UpdatedUtc }: MewsReservation): { revision: number; changedAt: number } {
  const changedAt = Date.parse(UpdatedUtc)
  return { revision: changedAt, changedAt }
}

async function schemaError(record: unknown): Promise<string | null> {
  try {
    await validate(reservationSchema, record)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

function quarantined(reason: string, record: unknown, { isPassing } = { isPassing: false }): Refused {
  const payload = JSON.stringify(record) ?? ''
  const id = (record as { Id?: unknown } | null)?.Id
  return {
    reason,
    payload: payload.slice(0, longestPayload),
    size: Buffer.byteLength(payload),
    externalId: typeof id === 'string' ? id.slice(0, 128) : null,
    isPassing,
  }
}

/** The guests of each reservation: its owner, when that is a person, and the companions. */
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
