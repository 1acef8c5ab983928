import type { Transaction } from '../../resource/command.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import { firstNameOf, isName } from '../../resource/values/person-name.ts'
import { anonymous } from '../profiles/erase-profile.ts'
import { profileOfPerson } from '../profiles/person.ts'
import { settingsIn } from '../resources/house.ts'
import { type Profile, profile } from '../resources/profile.ts'
import type { ProfileEntry, Stay } from '../resources/stay.ts'
import { type AddressInput, profileAddresses } from '../values/address.ts'
import { type EmailInput, profileEmails } from '../values/email.ts'
import { plainLetters } from '../values/name-spelling.ts'
import { type PhoneNumberInput, profilePhoneNumbers } from '../values/phone-number.ts'
import type { ProfileRole } from '../values/profile-role.ts'
import { referenced } from '../values/value-problems.ts'
import type { Difference } from './difference.ts'

type Details = Record<string, unknown>

/** The guests of a stay in an import, compared with those that are stored. */
export interface GuestChange {
  differences: Difference[]
  /** All guests of the stay after the import. */
  profiles: ProfileEntry[]
  /** New details of guests whom the stay has already. `at` is the index of the guest in the import. */
  details: { at: number; id: string; attributes: Details }[]
  /** The stored profile of each guest of the import; null for one that is new, or was erased. */
  persons: (Profile | null)[]
}

/**
 * Compares the guests of an import with those of a stay, by their names, and then role by role and in their order. A guest of the
 * same name, spelled in any way, is the same person, whose details can differ; one whose role the desk has given to another
 * guest of the stay keeps the new role. Another name is another person, who takes the place. Details that the import leaves
 * out, guests that it does not name, and a guest whose data were erased are no differences. A guest who has other stays than
 * `staysWith` returns keeps each detail that is known, because the bookings of one person may state different ones.
 */
export function compareGuests(
  tx: Transaction,
  { profiles }: Stay,
  given: readonly ProfileEntry[],
  staysWith: (entry: ProfileEntry) => string[],
): GuestChange {
  const kept = (profiles ?? []).map(({ id, role = null }) => ({ ...tx.find(profile, id), role }))
  const known = given.map((entry, at) => knownPerson(tx, entry, at))
  const change: GuestChange = {
    differences: [],
    profiles: kept.map(({ id, role }) => ({ id, role })),
    details: [],
    persons: [...known],
  }
  const places = placesOf(kept, given, known)
  for (const [at, entry] of given.entries()) {
    const role = roleOf(entry)
    const [person, stored] = [known[at] ?? null, places[at] ?? null]
    if (stored && (stored.id === person?.id || isErased(stored))) continue
    const wanted = person ?? ((entry.profile ?? {}) as Profile)
    if (stored && !person && isSamePerson(stored, wanted)) {
      change.persons[at] = stored
      const isShared = hasOtherStays(tx, stored.id, staysWith(entry))
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
    const guest = person ? { id: person.id, role } : { ...entry, role }
    if (stored) change.profiles[kept.indexOf(stored)] = guest
    else change.profiles.push(guest)
  }
  return change
}

type Kept = Profile & { role: ProfileRole | null }

const roleOf = ({ role }: ProfileEntry) => role ?? 'PrimaryGuest'

/** Returns the guest of the stay whom each guest of the import is, or whose place a guest of another name takes. */
function placesOf(
  kept: readonly Kept[],
  given: readonly ProfileEntry[],
  known: readonly (Profile | null)[],
): (Kept | undefined)[] {
  const places = known.map((person) => kept.find(({ id }) => id === person?.id))
  const isNamed = (each: Kept, at: number) =>
    !known[at] && !isErased(each) && hasName(each, (given[at]!.profile ?? {}) as Profile)
  const hasRole = (each: Kept, at: number) => each.role === roleOf(given[at]!)
  const rules = [
    (each: Kept, at: number) => hasRole(each, at) && isNamed(each, at),
    (each: Kept, at: number) => kept.some((other) => hasRole(other, at)) && isNamed(each, at),
    hasRole,
  ]
  for (const rule of rules)
    for (const at of given.keys())
      places[at] ??= kept.find((each) => !places.includes(each) && rule(each, at))
  return places
}

function knownPerson(tx: Transaction, { id, profile: whole }: ProfileEntry, at: number): Profile | null {
  if (id) return referenced(tx, profile, id, `/profiles/${at}/id`)
  return whole ? profileOfPerson(tx, whole) : null
}

/** Returns whether the data of a guest were erased: by request, or by the retention of the settings. */
function isErased({ firstName, lastName }: Profile): boolean {
  return firstName === anonymous.firstName && lastName === anonymous.lastName
}

/** Returns whether the data of a guest of the stay were erased. */
export function hasErasedGuest(tx: Transaction, { profiles }: Stay): boolean {
  return (profiles ?? []).some(({ id }) => isErased(tx.find(profile, id)))
}

const isSame = (one = '', other = '') => plainLetters(one) === plainLetters(other)

function hasName(stored: Profile, given: Profile): boolean {
  return (
    isSame(stored.lastName, given.lastName) &&
    isSame(firstNameOf(stored.firstName), firstNameOf(given.firstName))
  )
}

/** A first name that one of the two does not have makes no other person. */
function isSamePerson(stored: Profile, given: Profile): boolean {
  const isUnnamed = [stored, given].some(({ firstName }) => firstNameOf(firstName) === '')
  return hasName(stored, given) || (isUnnamed && isSame(stored.lastName, given.lastName))
}

function hasOtherStays(tx: Transaction, profileId: string, stayIds: readonly string[]): boolean {
  const own = stayIds.map(() => ridOf('stay')).join()
  const others = `SELECT count(*) FROM stay_profile WHERE id = ${ridOf('profile')} AND owner NOT IN (${own})`
  return tx.count(others, profileId, ...stayIds) > 0
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
