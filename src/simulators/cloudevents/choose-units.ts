import type {
  UnitAssignmentReplied,
  UnitAssignmentRequested,
} from '../../pms/adapters/cloudevents/messages/message-data.ts'
import type { Book } from './book.ts'
import type { UnitsByType } from './units.ts'

/** Chooses the first units of the types that no reservation of the book has on these nights. */
export function chooseUnits(
  { reservations }: Book,
  units: UnitsByType,
  { unitTypeCodes, startDate, endDate }: UnitAssignmentRequested,
): UnitAssignmentReplied {
  const taken = new Set(
    [...reservations.values()]
      .flatMap(({ value }) => value?.stays ?? [])
      .filter((stay) => stay.startDate < endDate && startDate < stay.endDate)
      .flatMap((stay) => stay.units?.flatMap(({ unitName }) => unitName ?? []) ?? []),
  )
  const chosen: string[] = []
  for (const code of unitTypeCodes) {
    const free = units[code]?.find((unitName) => !taken.has(unitName))
    if (free === undefined) return { is: 'none-eligible', reason: `All units of ${code} are taken.` }
    taken.add(free)
    chosen.push(free)
  }
  return { is: 'chosen', unitNames: chosen }
}
