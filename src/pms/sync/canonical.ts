import { stayAmountForm } from '../../reservation/pricing/stay-amount.ts'
import { type PersonCountInput, personCount } from '../../reservation/profiles/persons.ts'
import { Problem } from '../../resource/problem.ts'
import type { SharedReservation, SharedStay } from './shared-reservation.ts'

/** The same reservation in the one form for everything that means the same, as far as the form of a member is known. */
export function canonical(value: SharedReservation): SharedReservation {
  return { ...value, stays: value.stays.map(canonicalStay) }
}

function canonicalStay(stay: SharedStay): SharedStay {
  const told: SharedStay = { ...stay }
  if (told.startTime) told.startTime = told.startTime.slice(0, 5)
  if (told.endTime) told.endTime = told.endTime.slice(0, 5)
  if (told.personCount) told.personCount = countForm(told.personCount)
  if (told.amount) told.amount = orAsItIs(told.amount, stayAmountForm)
  return told
}

function countForm(input: PersonCountInput): PersonCountInput {
  return orAsItIs(input, () => {
    const { adults, children, childrenAges, infants } = personCount(input, {})
    return { adults, children, infants, ...(childrenAges && { childrenAges }) }
  })
}

/** What has no such form is left to whoever has to keep it. */
function orAsItIs<Value>(value: Value, form: (value: Value) => Value): Value {
  try {
    return form(value)
  } catch (error) {
    if (error instanceof Problem) return value
    throw error
  }
}
