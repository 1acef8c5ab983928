import { stayAmountForm } from '../../../reservation/pricing/stay-amount.ts'
import type { AddressInput } from '../../../reservation/values/address.ts'
import { type PersonCountInput, personCount } from '../../../reservation/values/persons.ts'
import { Problem } from '../../../resource/problem.ts'
import { presentCountry } from '../../../resource/values/country-code.ts'
import { firstNameOf } from '../../../resource/values/person-name.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../shared-reservation.ts'

/** The same reservation in the one form for everything that means the same, as far as the form of a member is known. */
export function canonical(value: SharedReservation): SharedReservation {
  return { ...value, stays: value.stays.map(canonicalStay) }
}

function canonicalStay(stay: SharedStay): SharedStay {
  const reported: SharedStay = { ...stay }
  if (reported.startTime) reported.startTime = reported.startTime.slice(0, 5)
  if (reported.endTime) reported.endTime = reported.endTime.slice(0, 5)
  if (reported.personCount) reported.personCount = countForm(reported.personCount)
  if (reported.amount) reported.amount = orAsItIs(reported.amount, stayAmountForm)
  if (reported.guests) reported.guests = reported.guests.map(canonicalGuest)
  return reported
}

/** A first name that is only a sign is none, and a country is its present code. An unknown nationality says nothing. */
function canonicalGuest({ nationality, addresses, ...guest }: SharedGuest): SharedGuest {
  const present = nationality ? (presentCountry(nationality) ?? undefined) : nationality
  return {
    ...guest,
    firstName: firstNameOf(guest.firstName),
    ...(present !== undefined && { nationality: present }),
    ...(addresses && { addresses: addresses.map(canonicalAddress) }),
  }
}

/** An unknown country is none, and a region that is not of the country is left out: no booking is refused for them. */
function canonicalAddress(address: AddressInput): AddressInput {
  if (!address.country) return address
  const country = presentCountry(address.country)
  if (country === address.country) return address
  const isOfCountry = country !== null && address.regionCode?.startsWith(`${country}-`)
  return { ...address, country, ...(!isOfCountry && { regionCode: null }) }
}

function countForm(input: PersonCountInput): PersonCountInput {
  return orAsItIs(input, () => {
    const { adults, children, childrenAges, infants } = personCount(input, {})
    return { adults, children, infants, ...(childrenAges && { childrenAges }) }
  })
}

/** What has no such form stays as it is: it is refused when it is stored. */
function orAsItIs<Value>(value: Value, form: (value: Value) => Value): Value {
  try {
    return form(value)
  } catch (error) {
    if (error instanceof Problem) return value
    throw error
  }
}
