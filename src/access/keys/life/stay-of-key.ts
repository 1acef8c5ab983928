import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { staysNamed } from '../../../reservation/stays/find-stays.ts'
import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import type { Questions, Transaction } from '../../../resource/command.ts'
import type { Reader } from '../../../resource/keeper.ts'
import { Problem } from '../../../resource/problem.ts'
import { ridOf, uuidText } from '../../../resource/uuid-sql.ts'
import type { KeyRequest } from '../../resources/key-request.ts'

/** Whether the stay is over, so that it may have no key; false without a stay. */
export function isOver(tx: Transaction, stayId: string | null | undefined): boolean {
  return !!stayId && !isLive(tx.find(stay, stayId).status)
}

/** The Problem for a key whose stay has ended. */
export function stayOver(): Problem {
  return new Problem('stay-status-transition', 'The stay has ended or changed while the key was made.', {
    pointer: '/externalId',
  })
}

/** How a key names its stay. */
export interface KeyName {
  /** The externalId of the stay, or its id. */
  name: string
  /** The unit of the key; null where it has none yet. */
  unitName: string | null
  /** The dates of the key, YYYY-MM-DD; without them the name alone decides. */
  dates?: Pick<KeyRequest, 'startDate' | 'endDate'> | undefined
  /** A PMS has ordered the key over its own line, by a number that another PMS may have given, too. */
  isOfPms?: boolean
}

const hasUnit = `SELECT count(*) FROM stay_unit JOIN unit ON unit.rid = stay_unit.unitId
  WHERE stay_unit.owner = ${ridOf('stay')} AND unit.name = ?`
const hasUnits = `SELECT count(*) FROM stay_unit WHERE owner = ${ridOf('stay')} AND unitId IS NOT NULL`

/**
 * The ids of the stays that a key may be for: those of its name that have its unit, or else all of its name. Several are for a
 * person to decide. Of a number of a PMS, a stay that has other units is another one.
 */
export function staysMeant(db: Questions, { name, unitName, isOfPms = false }: KeyName): string[] {
  const found = staysNamed(db, name)
  const there = unitName === null ? [] : found.filter((id) => db.count(hasUnit, id, unitName) > 0)
  if (there.length > 0 || unitName === null || !isOfPms) return there.length > 0 ? there : found
  return found.filter((id) => db.count(hasUnits, id) === 0)
}

/**
 * The stay to which a key of this name and unit was linked last: a stay that got another name since keeps its keys. A portal gives
 * a number again, so a key for other dates is one of another stay.
 */
const linkedLast = `SELECT ${uuidText('stay.id')} FROM key JOIN stay ON stay.rid = key.stayId
  WHERE key.externalId = ? AND coalesce(? = key.unitName, 1) AND coalesce(? <= stay.endDate, 1) AND coalesce(? >= stay.startDate, 1)
  ORDER BY key.rid DESC LIMIT 1`

/**
 * The id of the stay that a key names; null while none is known. Throws external-id-conflict when it may be for several: the
 * caller names one by its id.
 */
export function stayIdOf(db: Questions, named: KeyName | null): string | null {
  if (!named) return null
  const [meant, ...others] = staysMeant(db, named)
  const { name, unitName, dates } = named
  if (others.length === 0)
    return meant ?? db.text(linkedLast, name, unitName, dates?.startDate ?? null, dates?.endDate ?? null)
  throw new Problem('external-id-conflict', 'Several stays have this externalId. Name the stay by its id.', {
    pointer: '/externalId',
    meta: { stayIds: [meant, ...others] },
  })
}

/** The stay that a key names, outside a command. Throws as `stayIdOf` does. */
export function stayBy(reader: Reader, named: KeyName | null): Stay | null {
  const id = stayIdOf(reader, named)
  return id === null ? null : reader.row(stay, id)
}

/** How a request for a key names its stay; null without a name. */
export function nameIn(
  request: Pick<KeyRequest, 'externalId' | 'stayName' | 'unitName' | 'startDate' | 'endDate'>,
): KeyName | null {
  const { externalId, stayName, unitName } = request
  const name = stayName ?? externalId
  return name === null ? null : { name, unitName, dates: request, isOfPms: stayName !== undefined }
}
