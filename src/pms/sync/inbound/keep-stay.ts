import type { Stay, StayInput } from '../../../reservation/resources/stay.ts'
import type { Transaction } from '../../../resource/command.ts'
import { differing, identities, isSameGuest, keyed } from '../merge/same.ts'
import { defined } from '../merge/shadow-document.ts'
import type { SharedGuest, SharedStay } from '../shared-reservation.ts'
import { type Codes, knownUnitType } from './codes.ts'
import { keepGuests } from './keep-guests.ts'

type Members = Record<string, unknown>
/** The places of a stay, as they are stored. */
export type Places = { unitTypeId: string; unitId?: string | null }[]

/** Members that are stored otherwise than the others. */
const without = ['externalId', 'localId', 'guests']

/** What of a stay is to be another than it is here; a new one is all of it. Throws for a unit type that is not known. */
export function changedStay(
  tx: Transaction,
  codes: Codes,
  reported: SharedStay,
  /** As it is; null for a new one. */
  here: SharedStay | null,
  at: string,
): StayInput {
  const wanted = reported as unknown as Members
  const input: StayInput = {}
  for (const name of here ? differing(reported, here, without) : saidIn(reported))
    Object.assign(input, inputOf[name]?.(codes, wanted, at) ?? { [name]: orNull(wanted[name]) })
  if (reported.externalId && reported.externalId !== here?.externalId) input.externalId = reported.externalId
  if (reported.guests && !(here && sameGuests(reported.guests, here.guests ?? []))) {
    input.profiles = keepGuests(tx, codes, reported.guests, here?.guests ?? [])
  }
  return here
    ? input
    : { reservationIds: [], personCount: { adults: 1 }, status: 'Confirmed', ...withoutNulls(input) }
}

function saidIn(reported: SharedStay): string[] {
  return Object.keys(defined(reported)).filter((name) => !without.includes(name))
}

/** How members are kept that name something the house knows by an id. What it does not know is left out. */
const inputOf: Record<string, ((codes: Codes, reported: Members, at: string) => StayInput) | undefined> = {
  units: (codes, { units }, at) => ({ units: placesOf(codes, units as SharedStay['units'], `${at}/units`) }),
  ratePlanCode: (codes, { ratePlanCode }) => ({
    ratePlanId: ratePlanCode ? codes.ratePlanId(ratePlanCode as string) : null,
  }),
  services: (codes, { services }) => ({
    services: (services as NonNullable<SharedStay['services']>).flatMap(({ serviceCode, count }) => {
      const serviceId = codes.serviceId(serviceCode)
      return serviceId ? [{ serviceId, ...(count !== undefined && { count }) }] : []
    }),
  }),
  reservationIds: (_, { reservationIds }) => ({
    reservationIds: firstOfEach(reservationIds as NonNullable<SharedStay['reservationIds']>),
  }),
}

/** A unit of another type than the place counts as of its own type: an upgraded guest is in it. */
export function placesOf(codes: Codes, units: SharedStay['units'], at: string): Places {
  const taken = new Set<string>()
  return (units ?? []).map(({ unitTypeCode, unitName }, index) => {
    const unitTypeId = knownUnitType(codes, unitTypeCode, `${at}/${index}/unitTypeCode`)
    const unit = unitName ? codes.unit(unitName) : null
    if (!unit?.unitTypeId || taken.has(unit.id)) return { unitTypeId }
    taken.add(unit.id)
    return { unitTypeId: unit.unitTypeId, unitId: unit.id }
  })
}

/** Whether a key opens this unit of a stay. */
export function isLocked({ units }: Stay, unitId: string): boolean {
  return units.some((each) => each.unitId === unitId && (each as { locked?: boolean }).locked === true)
}

/** A stay has one number of a kind. */
function firstOfEach(ids: NonNullable<SharedStay['reservationIds']>) {
  return [...keyed(ids, identities.reservationIds)]
    .filter(([key]) => !key.includes('#'))
    .map(([, each]) => each)
}

function sameGuests(reported: readonly SharedGuest[], here: readonly SharedGuest[]): boolean {
  return (
    reported.length === here.length &&
    reported.every((guest) => {
      const known = here.find((each) => isSameGuest(each, guest))
      return known && differing(guest, known, guest.externalId ? [] : ['externalId']).length === 0
    })
  )
}

function withoutNulls(input: StayInput): StayInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

function orNull(value: unknown): unknown {
  return value === '' ? null : value
}
