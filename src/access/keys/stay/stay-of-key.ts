import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { staysNamed } from '../../../reservation/stays/find-stays.ts'
import { isLive } from '../../../reservation/stays/status-rules.ts'
import type { Questions, Transaction } from '../../../resource/command.ts'
import type { Reader } from '../../../resource/keeper.ts'
import { Problem } from '../../../resource/problem.ts'
import { ridOf, uuidText } from '../../../resource/uuid-sql.ts'

/** Whether the stay is over, so that it may have no key; false without a stay. */
export function isOver(tx: Transaction, stayId: string | null | undefined): boolean {
  return !!stayId && !isLive((tx.find(stay, stayId) as Stay).status)
}

/** The Problem for a key whose stay has ended. */
export function stayOver(): Problem {
  return new Problem('stay-status-transition', 'The stay has ended or changed while the key was made.', {
    pointer: '/externalId',
  })
}

/** The stay to which a key of this name was linked last: a stay that got another name since keeps its keys. */
const linkedLast = `SELECT ${uuidText('stay.id')} FROM key JOIN stay ON stay.rid = key.stayId
  WHERE key.externalId = ? ORDER BY key.rid DESC LIMIT 1`

const hasUnit = `SELECT count(*) FROM stay_unit JOIN unit ON unit.rid = stay_unit.unitId
  WHERE stay_unit.owner = ${ridOf('stay')} AND unit.name = ?`

/**
 * The id of the stay that the name of a key means; null while none is known. Of several stays that are not over, it is the one
 * that has the unit of the key. Throws external-id-conflict when that is not one: the caller names the stay by its id.
 */
export function stayIdOf(db: Questions, name: string | null, unitName: string | null): string | null {
  if (!name) return null
  const found = staysNamed(db, name)
  if (found.length < 2) return found[0] ?? db.text(linkedLast, name)
  const [own, ...others] = found.filter((id) => unitName && db.count(hasUnit, id, unitName) > 0)
  if (own && others.length === 0) return own
  throw new Problem('external-id-conflict', 'Several stays have this externalId. Name the stay by its id.', {
    pointer: '/externalId',
    meta: { stayIds: found },
  })
}

/** The stay that the name of a key means, outside a command. Throws as `stayIdOf` does. */
export function stayBy(reader: Reader, name: string | null, unitName: string | null): Stay | null {
  const id = stayIdOf(reader, name, unitName)
  return id === null ? null : reader.row(stay, id)
}
