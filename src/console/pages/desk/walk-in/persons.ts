import { h } from 'preact'
import { Choice, Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { t } from './texts.ts'

/** A name as it is typed. */
export interface TypedName {
  lastName: string
  firstName: string
}

/** The persons of a stay in a form. All values are texts, as in the fields. */
export interface Persons {
  adults: string
  children: string
  /** The names of the guests besides the first one. */
  others: readonly TypedName[]
}

/** The largest number of adults, or of children. */
const most = 8

export const personsIn = ({ adults, children }: Persons): number => Number(adults) + Number(children)

/** The numbers of adults and children. A number of another system that is higher is one of the choices too. */
export function personFields(
  { adults, children }: Pick<Persons, 'adults' | 'children'>,
  change: (change: Partial<Persons>) => void,
): View[] {
  const choices = (from: number, value: string) =>
    Array.from({ length: Math.max(most, Number(value)) - from + 1 }, (_, index) => String(index + from)).map(
      (each) => [each, each] as const,
    )
  return [
    h(Choice, {
      label: t.value.adults,
      value: adults,
      choices: choices(Math.min(1, Number(adults)), adults),
      onChange: (value) => change({ adults: value }),
    }),
    h(Choice, {
      label: t.value.children,
      value: children,
      choices: choices(0, children),
      onChange: (value) => change({ children: value }),
    }),
  ]
}

/**
 * The names of the guests besides the first one. None is needed: there is one empty line more than names, and no more lines than
 * persons. `before` is the number of the guests who are named already.
 */
export function nameFields(
  persons: Persons,
  before: number,
  change: (change: Partial<Persons>) => void,
): View[] {
  const { others } = persons
  const named = namesIn(persons, before).length
  const lines = Math.min(named + 1, Math.max(0, personsIn(persons) - before))
  const write = (at: number, part: Partial<TypedName>) =>
    change({
      others: Array.from({ length: lines }, (_, index) => {
        const name = others[index] ?? { lastName: '', firstName: '' }
        return index === at ? { ...name, ...part } : name
      }),
    })
  return Array.from({ length: lines }, (_, at) => {
    const { lastName = '', firstName = '' } = others[at] ?? {}
    return el.div(
      { key: at, class: 'two' },
      h(Field, {
        label: t.value.lastNameOf(before + at + 1),
        value: lastName,
        onInput: (text) => write(at, { lastName: text }),
      }),
      h(Field, {
        label: t.value.firstNameOf(before + at + 1),
        value: firstName,
        onInput: (text) => write(at, { firstName: text }),
      }),
    )
  })
}

/** A guest in the body of a stay who has no profile yet. */
export type NewGuest = TypedName & { role: 'AdditionalGuest' }

/** Returns the typed guests for the body of a stay, no more than there are persons. A single name is a last name. */
export function namesIn(persons: Persons, before: number): NewGuest[] {
  return persons.others
    .slice(0, Math.max(0, personsIn(persons) - before))
    .map((each) => ({ lastName: each.lastName.trim(), firstName: each.firstName.trim() }))
    .filter(({ lastName, firstName }) => lastName !== '' || firstName !== '')
    .map(({ lastName, firstName }) => ({
      role: 'AdditionalGuest',
      lastName: lastName || firstName,
      firstName: lastName === '' ? '' : firstName,
    }))
}
