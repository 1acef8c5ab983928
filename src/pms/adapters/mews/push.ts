import { localInstant } from '../../../host/zone.ts'
import type { SharedStay } from '../../sync/shared-reservation.ts'
import type { Offer, OfferAnswer, ReservationChange } from '../../sync-contract.ts'
import { type MewsCall, Refusal } from './client.ts'
import { type FetchOptions, readReservation } from './fetch-reservations.ts'
import type { Lookups } from './lookups.ts'
import { actions } from './statuses.ts'

interface PushOptions extends FetchOptions {
  /** The reason for a departure with an open balance; null where that is not allowed. */
  openBalanceNote: string | null
}

interface Step {
  operation: string
  body: Record<string, unknown>
}

/** Executes the appliance's changes at Mews, as far as Mews has operations for them. */
export function pushOf(options: PushOptions) {
  const { client, lookups, timeZone } = options

  async function present(externalId: string, call: MewsCall): Promise<ReservationChange | null> {
    const { changes, refused } = await readReservation(externalId, options, call)
    if (refused[0]) throw new Refusal(400, refused[0].reason)
    return changes[0] ?? null
  }

  async function carriedOut(offer: Offer, call: MewsCall): Promise<OfferAnswer> {
    const { externalId, baseRevision } = offer
    if (externalId === null) return { is: 'refused', reason: madeThere }
    const before = await present(externalId, call)
    if (!before) return { is: 'refused', reason: `Mews knows no reservation ${externalId}.` }
    if (before.revision > (baseRevision ?? -1)) return { is: 'outdated', change: before }
    const steps = stepsOf(offer, before, await lookupsWith(offer, call))
    for (const { operation, body } of steps) await client.ask(operation, body, { ...call, changes: true })
    const after = (await present(externalId, call)) ?? before
    return {
      is: 'accepted',
      externalId,
      revision: after.revision,
      ...(after.value && { value: after.value }),
    }
  }

  /** The lookups, refreshed when the wanted room is unknown. */
  async function lookupsWith({ value }: Offer, call: MewsCall): Promise<Lookups> {
    const name = value.stays[0]?.units?.[0]?.unitName ?? null
    const known = await lookups.now(call)
    return name === null || known.resourceId(name) !== null ? known : lookups.anew(call)
  }

  /** Dates and unit come before the status: a check-in needs the room. */
  function stepsOf(offer: Offer, { value }: ReservationChange, known: Lookups): Step[] {
    const [wanted, now] = [offer.value.stays[0], value?.stays[0]]
    if (!wanted || !now) return []
    const ReservationId = offer.externalId
    const update = { ...dates(offer, wanted, now), ...unit(offer, wanted, now, known) }
    const steps: Step[] = []
    if (Object.keys(update).length > 0) {
      const body = {
        CheckOverbooking: true,
        Reprice: false,
        ReservationUpdates: [{ ReservationId, ...update }],
      }
      steps.push({ operation: 'reservations/update', body })
    }
    const action = hasChanged(offer, 'status') ? statusStep(wanted, now) : null
    if (action) steps.push({ operation: `reservations/${action}`, body: bodyOf(action, ReservationId) })
    return steps
  }

  function bodyOf(action: string, ReservationId: string | null): Record<string, unknown> {
    const { openBalanceNote } = options
    const body = { ReservationId }
    if (action === 'cancel') return { ReservationIds: [ReservationId], Notes: 'Canceled at the hotel.' }
    if (action !== 'process') return body
    const isOpen = openBalanceNote !== null
    return { ...body, CloseBills: false, AllowOpenBalance: isOpen, ...(isOpen && { Notes: openBalanceNote }) }
  }

  function dates(offer: Offer, wanted: SharedStay, now: SharedStay): Record<string, unknown> {
    const zone = timeZone()
    const edges = [
      ['StartUtc', 'start', 'startDate', 'startTime'],
      ['EndUtc', 'end', 'endDate', 'endTime'],
    ] as const
    const moved = edges.filter(
      ([, , date, time]) =>
        (hasChanged(offer, date) && wanted[date] !== now[date]) ||
        (hasChanged(offer, time) && wanted[time] && wanted[time] !== now[time]),
    )
    return Object.fromEntries(
      moved.map(([name, edge, date, time]) => {
        const moment = localInstant(wanted[date], wanted[time] ?? now[time] ?? '00:00', zone, edge)
        return [name, { Value: new Date(moment).toISOString() }]
      }),
    )
  }

  function unit(offer: Offer, wanted: SharedStay, now: SharedStay, known: Lookups): Record<string, unknown> {
    const [name, before] = [wanted.units?.[0]?.unitName ?? null, now.units?.[0]?.unitName ?? null]
    if (!hasChanged(offer, 'units') || name === before) return {}
    const id = name === null ? null : known.resourceId(name)
    if (name !== null && id === null) throw new Refusal(400, `Mews has no room ${name} in the service.`)
    return { AssignedResourceId: { Value: id } }
  }

  return async (offers: readonly Offer[], call: MewsCall): Promise<OfferAnswer[]> => {
    const answers: OfferAnswer[] = []
    for (const offer of offers) {
      try {
        answers.push(await carriedOut(offer, call))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        answers.push(await refusedOrOutdated(offer, error, call))
      }
    }
    return answers
  }

  /** When the data at Mews has changed, the answer is the new data; a rule of Mews is reported to the front desk. */
  async function refusedOrOutdated(offer: Offer, refusal: Refusal, call: MewsCall): Promise<OfferAnswer> {
    const change = refusal.status === 409 && offer.externalId ? await present(offer.externalId, call) : null
    if (change && change.revision > (offer.baseRevision ?? -1)) return { is: 'outdated', change }
    return { is: 'refused', reason: refusal.message }
  }
}

const madeThere = 'Reservations are made in Mews; it takes none from here.'

function statusStep(wanted: SharedStay, now: SharedStay): string | null {
  if (!wanted.status || !now.status || wanted.status === now.status) return null
  const action = actions[`${now.status} ${wanted.status}`]
  if (action) return action
  throw new Refusal(400, `Mews takes no reservation that is ${now.status} to ${wanted.status}.`)
}

/** Whether the appliance has changed this member of the stay, or the stay as a whole. */
function hasChanged({ changed }: Offer, member: string): boolean {
  return changed.some((pointer) => {
    const [, list, , name] = pointer.split('/')
    return pointer === '' || (list === 'stays' && (name === undefined || name === member))
  })
}
