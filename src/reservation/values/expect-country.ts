import { invalidValue } from '../../resource/problem.ts'
import { isCountry } from '../../resource/values/country.ts'
import { presentCountry } from '../../resource/values/country-code.ts'

/**
 * Throws 422 `validation-failed` for a country code that is not in force, such as UK or SU. One that was stored before passes, so that
 * the other fields of its row can be changed.
 */
export function expectCountry(
  code: string | null | undefined,
  pointer: string,
  before: readonly (string | null | undefined)[],
): void {
  if (!code || isCountry(code) || before.includes(code)) return
  const expected = 'ISO 3166-1 alpha-2 code, such as PT'
  const present = presentCountry(code)
  if (present !== null)
    throw invalidValue(pointer, `${code} is not a current country code of ISO 3166-1. Use ${present}.`, {
      expected,
    })
  throw invalidValue(pointer, `${code} is not a current country code of ISO 3166-1. Use one such as PT.`, {
    expected,
  })
}
