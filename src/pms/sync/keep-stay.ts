import type { StayInput } from '../../reservation/resources/stay.ts'
import type { Transaction } from '../../resource/command.ts'
import { type Codes, knownUnitType } from './codes.ts'
import { keepGuests } from './keep-guests.ts'
import { stayGroups } from './merge-fields.ts'
import { identities, isSameGuest, keyed, same, sameMember } from './same.ts'
import type { SharedGuest, SharedStay } from './shared-reservation.ts'

type Told = Record<string, unknown>
type Places = { unitTypeId: string; unitId?: string | null }[]

const members = Object.keys(stayGroups).filter((name) => !['externalId', 'localId', 'guests'].includes(name))

/** What may be possible now that was not before. Of everything else that the house could not keep, the same word is no news. */
const triedAgain = [
  'status',
  'units',
  'ratePlanCode',
  'services',
  'startDate',
  'startTime',
  'endDate',
  'endTime',
]

/** What of a stay is to be another than it is here; a new one is all of it. Throws for a unit type that is not known. */
export function changedStay(
  tx: Transaction,
  codes: Codes,
  told: SharedStay,
  /** As it is, and as the house tells it; null for a new one. */
  known: { here: SharedStay; seen: SharedStay } | null,
  at: string,
): StayInput {
  const { here, seen } = known ?? { here: null, seen: null }
  const wanted = told as unknown as Told
  const keptAs = (name: string) => ((triedAgain.includes(name) ? here : seen) as unknown as Told)[name]
  const changed = members.filter(
    (name) => wanted[name] !== undefined && !(here && sameMember(name, wanted[name], keptAs(name))),
  )
  const input: StayInput = {}
  for (const name of changed)
    Object.assign(input, inputOf[name]?.(codes, wanted, at) ?? { [name]: orNull(wanted[name]) })
  if (told.externalId && told.externalId !== here?.externalId) input.externalId = told.externalId
  if (told.guests && !(seen && sameGuests(told.guests, seen.guests ?? []))) {
    input.profiles = keepGuests(tx, told.guests, seen?.guests ?? [])
  }
  return here
    ? input
    : { reservationIds: [], personCount: { adults: 1 }, status: 'Confirmed', ...withoutNulls(input) }
}

/** How members are kept that name something the house knows by an id. What it does not know is left out. */
const inputOf: Record<string, ((codes: Codes, told: Told, at: string) => StayInput) | undefined> = {
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

/** A unit of another type than the place stands for its type: who was given a better room is in it. */
function placesOf(codes: Codes, units: SharedStay['units'], at: string): Places {
  const taken = new Set<string>()
  return (units ?? []).map(({ unitTypeCode, unitName }, index) => {
    const unitTypeId = knownUnitType(codes, unitTypeCode, `${at}/${index}/unitTypeCode`)
    const unit = unitName ? codes.unit(unitName) : null
    if (!unit?.unitTypeId || taken.has(unit.id)) return { unitTypeId }
    taken.add(unit.id)
    return { unitTypeId: unit.unitTypeId, unitId: unit.id }
  })
}

/** A stay has one number of a kind. */
function firstOfEach(ids: NonNullable<SharedStay['reservationIds']>) {
  return [...keyed(ids, identities.reservationIds)]
    .filter(([key]) => !key.includes('#'))
    .map(([, each]) => each)
}

function sameGuests(told: readonly SharedGuest[], here: readonly SharedGuest[]): boolean {
  return (
    told.length === here.length &&
    told.every((guest) => {
      const known = here.find((each) => isSameGuest(each, guest))
      const names = Object.keys(guest).filter((name) => (guest as unknown as Told)[name] !== undefined)
      return (
        known &&
        names.every(
          (name) =>
            (name === 'externalId' && !guest.externalId) ||
            same((guest as unknown as Told)[name], (known as unknown as Told)[name]),
        )
      )
    })
  )
}

function withoutNulls(input: StayInput): StayInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

function orNull(value: unknown): unknown {
  return value === '' ? null : value
}
