import type { Questions } from '../../resource/command.ts'
import type { Stored } from '../../resource/field.ts'
import { uuidBytes, uuidText } from '../../resource/uuid-sql.ts'
import type { Named } from '../profiles/named.ts'
import type { StayStatus } from '../stays/rules/status-rules.ts'

/** A stay that a search has found. The smaller `exactness`, the more exactly it is what was typed. */
export interface Match {
  id: string
  exactness: number
}

/** What a search compares of a stay. */
export interface KnownStay {
  id: string
  status: StayStatus
  /** YYYY-MM-DD, both. */
  startDate: string
  endDate: string
  people: Named[]
}

type Line = Omit<KnownStay, 'people'> & Record<keyof Named, string | null>

const lines = `SELECT ${uuidText('stay.id')} AS id, stay.status, stay.startDate, stay.endDate, profile.firstName, profile.middleName, profile.lastName
  FROM stay LEFT JOIN stay_profile AS named ON named.owner = stay.rid LEFT JOIN profile ON profile.rid = named.id
  WHERE`

/** Returns the stays with these ids that there are still. */
export function staysOfIds(db: Questions, ids: readonly string[]): KnownStay[] {
  const bytes = `SELECT ${uuidBytes('value')} FROM json_each(?)`
  return staysWhere(db, `stay.id IN (${bytes})`, JSON.stringify(ids))
}

/**
 * Returns a number for each stay with one of these statuses that ends on `since` (YYYY-MM-DD) or later, and for each of a guest in
 * house, whatever its dates. The numbers of 5,000 stays take 2 ms, and what is known of the stays takes ten times as long.
 */
export function currentStays(db: Questions, statuses: readonly StayStatus[], since: string): number[] {
  const sql = `SELECT rid FROM stay WHERE (status = 'InHouse' OR endDate >= ?) AND status IN (SELECT value FROM json_each(?))`
  return db.all<{ rid: number }>(sql, since, JSON.stringify(statuses)).map(({ rid }) => rid)
}

/** Returns the stays with these numbers that there are still. */
export function staysOfNumbers(db: Questions, numbers: readonly number[]): KnownStay[] {
  return staysWhere(db, 'stay.rid IN (SELECT value FROM json_each(?))', JSON.stringify(numbers))
}

/** Returns the stays that begin on one of these days, YYYY-MM-DD. */
export function staysOfDays(db: Questions, days: readonly string[]): KnownStay[] {
  return staysWhere(db, 'stay.startDate IN (SELECT value FROM json_each(?))', JSON.stringify(days))
}

function staysWhere(db: Questions, condition: string, ...values: Stored[]): KnownStay[] {
  const stays = new Map<string, KnownStay>()
  for (const { firstName, middleName, lastName, ...known } of db.all<Line>(
    `${lines} ${condition}`,
    ...values,
  )) {
    const { people } = stays.getOrInsertComputed(known.id, () => ({ ...known, people: [] }))
    if (lastName !== null) people.push({ firstName: firstName ?? '', middleName, lastName })
  }
  return [...stays.values()]
}
