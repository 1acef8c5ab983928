import { localInstant } from '../../../host/zone.ts'
import type { SharedStay } from '../../sync/shared-reservation.ts'
import type { Offer, ReservationChange } from '../../sync-contract.ts'
import { MewsRefusal } from './client.ts'
import type { Lookups } from './lookups.ts'
import { actions } from './statuses.ts'

interface OperationParts {
  lookups: Lookups
  timeZone: string
  /** The reason for a departure with an open balance; null where that is not allowed. */
  openBalanceNote: string | null
}

/** An operation of the Connector API, and its body without the credentials. */
interface Operation {
  operation: string
  body: Record<string, unknown>
}

/**
 * The operations that bring a reservation at Mews to the offered state, in their order. Dates and unit come before the
 * status: a check-in needs the room. Throws a Refusal for a change that Mews has no operation for.
 */
export function operationsFor(
  offer: Offer,
  { value }: ReservationChange,
  parts: OperationParts,
): Operation[] {
  const [wanted, now] = [offer.value.stays[0], value?.stays[0]]
  if (!wanted || !now) return []
  const ReservationId = offer.externalId
  const update = { ...dates(offer, wanted, now, parts), ...unit(offer, wanted, now, parts) }
  const operations: Operation[] = []
  if (Object.keys(update).length > 0) {
    const body = {
      CheckOverbooking: true,
      Reprice: false,
      ReservationUpdates: [{ ReservationId, ...update }],
    }
    operations.push({ operation: 'reservations/update', body })
  }
  const action = hasChanged(offer, 'status') ? actionBetween(now, wanted) : null
  if (action) {
    operations.push({ operation: `reservations/${action}`, body: bodyOf(action, ReservationId, parts) })
  }
  return operations
}

function dates(
  offer: Offer,
  wanted: SharedStay,
  now: SharedStay,
  { timeZone }: OperationParts,
): Record<string, unknown> {
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
      const moment = localInstant(wanted[date], wanted[time] ?? now[time] ?? '00:00', timeZone, edge)
      return [name, { Value: new Date(moment).toISOString() }]
    }),
  )
}

function unit(
  offer: Offer,
  wanted: SharedStay,
  now: SharedStay,
  { lookups }: OperationParts,
): Record<string, unknown> {
  const [name, before] = [wanted.units?.[0]?.unitName ?? null, now.units?.[0]?.unitName ?? null]
  if (!hasChanged(offer, 'units') || name === before) return {}
  const id = name === null ? null : lookups.resourceId(name)
  if (name !== null && id === null) throw new MewsRefusal(400, `Mews has no room ${name} in the service.`)
  return { AssignedResourceId: { Value: id } }
}

function actionBetween(now: SharedStay, wanted: SharedStay): string | null {
  if (!wanted.status || !now.status || wanted.status === now.status) return null
  const action = actions[`${now.status} ${wanted.status}`]
  if (action) return action
  throw new MewsRefusal(400, `Mews cannot change a reservation from ${now.status} to ${wanted.status}.`)
}

function bodyOf(
  action: string,
  ReservationId: string | null,
  { openBalanceNote }: OperationParts,
): Record<string, unknown> {
  if (action === 'cancel') return { ReservationIds: [ReservationId], Notes: 'Canceled at the hotel.' }
  if (action !== 'process') return { ReservationId }
  const isOpen = openBalanceNote !== null
  return {
    ReservationId,
    CloseBills: false,
    AllowOpenBalance: isOpen,
    ...(isOpen && { Notes: openBalanceNote }),
  }
}

/** Whether a pointer of `changed` covers this member of a stay: the member itself, a whole stay, or the whole reservation. */
function hasChanged({ changed }: Offer, member: string): boolean {
  return changed.some((pointer) => {
    const [, list, , name] = pointer.split('/')
    return pointer === '' || (list === 'stays' && (name === undefined || name === member))
  })
}
