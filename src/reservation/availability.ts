/**
 * What is known of one date of a unit type: of the night that begins on it, or of a day use on it. A unit that is left
 * in the morning is free that night.
 */
export interface DateFacts {
  /** What upstream last told for the date, with what was used of it at that moment; null when nobody told anything. */
  capacity: number | null
  /** Units of the type, in service or not. */
  units: number
  /** Those of them that are blocked on the date, or out of order. */
  out: number
  /** What stays hold of the type, guests who are still there past their time among them. */
  held: number
}

/**
 * How many units can be sold for the date; below zero when more are sold than there are. Null when nothing is known of
 * the type: the appliance has none of its units, and nobody told how many there are.
 */
export function leftOn({ capacity, units, out, held }: DateFacts): number | null {
  if (capacity !== null) return capacity - out - held
  return units === 0 ? null : units - out - held
}

/** The capacity by which as many units are left now as upstream tells. What is booked or released later changes that. */
export function capacityTold(quantity: number, { out, held }: DateFacts): number {
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
