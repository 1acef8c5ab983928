import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Stay, StayInput } from '../resources/stay.ts'
import { staysOf } from './find-stays.ts'
import { mustBeKept } from './kept-stay.ts'
import { isLive } from './rules/status-rules.ts'
import type { StayPolicy } from './stay-policy.ts'
import { releaseUnits, removeStay, writeStay, writeStays } from './write-stay.ts'

/**
 * Replaces the stays of a reservation. A stay that is absent from `given` is removed or canceled first, which releases
 * its units. The given stays are then created or changed. The caller must refresh the reservation. The pointers of
 * Problems start with `/stays`.
 */
export function replaceStays(
  tx: Transaction,
  reservationId: string,
  given: readonly StayInput[],
  policy: StayPolicy,
): void {
  const old = staysOf(tx, reservationId)
  const matches = matchStays(old, given)
  for (const each of old.filter((other) => !matches.includes(other))) endStay(tx, each, policy)
  const kept = matches.map((before, index) => {
    const others = given.toSpliced(index, 1).flatMap(unitIdsIn)
    return before ? withoutUnitsOf(tx, before, given[index]!, { others, policy }) : null
  })
  const writes = given.map((input, index) => ({
    reservationId,
    before: matches[index] ?? null,
    kept: kept[index]!,
    input,
    whole: matches[index] !== undefined,
    at: `/stays/${index}`,
  }))
  writeStays(tx, old, writes, policy)
}

/** Releases the units of a stay that another given stay names. Two stays can therefore swap their units. */
export function withoutUnitsOf(
  tx: Transaction,
  before: Stay,
  given: StayInput,
  { others, policy }: { others: readonly string[]; policy: StayPolicy },
): Stay {
  const isWanted = unitIdsIn(before).some((unitId) => others.includes(unitId))
  if (!isWanted || !isLive(before.status) || !moves(before, given)) return before
  return releaseUnits(tx, before, policy)
}

function moves(before: Stay, given: StayInput): boolean {
  const times = ['startDate', 'startTime', 'endDate', 'endTime'] as const
  const isSame = unitIdsIn(before).join() === unitIdsIn(given).join()
  return !isSame || times.some((name) => (before[name] ?? null) !== (given[name] ?? null))
}

/** The units that a stay has, or is given. */
export function unitIdsIn({ units }: StayInput): string[] {
  return (units ?? []).flatMap(({ unitId }) => (unitId ? [unitId] : []))
}

/**
 * Returns for each given stay the stored stay that it changes, or undefined for a new stay. Stays match by id, then by
 * externalId, then by start date and first unit type. A stay that is over matches by start date only if the input has
 * the same status.
 */
export function matchStays(old: readonly Stay[], given: readonly StayInput[]): (Stay | undefined)[] {
  const found: (Stay | undefined)[] = given.map(() => undefined)
  for (const isSame of [sameId, sameExternalId, sameDay]) {
    for (const [index, each] of given.entries()) {
      found[index] ??= old.find((other) => !found.includes(other) && isSame(other, each))
    }
  }
  return found
}

function sameId(old: Stay, { id }: StayInput): boolean {
  return old.id === id
}

function sameExternalId(old: Stay, { externalId }: StayInput): boolean {
  return typeof externalId === 'string' && old.externalId === externalId
}

function sameDay(old: Stay, { startDate, units, status, externalId }: StayInput): boolean {
  const isAnother = externalId && old.externalId && externalId !== old.externalId
  const [first] = units ?? []
  return (
    !isAnother &&
    old.startDate === startDate &&
    old.units[0]?.unitTypeId === first?.unitTypeId &&
    (isLive(old.status) || old.status === status)
  )
}

/**
 * Removes a stay, or cancels it if it must be kept. A stay that is over and had one stays unchanged.
 * Throws 409 while the guest is in house.
 */
function endStay(tx: Transaction, old: Stay, policy: StayPolicy): void {
  if (old.status === 'InHouse') {
    throw new Problem('stay-status-transition', 'A stay cannot be left out while its guest is in house.', {
      pointer: '/stays',
      meta: { stayId: old.id },
    })
  }
  const { id, reservationId } = old
  if (!mustBeKept(tx, id, policy.ports)) removeStay(tx, old)
  else if (isLive(old.status))
    writeStay(tx, { reservationId, before: old, input: { status: 'Canceled' } }, policy)
}
