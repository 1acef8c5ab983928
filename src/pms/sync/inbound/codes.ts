import { memoized } from '../../../host/memoized.ts'
import { ratePlan } from '../../../reservation/resources/rate-plan.ts'
import { service } from '../../../reservation/resources/service.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { unitType } from '../../../reservation/resources/unit-type.ts'
import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Resource } from '../../../resource/resource.ts'
import { uuidText } from '../../../resource/uuid-sql.ts'

/** A unit as far as a place of a stay asks. */
interface KnownUnit {
  id: string
  unitTypeId: string | null
}

const guestSql = `SELECT DISTINCT profile.externalId AS name FROM json_each(?) AS name JOIN profile ON profile.externalId = name.value`

/**
 * The ids of what a PMS names, looked up once each; null for what is not known by that name. Of the guests with these external ids one
 * statement reads who has a profile.
 */
export function codesIn(tx: Transaction, guests: readonly string[] = []) {
  const asked = new Set(guests)
  const known = new Set(
    guests.length === 0
      ? []
      : tx.all<{ name: string }>(guestSql, JSON.stringify(guests)).map(({ name }) => name),
  )
  const byCode = ({ table }: Resource) => {
    const sql = `SELECT ${uuidText(`${table}.id`)} FROM ${table} WHERE code = ? ORDER BY rid LIMIT 1`
    return memoized((code: string) => tx.text(sql, code))
  }
  const unitSql = `SELECT json_object('id', ${uuidText('unit.id')},
      'unitTypeId', (SELECT ${uuidText('kind.id')} FROM unit_type AS kind WHERE kind.rid = unit.unitTypeId))
    FROM ${unit.table} WHERE unit.name = ?`
  return {
    unitTypeId: byCode(unitType),
    ratePlanId: byCode(ratePlan),
    serviceId: byCode(service),
    /** False where no profile has this external id. */
    mayHaveProfile: (externalId: string) => !asked.has(externalId) || known.has(externalId),
    /** A profile with this external id was made. */
    hasProfile(externalId: string): void {
      known.add(externalId)
    },
    unit: memoized((name: string): KnownUnit | null => JSON.parse(tx.text(unitSql, name) ?? 'null')),
  }
}

export type Codes = ReturnType<typeof codesIn>

/** Throws reference-unknown with the code: what the house does not sell cannot be kept, until it is set up. */
export function knownUnitType({ unitTypeId }: Codes, code: string, pointer: string): string {
  const id = unitTypeId(code)
  if (id) return id
  throw new Problem(
    'reference-unknown',
    `There is no unit type with the code ${code} here. Create it, or correct the code at the PMS.`,
    {
      pointer,
      meta: { unitTypeCode: code },
    },
  )
}
