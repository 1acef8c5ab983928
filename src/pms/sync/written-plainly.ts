import { reservation } from '../../reservation/resources/reservation.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import type { Fields } from '../../resource/field.ts'
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
interface Written {
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
  const stays = local.stays.map((each) => {
    const row = written.find(({ here }) => here === each)?.row
    return row ? { ...each, ...asKept(stay.fields, plainMembers, row) } : each
  })
  const members = Object.keys(changed)
  return canonical({ ...local, ...asKept(reservation.fields, members, changed), stays })
}

/** Values as they are read again: a text in the form in which it is kept. */
function asKept(fields: Fields, names: readonly string[], values: object): object {
  const all = values as Record<string, unknown>
  return Object.fromEntries(
    names.map((name) => {
      const value = all[name] ?? null
      return [name, typeof value === 'string' ? fields[name]!.encode(value as never) : value]
    }),
  )
}
