import type { AddressInput } from './address.ts'
import { isGuest, type ProfileRole } from './profile-role.ts'

/** The fields that a house may require of the registration of a guest, in the order of a form. */
export const registrationFields = [
  'lastName',
  'birthDate',
  'nationality',
  'address',
  'documentType',
  'documentNumber',
  'documentCountry',
  'acceptedRules',
  'signature',
] as const
export type RegistrationField = (typeof registrationFields)[number]

export const documentTypes = [
  'Passport',
  'IdentityCard',
  'ResidencePermit',
  'DrivingLicence',
  'Other',
] as const

/** Of an address that the house requires. A street or a place, a town and a country make one. */
const addressMembers = ['line1', 'city', 'country'] as const

/** What a registration has of the fields. */
export type Filled = { [Name in Exclude<RegistrationField, 'address'>]?: unknown } & {
  address?: AddressInput | null | undefined
  signedOnPaper?: boolean | null | undefined
}

/** What a guest of a stay lacks. */
export interface MissingRegistration {
  /** Null for a guest who is not named yet. */
  profileId: string | null
  /** Pointers into the registration; empty where there is none. */
  fields: readonly string[]
}

/**
 * Returns what a registration lacks of the fields that the house requires, as pointers into its attributes, such as
 * `/documentNumber` and `/address/city`. A signature on paper counts as one.
 */
export function missingIn(required: readonly string[], filled: Filled): string[] {
  return registrationFields
    .filter((name) => required.includes(name))
    .flatMap((name) => {
      if (name === 'signature' && filled.signedOnPaper === true) return []
      if (name !== 'address') return filled[name] == null ? [`/${name}`] : []
      return addressMembers
        .filter((member) => !filled.address?.[member])
        .map((member) => `/address/${member}`)
    })
}

/** Returns the ids of the profiles of a stay whose persons sleep in the house: its guests, and not who booked or pays. */
export function guestIds(
  profiles: readonly { id: string; role?: ProfileRole | null }[] | null | undefined,
): string[] {
  return (profiles ?? []).filter(isGuest).map(({ id }) => id)
}
