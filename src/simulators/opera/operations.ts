import type { Bookings } from './bookings.ts'
import { cashiering } from './cashiering.ts'
import { frontDesk } from './front-desk.ts'
import type { Operation } from './gateway.ts'
import { housekeeping } from './housekeeping.ts'
import { reservations } from './reservations.ts'

/** The operations of the simulated property, by method and path as they are published. */
export function operations(house: Bookings): Record<string, Operation> {
  return { ...reservations(house), ...frontDesk(house), ...cashiering(house), ...housekeeping(house) }
}
