import type { Rule } from '../resource/resource.ts'

/** The name of the counter of what upstream told of a date. Names of one type are in the order of their dates. */
export function capacityCounter(unitTypeId: string, date: string): string {
  return `capacity/${unitTypeId}/${date}`
}

/** Greater than every date in the order of texts. */
const afterAllDates = '~'

/** What was told of a unit type goes with it. */
export function capacityGoes({ tx, id }: Parameters<Rule>[0]): void {
  tx.forget(capacityCounter(id, ''), capacityCounter(id, afterAllDates))
}
