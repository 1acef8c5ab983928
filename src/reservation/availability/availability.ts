/** Dates from the first to the last, both in it; YYYY-MM-DD. */
export interface Dates {
  first: string
  last: string
}

/**
 * What is known of one night of a unit type, named by the date on which it begins; a day use takes its day. A unit that is left
 * in the morning is free that night.
 */
export interface NightFacts {
  /** How many units there are by what the PMS last reported; null when it reported nothing. */
  capacity: number | null
  /** Units of the type, in service or not. */
  units: number
  /** Those of them that are blocked on the date, or out of order. */
  out: number
  /** Units that stays hold, and those of guests who are still there past their time. */
  held: number
}

/**
 * How many units can be sold for the night; below zero when more are sold than there are. Null when nothing is known of
 * the type: the appliance has none of its units, and nobody reported how many there are.
 */
export function leftOn({ capacity, units, out, held }: NightFacts): number | null {
  if (capacity !== null) return capacity - out - held
  return units === 0 ? null : units - out - held
}

/** The capacity by which as many units are left now as the PMS reports. What is booked or released later changes that. */
export function capacityReported(quantity: number, { out, held }: NightFacts): number {
  return quantity + out + held
}

/** Dates with as many units on each; both ends are in it. */
export interface Period {
  startDate: string
  endDate: string
  quantity: number
}

/** The dates, which follow one another, as the fewest periods. What is not known is left out; less than none is none. */
export function periodsOf(dates: readonly { date: string; left: number | null }[]): Period[] {
  const periods: Period[] = []
  let open: Period | null = null
  for (const { date, left } of dates) {
    const quantity = left === null ? null : Math.max(0, left)
    if (open && open.quantity === quantity) open.endDate = date
    else {
      open = quantity === null ? null : { startDate: date, endDate: date, quantity }
      if (open) periods.push(open)
    }
  }
  return periods
}
