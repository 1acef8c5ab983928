import { completed } from '../../resource/attributes.ts'
import { command, type Transaction } from '../../resource/command.ts'
import { erasedAttributes } from '../../resource/personal.ts'
import type { Written } from '../../resource/plain-commands.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { having } from '../../resource/query.ts'
import { dayOf, inSlice, type Slice, type Sliced } from '../../resource/slice.ts'
import type { Eraser } from '../profiles/erase-profile.ts'
import { settingsIn } from '../resources/house.ts'
import { profile } from '../resources/profile.ts'
import { type Registration, type RegistrationInput, registration } from '../resources/registration.ts'
import type { Settings } from '../resources/settings.ts'
import { stay } from '../resources/stay.ts'
import { isExpectedOrInHouse, isLive, type StayStatus } from '../stays/rules/status-rules.ts'
import { acceptedNow } from '../values/house-rules.ts'
import { guestIds, type MissingRegistration, missingIn } from '../values/registration-fields.ts'
import { keptAtKiosk } from './kiosk-registration.ts'

export interface Register {
  stayId: string
  profileId: string
  /** The revision of the registration that the caller read. */
  revision?: number | undefined
  /** At a kiosk only what its guest has entered, see `keptAtKiosk`. */
  registration: Partial<RegistrationInput>
  takenByName: string | null
  takenAtKiosk: boolean
}

/**
 * Writes the registration of a guest of a stay. It replaces the one before, of which only the line in the journal remains: more data
 * than the present one are not needed. A kiosk completes the one before, and says with a signature of null that its guest cannot sign
 * there: the answers are kept, and the desk takes the signature. Throws 409 `configuration-disabled` where the house registers no guests, 422 `validation-failed`
 * for each required field that is missing, 404 `not-found` for a person who is no guest of the stay, and 409
 * `stay-status-transition` for a stay that is not to come and not under way.
 */
export const registerGuest = command('register-guest', (tx, input: Register): Written => {
  const { takenByName, takenAtKiosk } = input
  const house = settingsIn(tx)
  const { stayId, profileId } = guestOf(tx, input)
  if (takenAtKiosk && input.registration.signedOnPaper)
    throw invalidValue('/signedOnPaper', 'Only the front desk keeps a signature on paper.')
  const [before] = tx.select(registration, having({ stayId, profileId }))
  expectSeen(tx, before, input.revision)
  const kept = input.takenAtKiosk ? keptAtKiosk(before, tx.find(profile, profileId), house) : {}
  const values = complete(
    { ...input, registration: { ...kept, ...input.registration } },
    before,
    house,
    tx.now,
    takenAtKiosk && input.registration.signature === null,
  )
  const taken = { takenAt: tx.now, takenBy: tx.actor.by, takenByName, takenAtKiosk }
  const row = before
    ? tx.patch(registration, before.id, { ...values, ...taken })
    : tx.insert(registration, { stayId, profileId, ...values, ...taken })
  tx.journal('stay.guest-registered', `stays/${stayId}`, { registrationId: row.id, profileId })
  return { id: row.id, revision: row.revision }
})

function guestOf(tx: Transaction, { stayId, profileId, takenAtKiosk }: Register) {
  const { id, status, profiles } = tx.find(stay, stayId)
  const guest = guestIds(profiles).find((each) => each === profileId.toLowerCase())
  if (!guest)
    throw new Problem(
      'not-found',
      `Profile ${profileId.slice(0, 64)} is no guest of stay ${id}. Add the guest first.`,
    )
  if (!takesRegistration(status, takenAtKiosk))
    throw new Problem(
      'stay-status-transition',
      `The guests of a stay that is ${status} are not registered here.`,
    )
  return { stayId: id, profileId: guest }
}

/** The desk may correct a registration after the departure. */
function takesRegistration(status: StayStatus, atKiosk: boolean): boolean {
  return atKiosk ? isExpectedOrInHouse(status) : isLive(status) || status === 'CheckedOut'
}

function expectSeen(tx: Transaction, before: Registration | undefined, revision: number | undefined): void {
  if (before) tx.expectRevision(registration, { id: before.id, revision })
  else if (revision !== undefined)
    throw new Problem('revision-mismatch', 'The guest has no registration. Send it without If-Match.', {
      header: 'If-Match',
    })
}

/** Returns the values to write. Fields that the body omits are cleared. Throws all that is missing together. */
function complete(
  { registration: given }: Register,
  before: Registration | undefined,
  house: Settings,
  now: number,
  isSignedLater: boolean,
): RegistrationInput {
  const required = house.registrationFields ?? []
  if (required.length === 0)
    throw new Problem(
      'configuration-disabled',
      'The house registers no guests. Set registrationFields in the settings of the house first.',
    )
  const missing = missingIn(required, given).filter((pointer) => !isSignedLater || pointer !== '/signature')
  if (missing.length > 0)
    throw Problem.all(
      missing.map((pointer) =>
        invalidValue(pointer, `The house needs ${pointer.slice(1).replace('/', '.')} of each guest.`),
      ),
    )
  const { acceptedRules } = given
  return {
    ...(completed(registration.fields, given) as RegistrationInput),
    acceptedRules: acceptedRules ? acceptedNow(acceptedRules, before?.acceptedRules, house, now) : null,
  }
}

/**
 * Returns the guests of a stay whose registrations are missing or lack what the house requires. A stay without a named guest lacks one.
 * Nothing is missing where the house registers no guests.
 */
export function missingRegistrations(
  tx: Transaction,
  { registrationFields: required }: Pick<Settings, 'registrationFields'>,
  stayId: string,
  guests: readonly (string | undefined)[],
): MissingRegistration[] {
  if (!required || required.length === 0) return []
  if (guests.length === 0) return [{ profileId: null, fields: [] }]
  const taken = new Map(tx.select(registration, having({ stayId })).map((each) => [each.profileId, each]))
  return guests.flatMap((id): MissingRegistration[] => {
    const found = id === undefined ? undefined : taken.get(id)
    if (!found) return [{ profileId: id ?? null, fields: [] }]
    const fields = missingIn(required, found)
    return fields.length > 0 ? [{ profileId: found.profileId, fields }] : []
  })
}

/** An erased guest has no registrations. They are emptied first: what is removed leaves a copy for the cursors of lists. */
export const eraseRegistrations: Eraser = {
  erase(tx, { profile: { id: profileId } }) {
    for (const { id } of tx.select(registration, having({ profileId }))) {
      tx.overwrite(registration, id, erasedAttributes(registration))
      tx.remove(registration, id)
    }
  },
}

const hasLeft = `EXISTS (SELECT 1 FROM stay WHERE stay.rid = registration.stayId AND stay.endDate < ? AND stay.status <> 'InHouse')`

/** Processes one slice of all registrations: removes those of stays that ended before `slice.before`. */
export const forgetRegistrations = command('retention/registrations', (tx, slice: Slice): Sliced => {
  const rows = { table: registration.table, condition: hasLeft, values: [dayOf(slice.before)] }
  return inSlice(tx, rows, slice, (part, id) => part.remove(registration, id))
})

export const registrationCommands = [registerGuest]
