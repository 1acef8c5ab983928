import { schemaError } from '../../../jsonapi/schemas/validate.ts'
import type { Refused, ReservationChange } from '../../sync-contract.ts'
import { type MewsCall, type MewsClient, rubbish } from './client.ts'
import type { LookupSource, Lookups } from './lookups.ts'
import {
  type MewsCompanionship,
  type MewsCustomer,
  type MewsNote,
  type MewsReservation,
  reservationSchema,
} from './records.ts'
import { sharedForm, Unconvertible } from './shared-form.ts'

export interface FetchOptions {
  client: MewsClient
  lookups: LookupSource
  timeZone(): string
}

/** A reservation as Mews has it, and as it is shared. */
export interface Present {
  record: MewsReservation
  notes: readonly MewsNote[]
  change: ReservationChange
}

const longestPayload = 65_536

/** Converts the answer, each reservation with its guests and notes; records that cannot be converted are returned separately. */
export async function converted(
  records: readonly unknown[],
  { client, lookups, timeZone }: FetchOptions,
  call: MewsCall,
): Promise<{ found: Present[]; refused: Refused[] }> {
  const refused: Refused[] = []
  const readable: MewsReservation[] = []
  for (const record of records) {
    const wrong = await schemaError(reservationSchema, record)
    if (wrong === null) readable.push(record as MewsReservation)
    else refused.push(quarantined(wrong, record))
  }
  if (readable.length === 0) return { found: [], refused }
  const guests = await guestsOf(client, readable, call)
  const notes = await notesOf(client, readable, call)
  const zone = timeZone()
  const formsBy = (known: Lookups) =>
    readable.map((record) => ({
      record,
      value: sharedForm(record, {
        lookups: known,
        timeZone: zone,
        customers: guests(record),
        notes: notes(record),
      }),
    }))
  let forms = formsBy(await lookups.cached(call))
  // A room may be newer than the cached lookups.
  if (forms.some(({ value }) => value instanceof Unconvertible && value.isPassing)) {
    forms = formsBy(await lookups.refreshed(call))
  }
  const found: Present[] = []
  for (const { record, value } of forms) {
    if (value instanceof Unconvertible) refused.push(quarantined(value.reason, record, value))
    else {
      const change = { is: 'reservation' as const, externalId: record.Id, ...revisionOf(record), value }
      found.push({ record, notes: notes(record), change })
    }
  }
  return { found, refused }
}

/** Reads the current state of reservations, a page at most; one that does not exist is left out. */
export async function readReservations(
  externalIds: readonly string[],
  options: FetchOptions,
  call: MewsCall,
): Promise<{ found: Present[]; refused: Refused[] }> {
  const filter = { ReservationIds: externalIds, Limitation: { Count: externalIds.length } }
  const operation = 'reservations/getAll/2023-06-06'
  const answer = await options.client.ask<{ Reservations?: unknown }>(operation, filter, call)
  if (!Array.isArray(answer.Reservations)) throw rubbish(operation, 'Reservations', answer)
  return converted(answer.Reservations, options, call)
}

/** Mews has no revisions: the time of the last change replaces them. */
function revisionOf({ UpdatedUtc }: MewsReservation): { revision: number; changedAt: number } {
  const changedAt = Date.parse(UpdatedUtc)
  return { revision: changedAt, changedAt }
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

/** The notes of each reservation. */
async function notesOf(
  client: MewsClient,
  records: readonly MewsReservation[],
  call: MewsCall,
): Promise<(record: MewsReservation) => MewsNote[]> {
  const notes = await client.all<MewsNote>(
    'serviceOrderNotes/getAll',
    'ServiceOrderNotes',
    { ServiceOrderIds: records.map(({ Id }) => Id) },
    call,
  )
  const readable = notes
    .map(textsOf)
    .filter(({ Text, CreatedUtc }) => Text !== undefined && CreatedUtc !== undefined)
  const byReservation = Map.groupBy(readable, ({ ServiceOrderId }) => ServiceOrderId)
  return ({ Id }) => byReservation.get(Id) ?? []
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
  const byId = new Map(customers.map((customer) => [customer.Id, textsOf(customer)]))
  return (record) =>
    idsOf(record)
      .slice(0, 50)
      .flatMap((id) => byId.get(id) ?? [])
      .filter(({ LastName }) => LastName !== undefined)
}

/** A record of Mews of which only texts are read, without what else its members may be. */
function textsOf<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => typeof value === 'string')) as T
}
