import { chargedNights, nightsBetween, plusDays } from '../../lib/language/format.ts'
import { getAll, getList, type Resource } from '../../lib/server/api.ts'
import { type Reading, useRead } from '../../lib/server/read.ts'
import type { RatePlan, Stay, Unit, UnitType } from '../../lib/server/resources.ts'
import { today } from '../../lib/server/session.ts'

/** A type of room on the nights of a walk-in. */
export interface Offer {
  type: Resource<UnitType>
  /** How many rooms are left in each of the nights. */
  left: number
  /** The price per night of the last booking of this type in the currency of the offers; null without one. */
  nightly: number | null
}

export interface Offers {
  all: Offer[]
  ratePlan: Resource<RatePlan> | null
  /** Of the rate plan, otherwise of the last booking; null without both. */
  currency: string | null
}

interface Period {
  startDate: string
  endDate: string
  quantity: number
}

/** Returns the filter of the dates on which a stay takes a room: those of its nights, or the date of a day use. */
const nightsOf = (start: string, end: string) =>
  `filter[startDate]=${start}&filter[endDate]=${end > start ? plusDays(end, -1) : start}`

/** Returns the types with rooms left between two dates, and their last prices. */
export function useOffers(start: string, end: string): Reading<Offers> {
  return useRead(
    nightsBetween(start, end) >= 0 ? `offers ${start} ${end}` : null,
    (signal) => offers(start, end, signal),
    ['availability.', 'stay.', 'unit.'],
  )
}

async function offers(start: string, end: string, signal: AbortSignal): Promise<Offers> {
  const nights = nightsOf(start, end)
  const [types, periods, plans, sold] = await Promise.all([
    getAll<UnitType>('/api/v2/unit-types?page[size]=100', 200, signal),
    getAll<Period>(`/api/v2/availability/unit-types?${nights}&page[size]=100`, 2_000, signal),
    getList<RatePlan>('/api/v2/rate-plans?filter[active]=true&page[size]=100', { signal }),
    getList<Stay>('/api/v2/stays?sort=-createdAt&page[size]=100', { signal }),
  ])
  const ratePlan = plans.data[0] ?? null
  const lastPrice = sold.data.find(({ attributes }) => attributes.amount)?.attributes.amount
  const currency = ratePlan?.attributes.currency ?? lastPrice?.currency ?? null
  const all = types.data.map((type) => ({
    type,
    left: leftOf(periods.data, type.id),
    nightly: nightlyOf(sold.data, type.id, currency),
  }))
  return { all, ratePlan, currency }
}

function leftOf(periods: readonly Resource<Period>[], typeId: string): number {
  const own = periods.filter(({ relationships }) => {
    const found = relationships?.unitType?.data
    return found && !Array.isArray(found) && found.id === typeId
  })
  return own.length === 0 ? 0 : Math.max(0, Math.min(...own.map(({ attributes }) => attributes.quantity)))
}

function nightlyOf(sold: readonly Resource<Stay>[], typeId: string, currency: string | null): number | null {
  const last = sold.find(
    // The nights of a guest who has left are those of the stay, and the price is that of the booking.
    ({ attributes: { amount, status, units } }) =>
      amount?.currency === currency &&
      status !== 'CheckedOut' &&
      units.length === 1 &&
      units[0]?.unitTypeId === typeId,
  )
  const amount = last?.attributes.amount
  return last && amount ? amount.amountWithTax / chargedNights(last.attributes.nights) : null
}

/** The rooms of a type that are free between two dates, the clean ones first. From today on, no guest is in them now. */
export function useRooms(typeId: string | null, start: string, end: string): Reading<Resource<Unit>[]> {
  const nights = nightsOf(start, end)
  const path = `/api/v2/availability/units?${nights}&filter[unitTypeId]=${typeId}&include=unit&page[size]=100`
  const isPeriod = typeId !== null && nightsBetween(start, end) >= 0
  return useRead(
    isPeriod ? path : null,
    async (signal) => {
      const { data, included } = await getAll<Period>(path, 1_000, signal)
      const taken = new Set(
        data.flatMap(({ attributes, relationships }) => {
          const unit = relationships?.unit?.data
          return attributes.quantity < 1 && unit && !Array.isArray(unit) ? [unit.id] : []
        }),
      )
      return included
        .filter((each): each is Resource<Unit> => each.type === 'unit' && !taken.has(each.id))
        .filter(({ attributes }) => start > today.value || !attributes.occupied)
        .sort((one, other) => rank(one) - rank(other) || byName(one, other))
    },
    ['availability.', 'stay.', 'unit.'],
  )
}

const rank = ({ attributes: { status } }: Resource<Unit>) =>
  status === 'Clean' || status === 'Inspected' ? 0 : 1
const byName = (one: Resource<Unit>, other: Resource<Unit>) =>
  one.attributes.name.localeCompare(other.attributes.name, undefined, { numeric: true })
