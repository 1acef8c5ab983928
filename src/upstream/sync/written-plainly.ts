import type { Stay } from '../../reservation/resources/stay.ts'
import { canonical } from './canonical.ts'
import type { SharedReservation, SharedStay } from './shared-reservation.ts'

/** What of a stay is told as its row has it, and changes nothing else that is told. */
const plainMembers = [
  'externalId',
  'startDate',
  'startTime',
  'endDate',
  'endTime',
  'personCount',
  'amount',
  'comment',
  'guestComment',
] as const satisfies readonly (keyof SharedStay & keyof Stay)[]

/** A stay that was written: how it was told before, what of it was to be another, and its row now. */
export interface Written {
  here: SharedStay | null
  given: object
  row: Stay
}

/** The reservation as it is after nothing but this was written; null where only the store can tell. */
export function writtenPlainly(
  local: SharedReservation,
  changed: Partial<SharedReservation>,
  written: readonly Written[],
): SharedReservation | null {
  const isPlain = written.every(
    ({ here, given }) =>
      here && Object.keys(given).every((name) => (plainMembers as readonly string[]).includes(name)),
  )
  if (!isPlain) return null
  const stays = local.stays.map((stay) => {
    const row = written.find(({ here }) => here === stay)?.row as SharedStay | undefined
    return row
      ? { ...stay, ...Object.fromEntries(plainMembers.map((name) => [name, row[name] ?? null])) }
      : stay
  })
  return canonical({ ...local, ...changed, stays })
}
