import { isDeepStrictEqual } from 'node:util'
import { type Language, languages } from '../../jsonapi/locales/language.ts'
import { invalidValue } from '../../resource/problem.ts'
import { registrationFields } from './registration-fields.ts'
import { closedObject, textOf } from './value-schema.ts'

/** The house rules in the languages in which the house has written them. */
export type HouseRules = { [Code in Language]?: string | null }

const rules = { ...textOf(1, 10_000), pattern: '^([^\\p{Cc}\\p{Cs}]|[\\t\\n\\r])*$' }

export const houseRulesSchema = closedObject(Object.fromEntries(languages.map((code) => [code, rules])))

/** A version of the house rules that a guest has accepted. */
export interface AcceptedRules {
  version: number
  language: Language
  /** When it was accepted, in UTC. The server sets it. */
  at?: string | null
}

export const acceptedRulesSchema = closedObject(
  { version: { type: 'integer', minimum: 1 }, language: { enum: languages }, at: {} },
  ['version', 'language'],
)

/** What the settings of the house say of registrations. */
interface OfRegistrations {
  registrationFields?: readonly string[] | null
  houseRules?: HouseRules | null
  houseRulesVersion?: number | null
}

/**
 * Gives changed house rules the next version, and checks which fields registrations need. Throws 422 `validation-failed` for an unknown or
 * a repeated field, and for `acceptedRules` without house rules.
 */
export function registrationSettings(before: OfRegistrations | null, after: OfRegistrations): void {
  after.houseRules = writtenRules(after.houseRules)
  const version = before?.houseRulesVersion ?? 0
  const isChanged = !isDeepStrictEqual(before?.houseRules ?? null, after.houseRules)
  after.houseRulesVersion = isChanged ? version + 1 : version
  const names = after.registrationFields ?? []
  for (const [at, name] of names.entries()) {
    const isKnown = (registrationFields as readonly string[]).includes(name)
    if (isKnown && names.indexOf(name) === at) continue
    const detail = isKnown
      ? `${name} is named twice.`
      : `${name} is not a field that a registration may need.`
    throw invalidValue(`/registrationFields/${at}`, detail, { allowed: registrationFields })
  }
  if (!names.includes('acceptedRules') || after.houseRules) return
  throw invalidValue(
    '/registrationFields',
    'acceptedRules needs house rules. Write houseRules in at least one language.',
    { expected: 'houseRules' },
  )
}

/** Without the languages that have no text, in the order of the languages; null without any text. */
function writtenRules(given: HouseRules | null | undefined): HouseRules | null {
  const written = languages.flatMap((code) =>
    given?.[code] ? [[code, given[code].normalize('NFC')] as const] : [],
  )
  return written.length > 0 ? Object.fromEntries(written) : null
}

/**
 * Returns the accepted rules with the time: that of before for the same rules. Throws 422 `validation-failed` for a version that is not
 * the present one, and for a language without a text.
 */
export function acceptedNow(
  { version, language }: AcceptedRules,
  before: AcceptedRules | null | undefined,
  { houseRules, houseRulesVersion }: OfRegistrations,
  now: number,
): AcceptedRules {
  if (before?.version === version && before.language === language) return before
  if (version !== houseRulesVersion || !houseRules)
    throw invalidValue(
      '/acceptedRules/version',
      'These are not the present house rules. Show the guest the present ones, and ask again.',
      { expected: houseRules ? houseRulesVersion : null },
    )
  if (!houseRules[language])
    throw invalidValue('/acceptedRules/language', `The house has no rules in the language ${language}.`, {
      allowed: Object.keys(houseRules),
    })
  return { version, language, at: new Date(now).toISOString() }
}
