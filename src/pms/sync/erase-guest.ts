import { anonymous, type Eraser } from '../../reservation/profiles/erase-profile.ts'
import type { Profile } from '../../reservation/resources/profile.ts'
import { reservation } from '../../reservation/resources/reservation.ts'
import { stay } from '../../reservation/resources/stay.ts'
import type { Transaction } from '../../resource/command.ts'
import { personalFields } from '../../resource/personal.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import { firstNameOf, isName } from '../../resource/values/person-name.ts'
import { quarantinedMessage } from '../resources/quarantined-message.ts'
import { syncConflict } from '../resources/sync-conflict.ts'
import { syncOffer } from '../resources/sync-offer.ts'
import { syncRecord } from '../resources/sync-record.ts'

type Person = Pick<Profile, 'id' | 'firstName' | 'lastName'>

/**
 * Erases a guest from what is kept of the PMS. In what both sides agreed on, and what is on its way, he is found by his name;
 * conflicts of the guest's reservations and quarantined messages are removed as a whole where they name the guest.
 */
export const eraseInSync: Eraser = {
  erase(tx, { profile, reservationIds }) {
    for (const reservationId of reservationIds) eraseReservation(tx, reservationId, profile)
    const others: string[] = []
    for (
      let some = messagesWith(tx, profile, others);
      some.length > 0;
      some = messagesWith(tx, profile, others)
    ) {
      for (const { id, payload } of some) {
        if (!isNamedIn(payload, profile)) {
          others.push(id)
          continue
        }
        // The place of a row in every order outlives it: nothing may be left in it by then.
        tx.patch(quarantinedMessage, id, { payload: '', reason: 'Erased.', externalId: null })
        tx.remove(quarantinedMessage, id)
      }
    }
  },
}

/** The first 1,000 quarantined messages that contain the names of a person, without those of these ids. */
function messagesWith(tx: Transaction, { firstName, lastName }: Person, but: readonly string[]) {
  const has = `instr(payload, ?) AND instr(payload, ?) AND ${uuidText('id')} NOT IN (SELECT value FROM json_each(?))`
  return tx.rows(quarantinedMessage, has, lastName, firstNameOf(firstName), JSON.stringify(but))
}

function eraseReservation(tx: Transaction, reservationId: string, person: Person): void {
  const where = [{ path: 'reservationId', operator: 'eq' as const, value: reservationId }]
  for (const { id, base = null } of tx.select(syncRecord, where))
    tx.patch(syncRecord, id, erased({ base }, person))
  for (const { id, offer } of tx.select(syncOffer, where)) {
    if (offer) tx.patch(syncOffer, id, erased({ offer }, person))
  }
  for (const row of tx.select(syncConflict, where)) {
    if (!isNamedIn(JSON.stringify(row), person)) continue
    tx.patch(syncConflict, row.id, {
      base: null,
      local: null,
      upstream: null,
      sentence: 'Erased.',
      messages: null,
    })
    tx.remove(syncConflict, row.id)
  }
}

/** What is before a name and no part of it: a line end of JSON text, or the name of a field that is two capitals after a bar. */
const before = String.raw`(?<![\p{L}\p{M}\p{N}])|(?<=\\(?:[bfnrt]|u[\da-fA-F]{4}))|(?<=(?:^|\|)[A-Z][A-Z\d])`

/** A single name must be a whole word: `Li` is not in `Lisbon`. Who has no name is named nowhere. */
function isNamedIn(text: string, { firstName, lastName }: Person): boolean {
  const first = firstNameOf(firstName)
  if (first !== '') return text.includes(lastName) && text.includes(first)
  return (
    isName(lastName) &&
    new RegExp(`(?:${before})${RegExp.escape(lastName)}(?![\\p{L}\\p{M}\\p{N}])`, 'u').test(text)
  )
}

const texts = [reservation, stay].flatMap(personalFields)

/** The same with the person's own members taken out, and the texts that may be about him. */
function erased<T>(value: T, person: Person): T {
  return JSON.parse(JSON.stringify(value), (name, each: unknown) => {
    if (texts.includes(name) && typeof each === 'string') return null
    if (!isPerson(each, person)) return each
    const own = Object.entries(each).map(([member, kept]) => [
      member,
      member in anonymous ? anonymous[member as keyof typeof anonymous] : kept,
    ])
    return Object.fromEntries(own)
  }) as T
}

function isPerson(value: unknown, { firstName, lastName }: Person): value is object {
  if (typeof value !== 'object' || value === null) return false
  const named = value as Partial<Person>
  return firstNameOf(named.firstName) === firstNameOf(firstName) && named.lastName === lastName
}
