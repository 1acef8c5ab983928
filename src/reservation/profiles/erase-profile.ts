import { errorAnswer } from '../../jsonapi/errors.ts'
import { command, type Document, type Transaction } from '../../resource/command.ts'
import { erasedAttributes, isPersonal, personalCondition } from '../../resource/personal.ts'
import { Problem } from '../../resource/problem.ts'
import { ridOf, uuidText } from '../../resource/uuid-sql.ts'
import { erasedName, type Profile, profile } from '../resources/profile.ts'
import { reservation } from '../resources/reservation.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { eraseReasons } from './forget-reasons.ts'

type StayOfGuest = Pick<Stay, 'id' | 'reservationId' | 'status'> & {
  /** Whether it says something about the guest: 0 or 1. */
  isPersonal: number
}

/** A person whose personal data are erased, with all stays of this person. */
interface ErasedGuest {
  profile: Profile
  stays: readonly StayOfGuest[]
  /** The ids of the reservations of these stays. */
  reservationIds: readonly string[]
}

/**
 * Erases what another module stores about a guest. `expect` throws a Problem while the data are still needed. All
 * `expect` functions run before anything is erased.
 */
export interface Eraser {
  expect?(tx: Transaction, guest: ErasedGuest): void
  erase(tx: Transaction, guest: ErasedGuest): void
}

export interface EraseInput {
  id: string
  revision?: number | undefined
  /** The person was erased before, and came back with a backup: nothing is waited for. */
  isAgain?: true
}

/** The attributes of an erased profile. */
export const anonymous = { ...erasedAttributes(profile), ...erasedName }

/** Every stay of a person: a company may have booked thousands. */
const staysOfGuest = `SELECT ${uuidText('stay.id')} AS id, ${uuidText('reservation.id')} AS reservationId, stay.status,
  ${personalCondition(stay)} AS isPersonal
  FROM stay JOIN reservation ON reservation.rid = stay.reservationId
  WHERE stay.rid IN (SELECT owner FROM stay_profile WHERE stay_profile.id = ${ridOf('profile')}) ORDER BY stay.rid`

/**
 * Erases a guest's personal data: the profile, the comments on its stays and reservations, the reasons in the audit
 * log, the data of other modules, and the answers kept for repeated requests. Receipts remain, because accounting needs them. Returns the document of
 * the erased profile. Throws `personal-data-needed` while the guest is in house, and the Problems of the erasers'
 * `expect`.
 */
export const eraseProfile = (erasers: readonly Eraser[]) =>
  command('erase-profile', (tx, input: EraseInput): Document => {
    tx.expectRevision(profile, { ...input })
    const guest = guestOf(tx, input.id)
    if (!input.isAgain) expectOver(tx, guest, erasers)
    for (const { erase } of erasers) erase(tx, guest)
    eraseTexts(tx, guest)
    eraseReasons(
      tx,
      guest.stays.map((each) => `stays/${each.id}`),
    )
    const { id, profileType } = guest.profile
    // A company must have a name.
    const companyName = profileType === 'Company' ? 'Erased' : null
    const after = tx.patch(profile, id, { ...anonymous, companyName })
    for (const each of [id, ...guest.reservationIds]) tx.replaceAnswers(each, { keptAnswer: erasedAnswer() })
    tx.settleSearch()
    tx.journal('profile.anonymized', `profiles/${id}`, { revision: after.revision })
    return tx.document(profile, id)
  })

function guestOf(tx: Transaction, id: string): ErasedGuest {
  const found = tx.find(profile, id)
  const stays = tx.all<StayOfGuest>(staysOfGuest, found.id)
  return { profile: found, stays, reservationIds: [...new Set(stays.map((each) => each.reservationId))] }
}

/** Throws personal-data-needed. */
function expectOver(tx: Transaction, guest: ErasedGuest, erasers: readonly Eraser[]): void {
  const present = guest.stays.find(({ status }) => status === 'InHouse')
  if (present) throw needed('The guest is in house. Check out first.', { stayId: present.id })
  for (const { expect } of erasers) expect?.(tx, guest)
}

function eraseTexts(tx: Transaction, { stays, reservationIds }: ErasedGuest): void {
  for (const each of stays) if (each.isPersonal) tx.patch(stay, each.id, erasedAttributes(stay))
  for (const id of reservationIds) {
    if (isPersonal(reservation, tx.find(reservation, id)))
      tx.patch(reservation, id, erasedAttributes(reservation))
  }
}

/** Returns the `personal-data-needed` Problem with the reason why the data cannot be erased yet. */
export function needed(detail: string, meta: Record<string, unknown>): Problem {
  return new Problem('personal-data-needed', detail, { meta })
}

/** The answer to a repeated request whose kept answer was erased. The request is not executed again. */
function erasedAnswer() {
  return errorAnswer(
    new Problem(
      'idempotency-key-reused',
      'The request was executed before. Its answer held personal data and was erased.',
      { header: 'Idempotency-Key' },
    ),
  )
}
