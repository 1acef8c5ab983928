/**
 * Returns how many times a price per night is charged on a stay of this many nights: once for each night, and once for
 * a day use, which has none.
 */
export function chargedNights(nights: number): number {
  return Math.max(1, nights)
}
