import { firstNameOf } from '../../../resource/values/person-name.ts'
import type { SharedGuest } from '../../sync/shared-reservation.ts'
import type { Intent } from '../../sync-contract.ts'
import type { OperaCall, OperaClient } from './client.ts'
import { guestsOf } from './map-in.ts'
import type { OperaReservation } from './records.ts'
import type { Done } from './work.ts'

/** The members of a guest that a profile takes without a code of the property. */
const names = ['firstName', 'middleName', 'lastName', 'title', 'birthDate', 'nationality'] as const

/**
 * Changes the profiles of guests whom OPERA has. Guests who are added or removed, addresses, telephone numbers and languages
 * stay here: OPERA wants codes of the property for them.
 */
export async function writeGuests(
  { from, to }: Intent,
  { reservationGuest }: OperaReservation,
  client: OperaClient,
  call: OperaCall,
): Promise<Done> {
  const there = guestsOf(reservationGuest)
  let [isWritten, isWhole] = [false, to.guests?.length === from.guests?.length]
  for (const guest of to.guests ?? []) {
    const { externalId } = guest
    const before = from.guests?.find((each) => each.externalId === externalId)
    const known = there.find((each) => each.externalId === externalId)
    if (!externalId || !before || !known) {
      isWhole = false
      continue
    }
    const changed = names.filter((name) => (guest[name] ?? null) !== (before[name] ?? null))
    isWhole &&= isAllOf(changed, guest, before)
    if (changed.every((name) => (known[name] ?? null) === (guest[name] ?? null))) continue
    const body = { profileDetails: { customer: customerOf(guest) } }
    await client.ask(
      { method: 'PUT', path: '/crm/v1/profiles/{profileId}', ids: { profileId: externalId }, body },
      call,
    )
    isWritten = true
  }
  if (!isWhole) return { is: 'not-expressible' }
  return { is: isWritten ? 'done' : 'already-done' }
}

/** Whether these members are all that has changed of a guest. */
function isAllOf(changed: readonly string[], guest: SharedGuest, before: SharedGuest): boolean {
  const rest = (each: SharedGuest) =>
    Object.entries(each).filter(([name, value]) => ![...changed, 'localId'].includes(name) && value !== null)
  return JSON.stringify(rest(guest).sort()) === JSON.stringify(rest(before).sort())
}

function customerOf({ firstName, middleName, lastName, title, birthDate, nationality }: SharedGuest) {
  const name = {
    nameType: 'Primary',
    ...(firstNameOf(firstName) && { givenName: firstName.slice(0, 40) }),
    ...(middleName && { middleName: middleName.slice(0, 40) }),
    surname: lastName.slice(0, 40),
    ...(title && { namePrefix: title }),
  }
  return { personName: [name], ...(birthDate && { birthDate }), ...(nationality && { nationality }) }
}
