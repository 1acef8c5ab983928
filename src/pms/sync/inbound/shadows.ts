import { reservation } from '../../../reservation/resources/reservation.ts'
import { stay } from '../../../reservation/resources/stay.ts'
import type { Transaction } from '../../../resource/command.ts'
import { ridOf, uuidBytes } from '../../../resource/uuid-sql.ts'
import type { SharedReservation } from '../shared-reservation.ts'

/** What the PMS is known to have of a reservation. */
export interface Shadow {
  rid: number
  reservationId: string
  externalId: string
  /** The revision of the PMS; null before it has reported one. */
  revision: number | null
  digest: string | null
  /** What the PMS has; null when it has none. It is parsed at the first call. */
  base(): SharedReservation | null
  /** The reservation is here, it has no intents, and nothing of it waits to be sent. */
  agrees: 0 | 1
}

/** A report that the shadow has become. */
interface Advance {
  revision: number
  digest: string
  /** The document after the report; null when it is as before. */
  next: SharedReservation | null
}

/** An advance as it is written; without a document when it is as before. */
interface Move extends Omit<Advance, 'next'> {
  rid: number
  document?: SharedReservation
}

type ShadowRow = Omit<Shadow, 'base'> & { document: string | null }

const shadowSql = `SELECT record.rid, record.reservationId, record.externalId, upstreamRevision AS revision, digest,
    base AS document, reservation.rid IS NOT NULL AND pending IS NOT 1 AND NOT EXISTS (
      SELECT 1 FROM sync_intent WHERE sync_intent.reservationId = record.reservationId) AND NOT EXISTS (
      SELECT 1 FROM sync_offer WHERE configurationId = ${ridOf('pms_configuration')}
        AND sync_offer.reservationId = record.reservationId) AS agrees
  FROM json_each(?) AS name CROSS JOIN sync_record AS record ON record.integrationId = +? AND record.externalId = name.value
    LEFT JOIN reservation ON reservation.id = ${uuidBytes('record.reservationId')}`

const namedSql = `SELECT DISTINCT reservation.externalId FROM json_each(?) AS name JOIN reservation ON reservation.externalId = name.value`

const advanceSql = `UPDATE sync_record SET upstreamRevision = move.value ->> 'revision', digest = move.value ->> 'digest',
    base = coalesce(move.value -> '$.document', base), lastSyncedAt = ?, updatedAt = ?
  FROM json_each(?) AS move WHERE sync_record.rid = move.value ->> 'rid'`

/** A report by its name and the digest of its value. */
interface Named {
  externalId: string
  digest: string
}

/**
 * The shadows of a page of reports: read with one statement, and those that have become their report written with one statement
 * by `flush`. A shadow that was changed otherwise is read again after `forget`.
 */
export function shadowsOf(tx: Transaction, configurationId: string, reports: readonly Named[]) {
  const externalIds = reports.map(({ externalId }) => externalId)
  const known = new Map(read(externalIds).map((each) => [each.externalId, each] as const))
  const advanced = new Map<string, Move>()
  const unread = new Set<string>()
  const fresh = externalIds.filter((externalId) => !known.has(externalId))
  const named = new Set(fresh.length === 0 ? [] : namesOfReservations(tx, fresh))
  const found = reports.flatMap(({ externalId, digest }) => {
    const shadow = known.get(externalId)
    return shadow?.agrees ? [{ shadow, isSame: shadow.digest === digest }] : []
  })
  tx.locate(
    reservation,
    found.map(({ shadow }) => shadow.reservationId),
  )
  tx.locate(
    stay,
    found.flatMap(({ shadow, isSame }) => (isSame ? [] : stayIdsIn(shadow))),
  )

  function read(names: readonly string[]): Shadow[] {
    return tx.all<ShadowRow>(shadowSql, configurationId, JSON.stringify(names), configurationId).map(parsed)
  }

  function flush(): void {
    if (advanced.size === 0) return
    tx.run(advanceSql, tx.now, tx.now, JSON.stringify([...advanced.values()]))
    advanced.clear()
  }

  return {
    find(externalId: string): Shadow | null {
      if (!unread.has(externalId)) return known.get(externalId) ?? null
      return read([externalId])[0] ?? null
    },
    /** Whether there is no reservation with this external id, so that a report of it is of a new one. */
    isNew: (externalId: string) =>
      !unread.has(externalId) && !known.has(externalId) && !named.has(externalId),
    /** The PMS is known to have this report, and both sides agree on it. */
    advance(shadow: Shadow, { revision, digest, next }: Advance): void {
      const { rid, externalId } = shadow
      const document = next ?? advanced.get(externalId)?.document
      advanced.set(externalId, { rid, revision, digest, ...(document && { document }) })
      known.set(externalId, { ...shadow, revision, digest, ...(document && { base: () => document }) })
    },
    /** The shadow of a reservation is written otherwise, after what `advance` has kept of it. */
    forget(externalId: string): void {
      if (advanced.has(externalId)) flush()
      unread.add(externalId)
    },
    flush,
  }
}

function parsed({ document, ...row }: ShadowRow): Shadow {
  let base: SharedReservation | null = null
  return { ...row, base: () => (base ??= document === null ? null : JSON.parse(document)) }
}

function stayIdsIn({ base }: Shadow): string[] {
  return base()?.stays.flatMap(({ localId }) => localId ?? []) ?? []
}

export type Shadows = ReturnType<typeof shadowsOf>

function namesOfReservations(tx: Transaction, externalIds: readonly string[]): string[] {
  return tx
    .all<{ externalId: string }>(namedSql, JSON.stringify(externalIds))
    .map(({ externalId }) => externalId)
}
