import { catalogue } from '../catalogue.ts'
import type { Language, Translations } from './language.ts'

/** The parameters with names of the API: a pointer to a field or its name, several of them, and the type of a resource. */
const ofFields = ['field', 'fields', 'names', 'type']

/**
 * The parameters with values of an enumeration. A date, a version or a number among them is no name in `values.json`. Values that
 * the reader is to write, of a field or a filter, stay as they are written.
 */
const ofValues = ['status', 'state', 'wanted', 'from', 'to', 'keyType', 'kind', 'scope', 'position']

/** The marks around a name that a page shows too, so that it needs no inflection. */
const marks: Record<Language, readonly [string, string]> = {
  en: ['“', '”'],
  de: ['„', '“'],
  es: ['«', '»'],
  fr: ['« ', ' »'],
  pt: ['«', '»'],
}

/** `{count}`, or `{count:night|nights}` with the words for one and for several. */
const parameter = /\{(\w+)(?::([^{}|]*)\|([^{}]*))?\}/g

/** The texts of the house are in the Portuguese of Portugal, which counts none as several. */
const plurals = (language: Language) => new Intl.PluralRules(language === 'pt' ? 'pt-PT' : language)

/** Returns a sentence with its values: fields and values of the API have the name that a reader knows, and a word the form for its number. */
export function filled(language: Language, sentence: string, values: Values): string {
  return counted(language, sentence, values, (name, value) => named(language, name, value))
}

/** Returns a sentence with its values, each word in the form for its number. Without `nameOf` the values stay as they are. */
export function counted(
  language: Language,
  sentence: string,
  values: Values,
  nameOf = (_name: string, value: string) => value,
): string {
  return sentence.replaceAll(parameter, (_, name: string, one?: string, several?: string) => {
    const value = String(values[name] ?? '')
    if (one === undefined) return nameOf(name, value)
    return (plurals(language).select(Number(value)) === 'one' ? one : several) ?? ''
  })
}

/** Returns a sentence with the forms for several, as the code has it. */
export const ofSeveral = (sentence: string) =>
  sentence.replaceAll(parameter, (whole, _name, _one, several?: string) => several ?? whole)

type Values = Readonly<Record<string, string | number>>

function named(language: Language, name: string, value: string): string {
  if (ofFields.includes(name)) return eachOf(value, (each) => fieldName(language, each))
  if (ofValues.includes(name)) return eachOf(value, (each) => valueName(language, each))
  return value
}

const eachOf = (list: string, nameOf: (each: string) => string) => list.split(', ').map(nameOf).join(', ')

/** Returns what a reader calls a field: of `stays/0/profiles/0/lastName` the last name. A field without a name stays as it is. */
function fieldName(language: Language, pointer: string): string {
  const member = pointer.split(/[/.]/).findLast((part) => !/^\d+$/.test(part)) ?? ''
  return nameIn('fields', language, member) ?? pointer
}

/** Returns what a reader calls a value of an enumeration, such as the status of a stay. */
function valueName(language: Language, value: string): string {
  const name = nameIn('values', language, value)
  return name === undefined ? value : marks[language].join(name)
}

function nameIn(file: 'fields' | 'values', language: Language, name: string): string | undefined {
  const names = catalogue<Readonly<Record<string, Translations>>>(file)
  return Object.hasOwn(names, name) ? names[name]![language] : undefined
}
