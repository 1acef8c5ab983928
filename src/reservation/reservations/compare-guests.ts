import type { Transaction } from '../../resource/command.ts'
import { firstNameOf, isName } from '../../resource/person-name.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import { type AddressInput, profileAddresses } from '../profiles/address.ts'
import { type EmailInput, profileEmails } from '../profiles/email.ts'
import { anonymous } from '../profiles/erase-profile.ts'
import { plainLetters } from '../profiles/name-spelling.ts'
import { profileOfPerson } from '../profiles/person.ts'
import { type PhoneNumberInput, profilePhoneNumbers } from '../profiles/phone-number.ts'
import { settingsIn } from '../property/house.ts'
import { type Profile, profile } from '../resources/profile.ts'
import type { ProfileEntry, Stay } from '../resources/stay.ts'
import { referenced } from '../value-problems.ts'
import type { Difference } from './difference.ts'

type Details = Record<string, unknown>

/** The guests of a stay in an import, compared with those that are stored. */
export interface GuestChange {
  differences: Difference[]
  /** All guests of the stay after the import. */
  profiles: ProfileEntry[]
  /** New details of guests whom the stay has already. `at` is the index of the guest in the import. */
  details: { at: number; id: string; attributes: Details }[]
}

/**
 * Compares the guests of an import with those of a stay, role by role and in their order. A guest of the same name, spelled in
 * any way, is the same person, whose details can differ. Another name is another person, who takes the place. Details that the
 * import leaves out, guests that it does not name, and a guest whose data were erased are no differences. A guest who has other
 * stays too keeps each detail that is known, because the bookings of one person may state different ones.
 */
export function compareGuests(
  tx: Transaction,
  { id: stayId, profiles }: Stay,
  given: readonly ProfileEntry[],
): GuestChange {
  const kept = (profiles ?? []).map(({ id, role = null }) => ({ id, role }))
  const change: GuestChange = { differences: [], profiles: [...kept], details: [] }
  const free = new Set(kept)
  for (const [at, entry] of given.entries()) {
    const role = entry.role ?? 'PrimaryGuest'
    const known = knownPerson(tx, entry, at)
    const same = kept.find(({ id }) => id === known?.id)
    const place = same ?? kept.find((each) => free.has(each) && each.role === role)
    if (place) free.delete(place)
    if (same) continue
    const stored = place ? tx.find(profile, place.id) : null
    if (stored && isErased(stored)) continue
    const wanted = known ?? ((entry.profile ?? {}) as Profile)
    if (stored && !known && isSamePerson(stored, wanted)) {
      const isShared = hasOtherStays(tx, stored.id, stayId)
      const found = newDetails(tx, stored, wanted, { isShared, at })
      change.differences.push(...found.differences)
      if (found.differences.length > 0)
        change.details.push({ at, id: stored.id, attributes: found.attributes })
      continue
    }
    for (const name of ['lastName', 'firstName'] as const) {
      const [is, becomes] = [stored?.[name] || null, wanted[name] || null]
      if (is !== becomes)
        change.differences.push({ field: `profiles/${at}/${name}`, stored: is, given: becomes })
    }
    const guest = known ? { id: known.id, role } : { ...entry, role }
    if (place) change.profiles[kept.indexOf(place)] = guest
    else change.profiles.push(guest)
  }
  return change
}

function knownPerson(tx: Transaction, { id, profile: whole }: ProfileEntry, at: number): Profile | null {
  if (id) return referenced(tx, profile, id, `/profiles/${at}/id`)
  return whole ? profileOfPerson(tx, whole) : null
}

/** Returns whether the data of a guest were erased: by request, or by the retention of the settings. */
function isErased({ firstName, lastName }: Profile): boolean {
  return firstName === anonymous.firstName && lastName === anonymous.lastName
}

/** A first name that one of the two does not have makes no other person. */
function isSamePerson(stored: Profile, given: Profile): boolean {
  const [had, has] = [firstNameOf(stored.firstName), firstNameOf(given.firstName)]
  const isSame = (one: string, other: string) => plainLetters(one) === plainLetters(other)
  return isSame(stored.lastName, given.lastName) && (had === '' || has === '' || isSame(had, has))
}

function hasOtherStays(tx: Transaction, profileId: string, stayId: string): boolean {
  const others = `SELECT count(*) FROM stay_profile WHERE id = ${ridOf('profile')} AND owner <> ${ridOf('stay')}`
  return tx.count(others, profileId, stayId) > 0
}

/** The lists of a profile, each with its items in their stored form and the text that is compared and shown. */
const lists = {
  emails: { form: (items: unknown) => profileEmails(items as EmailInput[]), text: 'address' },
  phoneNumbers: {
    form: (items: unknown, country: string) => profilePhoneNumbers(items as PhoneNumberInput[], country),
    text: 'number',
  },
  addresses: { form: (items: unknown) => profileAddresses(items as AddressInput[]), text: null },
} as const

/** How many items a list of a profile has at most. */
const mostItems = 20

function newDetails(
  tx: Transaction,
  stored: Profile,
  given: Profile,
  { isShared, at }: { isShared: boolean; at: number },
): { differences: Difference[]; attributes: Details } {
  const differences: Difference[] = []
  const attributes: Details = {}
  for (const [name, value] of Object.entries(given)) {
    const had = stored[name as keyof Profile] ?? null
    if (value === null || value === '' || (name === 'firstName' && !isName(value as string))) continue
    const list = name in lists ? lists[name as keyof typeof lists] : null
    const becomes = list
      ? withItems(list, had, value, settingsIn(tx).country)
      : { value, text: String(value) }
    if (!becomes || becomes.value === had || (isShared && had !== null && had !== '')) continue
    attributes[name] = becomes.value
    const before = list ? textOf(list, had) : String(had ?? '')
    differences.push({ field: `profiles/${at}/${name}`, stored: before || null, given: becomes.text })
  }
  return { differences, attributes }
}

type List = (typeof lists)[keyof typeof lists]

/** Returns the list with the given items first, and their text; null when the stored list has all of them. */
function withItems(list: List, stored: unknown, given: unknown, country: string) {
  const [kept, items] = [(stored ?? []) as object[], list.form(given, country) as object[]]
  const keys = new Set(kept.map((item) => keyOf(list, item)))
  if (items.every((item) => keys.has(keyOf(list, item)))) return null
  const wanted = new Set(items.map((item) => keyOf(list, item)))
  const others = kept.filter((item) => !wanted.has(keyOf(list, item)))
  const value = [...items, ...others.map((item) => ({ ...item, primary: false }))].slice(0, mostItems)
  return { value, text: textOf(list, items) }
}

function keyOf({ text }: List, item: object): string {
  if (text) return String((item as Details)[text]).toLowerCase()
  const { primary: _, type: __, ...rest } = item as Details
  return JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function textOf({ text }: List, items: unknown): string {
  const shown = (item: Details) =>
    text
      ? String(item[text])
      : Object.values(item)
          .filter((part) => typeof part === 'string')
          .join(' ')
  return ((items ?? []) as Details[]).map(shown).join(', ')
}
