import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import { first, having } from '../../resource/query.ts'
import { cachedSettings } from '../resources/house.ts'
import { type Profile, profile } from '../resources/profile.ts'
import { type Registration, type RegistrationInput, registration } from '../resources/registration.ts'
import type { Settings } from '../resources/settings.ts'
import { stay } from '../resources/stay.ts'
import { guestIds, type MissingRegistration, missingIn } from '../values/registration-fields.ts'

type House = Pick<Settings, 'registrationFields' | 'houseRulesVersion'>

/**
 * Returns what a registration at a kiosk has before its guest says anything: what was written before, else the name on file. A kiosk
 * reads no registration, and so cannot send it back. An address that lacks a part, and accepted rules that are not the present ones,
 * are asked for again.
 */
export function keptAtKiosk(
  before: Registration | undefined,
  { firstName, lastName }: Pick<Profile, 'firstName' | 'lastName'>,
  { houseRulesVersion }: House,
): RegistrationInput {
  if (!before) return { firstName, lastName }
  const { id, createdAt, updatedAt, revision, stayId, profileId, ...kept } = before
  const { takenAt, takenBy, takenByName, takenAtKiosk, ...input } = kept
  const { address, acceptedRules } = input
  return {
    ...input,
    address: address && missingIn(['address'], { address }).length === 0 ? address : null,
    acceptedRules: acceptedRules?.version === houseRulesVersion ? (acceptedRules ?? null) : null,
  }
}

/**
 * Returns what a kiosk asks the guests of a stay before their check-in: for each guest the pointers of what the registration lacks, and
 * one with `profileId` null for a stay whose guest has no name. Empty where the house registers no guests, and where the desk has
 * said why these guests are not registered. Throws 404 `not-found`.
 */
export function questionsFor(reader: Reader, stayId: string): MissingRegistration[] {
  const found = reader.row(stay, stayId)
  if (!found) throw new Problem('not-found', `There is no ${stay.type} ${stayId.slice(0, 64)}.`)
  const house = cachedSettings(reader)
  const required = house?.registrationFields ?? []
  if (!house || required.length === 0 || found.registrationWaiver) return []
  const guests = guestIds(found.profiles)
  if (guests.length === 0) return [{ profileId: null, fields: [] }]
  const taken = reader.rows(registration, first(having({ stayId: found.id })))
  return guests.flatMap((profileId) => {
    const before = taken.find((each) => each.profileId === profileId)
    const person = reader.row(profile, profileId)
    const fields = person ? missingIn(required, keptAtKiosk(before, person, house)) : []
    // The name on file is all that this house needs: it is written when the guest has confirmed it.
    return fields.length > 0 || !before ? [{ profileId, fields }] : []
  })
}
