import type { Questions } from '../../resource/command.ts'
import type { Stored } from '../../resource/field.ts'
import { ridOf, uuidBytes, uuidText } from '../../resource/uuid-sql.ts'
import type { Moment } from '../resources/house.ts'
import type { StayStatus } from '../stays/rules/status-rules.ts'
import type { Range } from '../stays/rules/stay-dates.ts'

/**
 * The stays that may be in one unit together: a stay, and those with its shareId. All others are strangers to it. The
 * queries below ask for strangers.
 */
export interface Party {
  id: string
  shareId?: string | null | undefined
}

/** The id of no stay. */
export const noStay = '00000000-0000-0000-0000-000000000000'
/** To which every stay is a stranger. */
export const noParty: Party = { id: noStay }

/** The party of a stay that is written; `before` is null for a new one. */
export function partyOf(before: Party | null, { shareId }: Pick<Party, 'shareId'>): Party {
  return { id: before?.id ?? noStay, shareId }
}

/** Starts from the units that stays hold now, which are few compared with all stays in the table. */
const holders = 'FROM stay_held_unit AS held JOIN stay ON stay.rid = held.owner WHERE held.unitId ='
const holding = `${holders} ${ridOf('unit')}`
const isStranger = `AND stay.id <> ${uuidBytes()} AND coalesce(stay.shareId <> ?, 1)`
const besides = ({ id, shareId = null }: Party): [string, string | null] => [id, shareId]

interface Besides {
  /** Default: `noParty`. */
  party?: Party
  moment: Pick<Moment, 'now' | 'tomorrowAt'>
}

/**
 * Selects the stays that hold the unit during a part of the range. A guest who stays past the planned end still
 * occupies the unit: the stay then conflicts with every range that begins before the property's next day.
 */
const overlaps = `${isStranger} AND stay.plannedStartsAt < ?
  AND (stay.plannedEndsAt > ? OR (stay.status = 'InHouse' AND stay.plannedEndsAt <= ? AND ? < ?))`

function overlapping({ startsAt, endsAt }: Range, { party = noParty, moment }: Besides): Stored[] {
  return [...besides(party), endsAt, startsAt, moment.now, startsAt, moment.tomorrowAt]
}

/** Returns the number of stays that hold the unit during a part of the range. */
export function overlappingStays(db: Questions, unitId: string, range: Range, besides: Besides): number {
  return db.count(`SELECT count(*) ${holding} ${overlaps}`, unitId, ...overlapping(range, besides))
}

/**
 * Returns an SQL condition on a row of `unit`, and the values to bind. It is true when a stay holds the unit during a
 * part of the range.
 */
export function isHeld(range: Range, besides: Besides): [sql: string, values: Stored[]] {
  return [`EXISTS (SELECT 1 ${holders} unit.rid ${overlaps})`, overlapping(range, besides)]
}

/** Returns the ids of the stays that hold the unit during a part of the range, in order of creation. */
export function staysInTheWay(db: Questions, unitId: string, range: Range, besides: Besides): string[] {
  const sql = `SELECT ${uuidText('stay.id')} AS id ${holding} ${overlaps} ORDER BY stay.rid`
  return db.all<{ id: string }>(sql, unitId, ...overlapping(range, besides)).map(({ id }) => id)
}

/**
 * By the dates, as `blockOn` compares them: a stay takes the date on which it begins, also a day use that ends before
 * check-in time. Of the earlier stays, those take the first date that are there past its check-in time.
 */
const onDates = `AND stay.startDate <= ? AND (
  (stay.plannedEndsAt > ? AND (stay.startDate >= ? OR stay.plannedEndsAt > ?))
  OR (stay.status = 'InHouse' AND stay.plannedEndsAt <= ? AND ? < ?))`

/**
 * Returns the ids of the stays that have the unit on one of the dates and are not over, in order of creation. A guest who
 * stays past the planned end has it until the property's next day. `checkInAt` is check-in time on the first date.
 */
export function staysOnDates(
  db: Questions,
  unitId: string,
  { first, last, checkInAt }: { first: string; last: string; checkInAt: number },
  { now, tomorrowAt }: Besides['moment'],
): string[] {
  const sql = `SELECT ${uuidText('stay.id')} AS id ${holding} ${onDates} ORDER BY stay.rid`
  const values = [last, now, first, checkInAt, now, checkInAt, tomorrowAt]
  return db.all<{ id: string }>(sql, unitId, ...values).map(({ id }) => id)
}

/** A stay that holds a unit of another stay at the same time, without sharing it. */
export interface DoubleBookedUnit {
  stayId: string
  reservationId: string
  status: StayStatus
  unitId: string
  unitName: string
}

/** The strangers that hold units of a stay at the same time. `stayId` is SQL. */
const strangersOf = (stayId: string) => `FROM stay AS mine JOIN stay_held_unit AS had ON had.owner = mine.rid
    JOIN stay_held_unit AS held ON held.unitId = had.unitId AND held.owner <> mine.rid
    JOIN stay ON stay.rid = held.owner JOIN reservation ON reservation.rid = stay.reservationId
    JOIN unit ON unit.rid = held.unitId
  WHERE mine.id = ${uuidBytes(stayId)} AND coalesce(stay.shareId <> mine.shareId, 1)
    AND stay.plannedStartsAt < mine.plannedEndsAt AND stay.plannedEndsAt > mine.plannedStartsAt`
const doubleBookedUnits = `SELECT ${uuidText('stay.id')} AS stayId, ${uuidText('reservation.id')} AS reservationId, stay.status,
    ${uuidText('unit.id')} AS unitId, unit.name AS unitName
  ${strangersOf('?')} ORDER BY stay.rid LIMIT ?`

/** Returns at most `most` of the strangers that hold units of a stay at the same time: a PMS has reported the unit for both. */
export function doubleBooked(db: Questions, stayId: string, most = -1): DoubleBookedUnit[] {
  return db.all<DoubleBookedUnit>(doubleBookedUnits, stayId, most)
}

/** Returns the SQL condition that `doubleBooked` finds something for a stay. `stayId` is SQL. */
export const isDoubleBooked = (stayId: string) => `EXISTS (SELECT 1 ${strangersOf(stayId)})`

/** A guest in house leaves at the planned end or, past it, later than now. */
const endOf = (stay: string) =>
  `iif(${stay}.status = 'InHouse', max(${stay}.plannedEndsAt, ? + 1), ${stay}.plannedEndsAt)`
const sharersAt = `SELECT ${uuidText('stay.id')} AS stayId, ${uuidText('unit.id')} AS unitId
  FROM stay AS mine JOIN stay ON stay.shareId = mine.shareId AND stay.rid <> mine.rid
    JOIN stay_held_unit AS had ON had.owner = mine.rid
    JOIN stay_held_unit AS held ON held.unitId = had.unitId AND held.owner = stay.rid JOIN unit ON unit.rid = held.unitId
  WHERE mine.id = ${uuidBytes()} AND stay.plannedStartsAt < ${endOf('mine')} AND mine.plannedStartsAt < ${endOf('stay')}`

/** Returns the stays that share a unit with a stay at the same time, each with that unit. `now` is in Unix milliseconds. */
export function sharersOf(db: Questions, stayId: string, now: number): { stayId: string; unitId: string }[] {
  return db.all(sharersAt, stayId, now, now)
}

/** Returns the ids of the strangers that are in house on the unit now. */
export function staysInHouse(db: Questions, unitId: string, party: Party): string[] {
  const sql = `SELECT ${uuidText('stay.id')} AS id ${holding} ${isStranger} AND stay.status = 'InHouse' ORDER BY stay.rid`
  return db.all<{ id: string }>(sql, unitId, ...besides(party)).map(({ id }) => id)
}

/** Returns whether a guest is in the unit now. */
export function isInUse(db: Questions, unitId: string): boolean {
  return staysInHouse(db, unitId, noParty).length > 0
}

/** A unit of guests who share with a stay. */
interface PartyUnit {
  unitId: string
  /** 1 if one of them is in it now. */
  isInUse: 0 | 1
}

const ofParty = `SELECT ${uuidText('unit.id')} AS unitId, max(stay.status = 'InHouse') AS isInUse
  FROM stay JOIN stay_held_unit AS held ON held.owner = stay.rid
    JOIN unit ON unit.rid = held.unitId
  WHERE stay.shareId = ? AND stay.id <> ${uuidBytes()} AND stay.plannedStartsAt < ?
    AND (stay.plannedEndsAt > ? OR stay.status = 'InHouse')
  GROUP BY unit.rid ORDER BY unit.rid`

/** Returns the units that the others of a party hold during a part of the range, or are in house in. */
export function unitsOfParty(
  db: Questions,
  { id, shareId }: Party,
  { startsAt, endsAt }: Range,
): PartyUnit[] {
  return shareId ? db.all<PartyUnit>(ofParty, shareId, id, endsAt, startsAt) : []
}

/** The SQL of the Unix milliseconds at which the guest in a row of `unit` is expected to leave; NULL when it is empty. */
export const leavesAt = `SELECT max(stay.plannedEndsAt) ${holders} unit.rid AND stay.status = 'InHouse'`
