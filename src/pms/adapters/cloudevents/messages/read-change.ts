import type {
  HousekeepingChange,
  LeaseChange,
  PmsChange,
  Refused,
  ReservationChange,
} from '../../../sync-contract.ts'
import type { Message } from './envelope.ts'
import type { HousekeepingChanged, LeaseChanged, ReservationChanged } from './message-data.ts'
import { type MessageKind, messages } from './messages.ts'
import { messageIn, type Read, type Received, receivedValue, refuse, schemaErrors } from './read-message.ts'

/** The changes of many messages in their order, and the invalid messages, which are quarantined. */
interface ReadChanges {
  changes: PmsChange[]
  refused: Refused[]
}

const batchSize = 25

/**
 * Reads each message of a page separately: an invalid one does not affect the others. Never throws for received data.
 */
export async function readChanges(values: readonly unknown[]): Promise<ReadChanges> {
  const found: ReadChanges = { changes: [], refused: [] }
  for (const [at, value] of values.entries()) {
    // Other work runs between batches, and after each message since the first invalid one: those take the longest.
    if (at % batchSize === 0 || found.refused.length > 0)
      await new Promise((resolve) => setImmediate(resolve))
    const message = await messageIn(value)
    const read = message.is === 'read' ? await readChange(message.value) : message
    if (read.is === 'read') found.changes.push(read.value)
    else found.refused.push(read.refused)
  }
  return found
}

type ChangeReader = (data: never) => PmsChange | string

const changeReaders: Record<string, ChangeReader> = {
  'pms.reservation.changed': reservationIn,
  'pms.reservation.deleted': reservationIn,
  'pms.lease.changed': leaseIn,
  'pms.housekeeping.changed': housekeepingIn,
}

/** The change that one message reports. */
export async function readChange(
  { type, data }: Message,
  came: () => Received = () => receivedValue({ type, data }),
): Promise<Read<PmsChange>> {
  const refused = (reason: string) => refuse(reason, came(), (data as { externalId?: unknown }).externalId)
  const reader = Object.hasOwn(changeReaders, type) ? changeReaders[type] : undefined
  if (!reader) return refused(`type: ${type} is not a known change.`)
  const { data: schema } = messages[type as keyof typeof messages] as MessageKind
  const wrong = await schemaErrors(schema, data, 'data')
  if (wrong !== null) return refused(wrong)
  const change = reader(data as never)
  return typeof change === 'string' ? refused(change) : { is: 'read', value: change }
}

type ReservationMessage = Omit<ReservationChanged, 'reservation'> &
  Partial<Pick<ReservationChanged, 'reservation'>>

function reservationIn({
  externalId,
  revision,
  changedAt,
  reservation,
}: ReservationMessage): ReservationChange | string {
  const at = momentIn(changedAt)
  if (Number.isNaN(at)) return 'data/changedAt is not a valid time.'
  if (reservation && (reservation.externalId ?? externalId) !== externalId) {
    return 'data/reservation/externalId must be that of data/externalId.'
  }
  const value = reservation ? { ...reservation, externalId } : null
  return { is: 'reservation', externalId, revision, changedAt: at, value }
}

function leaseIn({ validUntil, ...lease }: LeaseChanged): LeaseChange | string {
  const until = momentIn(validUntil) ?? Number.NaN
  if (Number.isNaN(until)) return 'data/validUntil is not a valid time.'
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
