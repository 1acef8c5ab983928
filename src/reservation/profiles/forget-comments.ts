import { command } from '../../resource/command.ts'
import { erasedAttributes, personalCondition } from '../../resource/personal.ts'
import { dayOf, inSlice, type Slice, type Sliced } from '../../resource/slice.ts'
import { reservation } from '../resources/reservation.ts'
import { stay } from '../resources/stay.ts'

/** Processes one slice of all stays: clears the comments on stays whose guests left before `slice.before`. */
export const forgetStayComments = command('retention/stay-comments', (tx, slice: Slice): Sliced => {
  const condition = `${personalCondition(stay)} AND endDate < ? AND status <> 'InHouse'`
  const rows = { table: stay.table, condition, values: [dayOf(slice.before)] }
  return inSlice(tx, rows, slice, (part, id) => part.overwrite(stay, id, erasedAttributes(stay)))
})

/**
 * Processes one slice of all reservations: clears the comments on reservations whose guests left before `slice.before`,
 * and on those without stays that were made before it.
 */
export const forgetReservationComments = command(
  'retention/reservation-comments',
  (tx, slice: Slice): Sliced => {
    const isOver = '(departure < ? OR (departure IS NULL AND createdAt < ?))'
    const condition = `${personalCondition(reservation)} AND ${isOver} AND coalesce(status, '') <> 'InHouse'`
    const rows = { table: reservation.table, condition, values: [dayOf(slice.before), slice.before] }
    return inSlice(tx, rows, slice, (part, id) =>
      part.overwrite(reservation, id, erasedAttributes(reservation)),
    )
  },
)
