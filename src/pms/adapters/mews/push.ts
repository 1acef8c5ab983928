import type { Offer, OfferAnswer, ReservationChange } from '../../sync-contract.ts'
import { type MewsCall, MewsRefusal } from './client.ts'
import { type FetchOptions, readReservation } from './fetch-reservations.ts'
import type { Lookups } from './lookups.ts'
import { operationsFor } from './push-operations.ts'

interface PushOptions extends FetchOptions {
  /** The reason for a departure with an open balance; null where that is not allowed. */
  openBalanceNote: string | null
}

/** Executes the appliance's changes at Mews one after the other, as far as Mews has operations for them. */
export function pushOf(options: PushOptions) {
  return async (offers: readonly Offer[], call: MewsCall): Promise<OfferAnswer[]> => {
    const answers: OfferAnswer[] = []
    for (const offer of offers) {
      try {
        answers.push(await pushed(offer, options, call))
      } catch (error) {
        if (!(error instanceof MewsRefusal)) throw error
        answers.push(await refusedOrOutdated(offer, error, options, call))
      }
    }
    return answers
  }
}

const madeThere = 'Mews accepts no new reservations from here. Make the reservation in Mews.'

async function pushed(offer: Offer, options: PushOptions, call: MewsCall): Promise<OfferAnswer> {
  const { externalId } = offer
  if (externalId === null) return { is: 'refused', reason: madeThere }
  const before = await present(externalId, options, call)
  if (!before) return { is: 'refused', reason: `Mews has no reservation ${externalId}.` }
  if (isNewer(before, offer)) return { is: 'outdated', change: before }
  const lookups = await lookupsWith(offer, options, call)
  const operations = operationsFor(offer, before, {
    lookups,
    timeZone: options.timeZone(),
    openBalanceNote: options.openBalanceNote,
  })
  for (const { operation, body } of operations) {
    await options.client.ask(operation, body, { ...call, changes: true })
  }
  const { revision, value } = (await present(externalId, options, call)) ?? before
  return { is: 'accepted', externalId, revision, ...(value && { value }) }
}

/**
 * `outdated` with the current data when Mews refused because its data has changed (409), and they are newer than those
 * the change was based on. Otherwise `refused` with the sentence of Mews, for the front desk.
 */
async function refusedOrOutdated(
  offer: Offer,
  { status, message }: MewsRefusal,
  options: PushOptions,
  call: MewsCall,
): Promise<OfferAnswer> {
  const change = status === 409 && offer.externalId ? await present(offer.externalId, options, call) : null
  return change && isNewer(change, offer) ? { is: 'outdated', change } : { is: 'refused', reason: message }
}

function isNewer({ revision }: ReservationChange, { baseRevision }: Offer): boolean {
  return revision > (baseRevision ?? -1)
}

/** The reservation as Mews has it now; null when it does not exist. Rejects with a Refusal when it cannot be converted. */
async function present(
  externalId: string,
  options: PushOptions,
  call: MewsCall,
): Promise<ReservationChange | null> {
  const { changes, refused } = await readReservation(externalId, options, call)
  if (refused[0]) throw new MewsRefusal(400, refused[0].reason)
  return changes[0] ?? null
}

/** The lookups, refreshed when the wanted room is unknown. */
async function lookupsWith({ value }: Offer, { lookups }: PushOptions, call: MewsCall): Promise<Lookups> {
  const name = value.stays[0]?.units?.[0]?.unitName ?? null
  const known = await lookups.cached(call)
  return name === null || known.resourceId(name) !== null ? known : lookups.refreshed(call)
}
