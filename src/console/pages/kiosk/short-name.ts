import { isName, namesOf, type PersonName } from '../../../resource/values/person-name.ts'

/**
 * Returns the first name and the initial of the last name, `Lucia G.`, so that bystanders do not learn the whole name; a single name as
 * it is. Empty for a person without a name.
 */
export function shortName(person: PersonName): string {
  const [first = '', last] = namesOf(person)
  return last === undefined ? first : `${first} ${initialOf(last)}.`
}

/** The first whole character with a letter or a digit, together with the marks that belong to it: `t` of `'t Hooft`. */
function initialOf(name: string): string {
  const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment)
  return characters.find(isName) ?? ''
}
