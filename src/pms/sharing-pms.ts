import type { Transaction } from '../resource/command.ts'
import { uuidBytes, uuidText } from '../resource/uuid-sql.ts'

/** The PMS with which a reservation is synchronised. */
interface SharingPms {
  configurationId: string
  name: string
  /** It lends units: while it is offline, its reservations receive only these. */
  lends: boolean
  /** Whether it answered the last request. */
  isConnected: boolean
}

/** Runs a query for one text: a transaction or the reader. */
type TextQuery = Pick<Transaction, 'text'>

const linked = 'FROM sync_link AS link JOIN pms_configuration AS pms ON pms.rid = link.configurationId'
const pmsQuery = `SELECT json_object('configurationId', ${uuidText('pms.id')}, 'name', pms.name,
  'lends', json(iif(link.lends IS 1, 'true', 'false')),
  'isConnected', json(iif(link.isConnected IS 1, 'true', 'false'))) ${linked}
  WHERE pms.enabled IS NOT 0`
const takesOffers = `coalesce(pms.direction, 'Both') IN ('Both', 'ToPms')`

/** The only PMS of this condition that accepts reservations made here. */
const only = (
  condition: string,
) => `SELECT ${uuidText('pms.id')} ${linked} WHERE ${takesOffers} AND ${condition}
  AND (SELECT count(*) ${linked} WHERE ${takesOffers} AND ${condition}) = 1`
const receivingQuery = `SELECT ${uuidText('pms.id')} ${linked} WHERE ${takesOffers}`

/**
 * The id of the PMS that receives what is changed here of a reservation, also while it is switched off: the one that it names,
 * otherwise the only one that accepts reservations made here. Null for none.
 */
export function receivingPms(asking: TextQuery, integrationId: string | null | undefined): string | null {
  if (integrationId) return asking.text(`${receivingQuery} AND pms.id = ${uuidBytes()}`, integrationId)
  return asking.text(`SELECT coalesce((${only('pms.enabled IS NOT 0')}), (${only('true')}))`)
}

/**
 * The PMS of a reservation: the one that it names, otherwise the only one that accepts reservations made here. Null for
 * a reservation of the appliance alone, and for a PMS that is switched off or not synchronised.
 */
export function sharingPms(asking: TextQuery, integrationId: string | null | undefined): SharingPms | null {
  const found = integrationId
    ? asking.text(`${pmsQuery} AND pms.id = ${uuidBytes()}`, integrationId)
    : asking.text(
        `${pmsQuery} AND ${takesOffers}
         AND (SELECT count(*) ${linked} WHERE pms.enabled IS NOT 0 AND ${takesOffers}) = 1`,
      )
  return found === null ? null : (JSON.parse(found) as SharingPms)
}
