import type { Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { refuseOverbooking } from './availability-guard.ts'
import type { StayRights } from './check-in-rights.ts'
import { staysOf } from './find-stays.ts'
import { wasPaidFor } from './payment-totals.ts'
import { type Stay, stay } from './resources/stay.ts'
import { isLive } from './status.ts'
import type { Follower } from './stay-changes.ts'
import { applyToStay, insertStay, type StayInput } from './stay-update.ts'
import { underPointer } from './under-pointer.ts'

/**
 * Replaces the stays of a reservation: those not given end, so that their units are free, and those given are made or
 * changed. Refreshing the reservation is the caller's. Problems point into `/stays`.
 */
export function replaceStays(
  tx: Transaction,
  reservationId: string,
  given: readonly StayInput[],
  how: { rights: StayRights; followers: readonly Follower[] },
): void {
  const old = staysOf(tx, reservationId)
  const matches = matchStays(old, given)
  for (const each of old.filter((other) => !matches.includes(other))) endStay(tx, each, how)
  letGoOfUnits(tx, matches, given)
  const after = given.map((each, index) => {
    const [before, at] = [matches[index], `/stays/${index}`]
    const write = () =>
      before ? applyToStay(tx, before, each, { ...how, whole: true }) : insertStay(tx, reservationId, each)
    return { stay: underPointer(at, write), at }
  })
  if (!how.rights.overbook) refuseOverbooking(tx, old, after)
}

/** Units that go from one of the stays to another are free before anybody takes them: so two stays can swap theirs. */
function letGoOfUnits(
  tx: Transaction,
  matches: readonly (Stay | undefined)[],
  given: readonly StayInput[],
): void {
  for (const [index, before] of matches.entries()) {
    if (!before || !isLive(before.status) || !moves(before, given[index]!)) continue
    const wanted = given.toSpliced(index, 1).flatMap(unitIdsIn)
    if (!unitIdsIn(before).some((unitId) => wanted.includes(unitId))) continue
    tx.patch(stay, before.id, { units: before.units.map(({ unitTypeId }) => ({ unitTypeId })) })
  }
}

function moves(before: Stay, given: StayInput): boolean {
  const times = ['startDate', 'startTime', 'endDate', 'endTime'] as const
  const isSame = unitIdsIn(before).join() === unitIdsIn(given).join()
  return !isSame || times.some((name) => (before[name] ?? null) !== (given[name] ?? null))
}

function unitIdsIn(stay: Stay | StayInput): string[] {
  return ((stay.units ?? []) as Stay['units']).flatMap(({ unitId }) => (unitId ? [unitId] : []))
}

type Known = Pick<Stay, 'id' | 'externalId' | 'startDate' | 'status' | 'units'>

/**
 * Which kept stay each given one is, by its id, else its externalId, else its first day and unit type; undefined is a
 * new one. What is over is not taken for a new stay of the same day.
 */
function matchStays<Old extends Known>(
  old: readonly Old[],
  given: readonly StayInput[],
): (Old | undefined)[] {
  const found: (Old | undefined)[] = given.map(() => undefined)
  for (const isSame of [sameId, sameExternalId, sameDay]) {
    for (const [index, each] of given.entries()) {
      found[index] ??= old.find((other) => !found.includes(other) && isSame(other, each))
    }
  }
  return found
}

function sameId(old: Known, { id }: StayInput): boolean {
  return old.id === id
}

function sameExternalId(old: Known, { externalId }: StayInput): boolean {
  return typeof externalId === 'string' && old.externalId === externalId
}

function sameDay(old: Known, { startDate, units, status, externalId }: StayInput): boolean {
  const isAnother = externalId && old.externalId && externalId !== old.externalId
  const [first] = (units ?? []) as { unitTypeId: string }[]
  return (
    !isAnother &&
    old.startDate === startDate &&
    old.units[0]?.unitTypeId === first?.unitTypeId &&
    (isLive(old.status) || old.status === status)
  )
}

/** A stay that ever had a key or a payment is canceled and kept, and so is kept what is over; any other goes. */
function endStay(
  tx: Transaction,
  old: Stay,
  how: { rights: StayRights; followers: readonly Follower[] },
): void {
  if (old.status === 'InHouse') {
    throw new Problem('stay-status-transition', 'A stay cannot be left out while its guest is in house.', {
      pointer: '/stays',
      meta: { stayId: old.id },
    })
  }
  if (!everHadKey(tx, old) && !wasPaidFor(tx, old.id)) tx.remove(stay, old.id)
  else if (isLive(old.status)) applyToStay(tx, old, { status: 'Canceled' }, { ...how, whole: false })
}

function everHadKey(tx: Transaction, { id }: Stay): boolean {
  const keys = `SELECT count(*) FROM key WHERE stayId = (SELECT rid FROM stay WHERE id = unhex(replace(?, '-', '')))`
  return tx.count(keys, id) > 0
}
