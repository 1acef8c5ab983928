import { localDate, localRange } from '../../../host/zone.ts'
import type { StayStatus } from '../../../reservation/stays/rules/status-rules.ts'
import type { SharedStay } from '../../sync/shared-reservation.ts'
import { type MewsCall, type MewsClient, MewsRefusal } from './client.ts'
import type { Lookups } from './lookups.ts'
import type { MewsResource } from './records.ts'
import { type Action, actionsBetween } from './statuses.ts'

export interface StatusParts {
  client: MewsClient
  lookups: Lookups
  timeZone: string
  /** The time of Mews, Unix milliseconds. */
  now: number
  /** The reason for a departure with an open balance; null where that is not allowed. */
  openBalanceNote: string | null
  /** Whether a room is set to Inspected in Mews when a guest is checked in to it here, whatever it is here. */
  inspectsAtCheckIn: boolean
  /** Whether a unit is inspected here. */
  isInspected(unitName: string): boolean
  /** The rooms of Mews with their states now. */
  rooms(): Promise<readonly MewsResource[]>
}

interface StatusChange {
  /** The reservation at Mews. */
  id: string
  from: StayStatus
  wanted: SharedStay & { status: StayStatus }
}

const minuteMs = 60_000

/** Brings a reservation to another status. False when it has it already. Rejects with the Refusal of Mews, or for one that it cannot express. */
export async function changeStatus(
  change: StatusChange,
  parts: StatusParts,
  call: MewsCall,
): Promise<boolean> {
  const { id, from, wanted } = change
  const actions = actionsBetween(from, wanted.status)
  if (actions === null) {
    const way = `from ${from} to ${wanted.status}`
    throw new MewsRefusal(403, `Mews cannot change a reservation ${way} from here. Change it in Mews.`)
  }
  for (const action of actions) {
    if (action === 'start') await start(change, parts, call)
    else if (action === 'process') await process(change, parts, call)
    else if (action === 'cancel') await cancel(id, parts, call)
    else await ask('confirm', { ReservationIds: [id], SendConfirmationEmail: false }, parts, call)
  }
  return actions.length > 0
}

/** Cancels a reservation, without a fee and without an e-mail to the guest. */
export async function cancel(id: string, parts: Pick<StatusParts, 'client'>, call: MewsCall): Promise<void> {
  const Notes = 'Canceled at the hotel.'
  await ask(
    'cancel',
    { ReservationIds: [id], PostCancellationFee: false, SendEmail: false, Notes },
    parts,
    call,
  )
}

/** Mews starts no reservation before its time: that of a guest who comes early on the day becomes now. */
async function start({ id, wanted }: StatusChange, parts: StatusParts, call: MewsCall): Promise<void> {
  const { timeZone, now } = parts
  const restore = await inspect(wanted, parts, call)
  const { startsAt: planned } = plannedOf(wanted, timeZone)
  const isEarly = planned > now && wanted.startDate === localDate(now, timeZone)
  const moment = Math.floor(now / minuteMs) * minuteMs
  const act = () => ask('start', { ReservationId: id }, parts, call)
  if (isEarly) await withTime({ id, member: 'StartUtc', planned, moment }, act, parts, call)
  else await act()
  await restore?.()
}

/** Mews processes no reservation before its last day: that of a guest who leaves early becomes today. */
async function process({ id, wanted }: StatusChange, parts: StatusParts, call: MewsCall): Promise<void> {
  const { timeZone, now, openBalanceNote } = parts
  const isOpen = openBalanceNote !== null
  const balance = { CloseBills: false, AllowOpenBalance: isOpen, ...(isOpen && { Notes: openBalanceNote }) }
  const act = () => ask('process', { ReservationId: id, ...balance }, parts, call)
  if (wanted.endDate <= localDate(now, timeZone)) return act()
  const { endsAt: planned } = plannedOf(wanted, timeZone)
  const moment = Math.floor(now / minuteMs + 1) * minuteMs
  await withTime({ id, member: 'EndUtc', planned, moment }, act, parts, call)
}

function plannedOf({ startDate, startTime, endDate, endTime }: SharedStay, timeZone: string) {
  const start = { date: startDate, time: startTime ?? '00:00' }
  return localRange(start, { date: endDate, time: endTime ?? '00:00' }, timeZone)
}

interface MovedTime {
  id: string
  member: 'StartUtc' | 'EndUtc'
  planned: number
  moment: number
}

/** Moves a time of the reservation for an operation. When that is refused, it has its planned time again. */
async function withTime(
  { id, member, planned, moment }: MovedTime,
  act: () => Promise<void>,
  { client }: StatusParts,
  call: MewsCall,
): Promise<void> {
  const moveTo = (ms: number) => {
    const update = { ReservationId: id, [member]: { Value: new Date(ms).toISOString() } }
    const body = { CheckOverbooking: true, Reprice: false, ReservationUpdates: [update] }
    return client.ask('reservations/update', body, { ...call, changes: true })
  }
  await moveTo(moment)
  try {
    await act()
  } catch (error) {
    if (error instanceof MewsRefusal) await moveTo(planned)
    throw error
  }
}

/**
 * Mews checks guests only into inspected rooms. A room that was inspected here is set so there before, and for a moment the
 * room of a guest who has left since. Resolves with what sets that room back.
 */
async function inspect(
  { status, units }: SharedStay,
  { client, lookups, isInspected, inspectsAtCheckIn, rooms }: StatusParts,
  call: MewsCall,
): Promise<(() => Promise<unknown>) | null> {
  const unitName = units?.[0]?.unitName
  const id = unitName ? lookups.resourceId(unitName) : null
  const hasLeft = status === 'CheckedOut'
  if (!unitName || id === null || !(hasLeft || inspectsAtCheckIn || isInspected(unitName))) return null
  const { State } = (await rooms()).find(({ Id }) => Id === id) ?? {}
  if (!State || State === 'Inspected') return null
  const setTo = (Value: string) => {
    const ResourceUpdates = [{ ResourceId: id, State: { Value } }]
    return client.ask('resources/update', { ResourceUpdates }, { ...call, changes: true })
  }
  await setTo('Inspected')
  return hasLeft ? () => setTo(State) : null
}

async function ask(
  action: Action,
  body: Record<string, unknown>,
  { client }: Pick<StatusParts, 'client'>,
  call: MewsCall,
): Promise<void> {
  await client.ask(`reservations/${action}`, body, { ...call, changes: true })
}
