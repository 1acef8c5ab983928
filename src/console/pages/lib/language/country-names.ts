import { countries } from '../../../../resource/values/country.ts'
import { language } from './language.ts'

/** All present countries: their codes with their names in the language of the page, by name. */
export function countryNames(): (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(language.value, { type: 'region' })
  return [...countries, 'XK']
    .map((code) => [code, names.of(code) ?? code] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, language.value))
}
