import { payment } from '../../reservation/resources/payment.ts'
import { reservation } from '../../reservation/resources/reservation.ts'
import { stay } from '../../reservation/resources/stay.ts'
import { isLive } from '../../reservation/stays/status-rules.ts'
import { command, type Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Resource, Row } from '../../resource/resource.ts'
import { syncLink } from '../resources/sync-link.ts'
import { syncRecord } from '../resources/sync-record.ts'
import { sharingPms } from '../sharing-pms.ts'
import { linkIn } from './link.ts'
import { keepPending, markForOffer } from './outbox.ts'
import type { SyncChanges } from './sync-changes.ts'
import type { Touched } from './touched.ts'

/** Stays of one guest, or in one unit, that are looked at. */
const mostStays = 1_000
/** For so long after it is over, the name on a stay's bill may still be put right. */
const recentMs = 30 * 86_400_000

interface TouchedInput {
  configurationId: string
  after: number
  upTo: number
  touched: Omit<Touched, 'isSetUp'>
  /** Whether the PMS is told what is done here. */
  isTold: boolean
}

/**
 * Puts what has happened up to a line of the journal into the outbox, gives those who waited the units that this has freed,
 * and keeps that line as the place, all or nothing. Does nothing when another round has been there already. Answers how many
 * reservations were marked.
 */
export const markTouched = ({ serve }: Pick<SyncChanges, 'serve'>) =>
  command('mark-touched', (tx, input: TouchedInput): number => {
    const { configurationId, after, upTo, touched, isTold } = input
    const link = linkIn(tx, configurationId)
    if (!link || link.tailedTo !== after) return 0
    const concerned = isTold
      ? reservationsOf(tx, touched).filter((id) => isShared(tx, id, configurationId))
      : []
    for (const reservationId of concerned) {
      markForOffer(tx, { configurationId, reservationId }, { isAnew: true })
      keepPending(tx, { configurationId, reservationId }, true)
    }
    // Only what others have done: who is served is told of as well, and would be served for ever.
    if (touched.reservations.length > 0 || touched.stays.length > 0) serve(tx, configurationId)
    tx.patch(syncLink, link.id, { tailedTo: upTo })
    return concerned.length
  })

function reservationsOf(tx: Transaction, touched: Omit<Touched, 'isSetUp'>): string[] {
  const { reservations, stays, profiles, payments, units } = touched
  const ids = [
    ...reservations,
    ...stays.flatMap((id) => found(tx, stay, id)?.reservationId ?? []),
    ...payments.flatMap((id) => found(tx, payment, id)?.reservationId ?? []),
    ...profiles.flatMap((id) => reservationsWith(tx, 'profiles.id', id)),
    ...units.flatMap((id) => reservationsWith(tx, 'units.unitId', id)),
  ]
  return [...new Set(ids)]
}

/** What has long been over is not told anew because a guest has another phone number now. */
function reservationsWith(tx: Transaction, path: string, value: string): string[] {
  const recently = new Date(tx.now - recentMs).toISOString().slice(0, 10)
  const stays = tx.select(stay, [{ path, operator: 'eq', value }], [], mostStays)
  return stays
    .filter(({ status, endDate }) => isLive(status) || endDate >= recently)
    .map(({ reservationId }) => reservationId)
}

/** One that is gone is known by what the PMS was told of it. */
function isShared(tx: Transaction, reservationId: string, configurationId: string): boolean {
  const row = found(tx, reservation, reservationId)
  if (row) return sharingPms(tx, row.integrationId)?.configurationId === configurationId
  const filter = { path: 'reservationId', operator: 'eq', value: reservationId } as const
  const [known] = tx.select(syncRecord, [filter], [], 1)
  return known?.integrationId === configurationId && Boolean(known.externalId)
}

function found<R extends Resource>(tx: Transaction, resource: R, id: string): Row<R['fields']> | null {
  try {
    return tx.find(resource, id) as Row<R['fields']>
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') return null
    throw error
  }
}
