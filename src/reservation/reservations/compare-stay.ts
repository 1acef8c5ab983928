import type { Transaction } from '../../resource/command.ts'
import { toDecimal } from '../../resource/values/currency.ts'
import { type StayAmountInput, storedAmount } from '../pricing/stay-amount.ts'
import type { ProfileEntry, Stay, StayInput } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import { unitType } from '../resources/unit-type.ts'
import { isLive, type StayStatus } from '../stays/rules/status-rules.ts'
import { changedBy } from '../stays/stay-form.ts'
import type { PersonCountInput } from '../values/persons.ts'
import { referenced } from '../values/value-problems.ts'
import { withoutNulls } from '../values/value-schema.ts'
import { compareGuests, type GuestChange, hasErasedGuest } from './compare-guests.ts'
import type { Difference } from './difference.ts'

/** What an import changes in a stored stay. */
export interface StayChange {
  differences: Difference[]
  /** The fields to write. */
  input: StayInput
  details: GuestChange['details']
  persons: GuestChange['persons']
}

/**
 * Compares a stay of an import with the stored one. What the import does not say is no difference: an absent member, a place
 * without a unit, no numbers, no price. An import with a status from before the guest came or left here changes neither status
 * nor units, and none changes the end after a check-out here.
 * `staysWith` returns the ids of the stored stays whose import has the same guest. Throws the Problem of an invalid value.
 */
export function compareStay(
  tx: Transaction,
  before: Stay,
  given: StayInput,
  staysWith: (entry: ProfileEntry) => string[],
): StayChange {
  const input = inputOf(tx, before, given)
  const guests = given.profiles ? compareGuests(tx, before, given.profiles, staysWith) : null
  const changed = changedBy(before, input)
  const differences = changed.flatMap((name) => shown(tx, name as Name, before, input))
  // A reinstatement takes away a unit that another stay has got. It is not asked for again.
  if (!isLive(before.status) && !changed.includes('units')) delete input.units
  if (
    guests?.profiles.some(
      ({ profile }, at) => profile || guests.profiles[at]?.id !== before.profiles?.[at]?.id,
    )
  )
    input.profiles = guests.profiles
  return {
    differences: [...differences, ...(guests?.differences ?? [])],
    input,
    details: guests?.details ?? [],
    persons: guests?.persons ?? [],
  }
}

type Name = Exclude<keyof StayInput, 'id' | 'profiles'>

/** Returns the fields of a given stay, completed with what is stored where it says only a part. */
function inputOf(
  tx: Transaction,
  before: Stay,
  { id: _, externalId: __, profiles: ___, ...given }: StayInput,
): StayInput {
  const { status, startDate, endDate, endTime, personCount, units, reservationIds, amount, ...plain } = given
  const { comment, guestComment, ...rest } = plain
  const until = before.checkedOutAt ? before.endDate : (endDate ?? before.endDate)
  const isOlder = status !== undefined && hasGoneOn(before.status, status)
  const isMoved = until !== before.endDate || (startDate ?? before.startDate) !== before.startDate
  return {
    ...rest,
    ...withComments(before, { comment, guestComment }, { isErased: hasErasedGuest(tx, before) }),
    ...(status && !isOlder && { status }),
    ...(startDate && { startDate }),
    ...(before.checkedOutAt
      ? {}
      : { ...(endDate && { endDate }), ...(endTime !== undefined && { endTime }) }),
    ...(personCount && { personCount: personsOf(before.personCount, personCount) }),
    ...(units && !isOlder && { units: unitsOf(before, units) }),
    ...(reservationIds && { reservationIds: numbersOf(before.reservationIds, reservationIds) }),
    ...(amount && { amount: amountOf(before.amount ?? null, amount, { isMoved }) }),
  }
}

type Comments = Partial<Record<'comment' | 'guestComment', string | null | undefined>>

/**
 * Returns the comments that can be compared with those of a stay or a reservation: those that the import has. A stored comment
 * that has all its lines is none of them, because the desk may have added others. A stay or a reservation without a comment that is
 * over, or whose guest was erased, may have had one that was erased too: it stays without.
 */
export function withComments(
  before: Comments & { status?: StayStatus | null },
  given: Comments,
  { isErased }: { isErased: boolean },
): Partial<Record<keyof Comments, string | null>> {
  const mayBeErased = isErased || (before.status && !isLive(before.status))
  const said = Object.entries(given).filter(([name, text]) => {
    const stored = before[name as keyof Comments] ?? null
    return (
      text !== undefined &&
      !(mayBeErased && stored === null) &&
      !(text !== null && hasLines(stored ?? '', text))
    )
  })
  return Object.fromEntries(said)
}

function hasLines(stored: string, text: string): boolean {
  const linesOf = (of: string) => of.split(/\r\n?|\n/).map((line) => line.trim())
  const lines = new Set(linesOf(stored))
  return linesOf(text).every((line) => line === '' || lines.has(line))
}

const goesOnTo: Partial<Record<StayStatus, readonly StayStatus[]>> = {
  InHouse: ['Tentative', 'Waitlisted', 'Confirmed'],
  CheckedOut: ['Tentative', 'Waitlisted', 'Confirmed', 'InHouse'],
}

/** Returns whether the guest has come, or left, since the other system stated the given status. */
function hasGoneOn(stored: StayStatus, given: StayStatus): boolean {
  return goesOnTo[stored]?.includes(given) ?? false
}

function personsOf(before: PersonCountInput, given: PersonCountInput): PersonCountInput {
  const { adults, infants = 0, ...stored } = before
  const { childrenAges = null, ...counts } = withoutNulls(given)
  const children = counts.children ?? childrenAges?.length ?? stored.children ?? 0
  const kept = children === (stored.children ?? 0) ? (stored.childrenAges ?? null) : null
  return {
    adults: counts.adults ?? adults,
    children,
    childrenAges: childrenAges ?? kept,
    infants: counts.infants ?? infants,
  }
}

/**
 * A place without a unit keeps the one that was assigned here. While the guest is expected, another unit type takes the unit away; a
 * guest who has come keeps the unit, and with it its type.
 */
function unitsOf({ units, status }: Stay, given: Stay['units']): Stay['units'] {
  const hasCome = status === 'InHouse' || status === 'CheckedOut'
  return given.map((place, at) => {
    const had = units[at]
    const isKept = !place.unitId && had?.unitId && (hasCome || had.unitTypeId === place.unitTypeId)
    return isKept ? had : place
  })
}

/** The numbers of the types that the import has not are kept. */
function numbersOf(before: Stay['reservationIds'], given: Stay['reservationIds']): Stay['reservationIds'] {
  const of = ({ type }: { type: string }) => given.find((each) => each.type === type)
  const kept = before.map((each) => ({ ...each, ...withoutNulls(of(each) ?? {}) }))
  return [...kept, ...given.filter(({ type }) => !before.some((each) => each.type === type))]
}

/** A price of the same total has everything that the import does not say from the stored one; on other dates not its nights. */
function amountOf(
  stored: StayAmountInput | null,
  given: StayAmountInput,
  { isMoved }: { isMoved: boolean },
): StayAmountInput {
  if (!stored || totalOf(stored) !== totalOf(given)) return given
  const { perNight, ...rest } = stored
  return { ...rest, ...(perNight && !isMoved && { perNight }), ...withoutNulls(given) }
}

function totalOf(amount: StayAmountInput): string {
  const { amountWithTax, currency } = storedAmount(amount)
  return `${toDecimal(amountWithTax, currency)} ${currency}`
}

/** Returns the differences of one field that changes. The parts of a price are shown where the import has them. */
function shown(tx: Transaction, name: Name, before: StayInput, after: StayInput): Difference[] {
  const texts = (of: StayInput) => new Map(textsOf(tx, name, of))
  const [stored, given] = [texts(before), texts(after)]
  const fields = [...new Set([...given.keys(), ...(name === 'amount' ? [] : stored.keys())])]
  return fields
    .map((field) => ({ field, stored: stored.get(field) ?? null, given: given.get(field) ?? null }))
    .filter((each) => each.stored !== each.given)
}

/** The values of a field as a person reads them, by their paths. */
function textsOf(tx: Transaction, name: Name, of: StayInput): [path: string, text: string][] {
  const value = of[name]
  if (value === null || value === undefined) return []
  if (name === 'amount') return amountTexts(of.amount!)
  if (name === 'personCount') return Object.entries(of.personCount!).flatMap(personText)
  if (name === 'reservationIds')
    return of.reservationIds!.map(({ type, value: number }) => [`reservationIds/${type}`, number])
  if (name !== 'units') return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]]
  return of.units!.flatMap(({ unitTypeId, unitId }, at): [string, string][] => {
    const [type, room] = [`units/${at}/unitTypeId`, `units/${at}/unitId`]
    const { code } = referenced(tx, unitType, unitTypeId, `/${type}`)
    return [
      [type, code],
      ...(unitId ? [[room, referenced(tx, unit, unitId, `/${room}`).name] as [string, string]] : []),
    ]
  })
}

function personText([member, count]: [string, unknown]): [string, string][] {
  if (member === 'total' || count === null || count === undefined) return []
  return [[`personCount/${member}`, String(count)]]
}

/** The total of a price, and its parts as they are stored. */
function amountTexts(amount: StayAmountInput): [string, string][] {
  const { taxes, perNight } = storedAmount(amount)
  const parts = Object.entries({ taxes, perNight }).filter(([, list]) => list.length > 0)
  return [
    ['amount', totalOf(amount)],
    ...parts.map(([part, list]): [string, string] => [`amount/${part}`, JSON.stringify(list)]),
  ]
}
