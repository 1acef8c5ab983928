/** The parts of a person's name. Every person has a last name; one with a single name has no first name. */
export interface PersonName {
  firstName?: string | null | undefined
  lastName?: string | null | undefined
}

const letter = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u

/** Returns whether a part of a name has a letter or a digit. Many systems write a sign such as `-` where a person has no first name. */
export function isName(part: string | null | undefined): part is string {
  return letter.test(part ?? '')
}

/** Returns a first name as it is stored: as it is written, and empty where it is no name (`isName`). */
export function firstNameOf(written: string | null | undefined): string {
  return isName(written) ? written : ''
}

/** Returns the first and the last name as they are shown, without the one that is no name, and with single spaces. */
export function namesOf({ firstName, lastName }: PersonName): string[] {
  return [firstName, lastName].filter(isName).map((part) => part.trim().replace(/\s+/g, ' '))
}

/** `Lucia Garcia`; `Aulia` for a person with a single name. Empty where neither is a name. */
export function fullName(person: PersonName): string {
  return namesOf(person).join(' ')
}

/** Splits a name written as `Last, First` at its first comma. A name without one has no first name. */
export function splitName(written: string): PersonName {
  const [first = '', ...rest] = written.split(/[,，،]/).map((part) => part.trim())
  const after = rest.filter((part) => part !== '').join(', ')
  return isName(first) ? { lastName: first, firstName: after } : { lastName: after, firstName: '' }
}
