import type {
  HousekeepingChange,
  LeaseChange,
  Refused,
  ReservationChange,
  UpstreamChange,
} from '../../../sync-contract.ts'
import type { Message } from './envelope.ts'
import type { HousekeepingChanged, LeaseChanged, ReservationChanged } from './message-data.ts'
import { type MessageKind, messages } from './messages.ts'
import { type Came, cameAs, messageIn, type Read, refuse, whatIsWrong } from './read-message.ts'

/** The changes of many messages in their order, and the invalid messages, which are quarantined. */
interface ReadChanges {
  changes: UpstreamChange[]
  refused: Refused[]
}

const atOnce = 25

/**
 * Reads each message of a page separately: an invalid one does not affect the others. Never throws for received data.
 */
export async function readChanges(values: readonly unknown[]): Promise<ReadChanges> {
  const found: ReadChanges = { changes: [], refused: [] }
  for (const [at, value] of values.entries()) {
    // A hostile message takes the longest, so other work may run between two messages.
    if (at % atOnce === 0 || found.refused.length > 0) await new Promise((resolve) => setImmediate(resolve))
    const message = await messageIn(value)
    const read = message.is === 'read' ? await readChange(message.good) : message
    if (read.is === 'read') found.changes.push(read.good)
    else found.refused.push(read.refused)
  }
  return found
}

type Reading = (data: never) => UpstreamChange | string

const readings: Record<string, Reading> = {
  'pms.reservation.changed': reservationIn,
  'pms.reservation.deleted': reservationIn,
  'pms.lease.changed': leaseIn,
  'pms.housekeeping.changed': housekeepingIn,
}

/** The change that one message reports. */
export async function readChange({ type, data }: Message, came?: Came): Promise<Read<UpstreamChange>> {
  const aside = (reason: string) =>
    refuse(reason, came ?? cameAs({ type, data }), (data as { externalId?: unknown }).externalId)
  const reading = Object.hasOwn(readings, type) ? readings[type] : undefined
  if (!reading) return aside(`type: ${type} is no change that this house knows.`)
  const { data: schema } = messages[type as keyof typeof messages] as MessageKind
  const wrong = await whatIsWrong(schema, data, 'data')
  if (wrong !== null) return aside(wrong)
  const change = reading(data as never)
  return typeof change === 'string' ? aside(change) : { is: 'read', good: change }
}

type Told = Omit<ReservationChanged, 'reservation'> & Partial<Pick<ReservationChanged, 'reservation'>>

function reservationIn({ externalId, revision, changedAt, reservation }: Told): ReservationChange | string {
  const at = momentIn(changedAt)
  if (Number.isNaN(at)) return 'data/changedAt is no moment that a clock shows.'
  if (reservation && (reservation.externalId ?? externalId) !== externalId) {
    return 'data/reservation/externalId must be that of data/externalId.'
  }
  const value = reservation ? { ...reservation, externalId } : null
  return { is: 'reservation', externalId, revision, changedAt: at, value }
}

function leaseIn({ validUntil, ...lease }: LeaseChanged): LeaseChange | string {
  const until = momentIn(validUntil) ?? Number.NaN
  if (Number.isNaN(until)) return 'data/validUntil is no moment that a clock shows.'
  if (lease.endDate < lease.startDate) return 'data/endDate is before data/startDate.'
  return { is: 'lease', ...lease, validUntil: until }
}

function housekeepingIn(data: HousekeepingChanged): HousekeepingChange {
  return { is: 'housekeeping', ...data }
}

/** A leap second is a valid timestamp, but not a valid Date: NaN. */
function momentIn(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text)
}
