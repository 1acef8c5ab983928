import { language } from '../lib/language/language.ts'
import { getList } from '../lib/server/api.ts'

/** What the house says of registrations, as the pages read it from the settings. */
export interface RegistrationSettings {
  registrationFields: string[] | null
  houseRules: Record<string, string> | null
  houseRulesVersion: number | null
}

/** Reads what the house asks of its guests. */
export async function readRegistrationSettings(signal?: AbortSignal): Promise<RegistrationSettings> {
  const path = '/api/config/v1/settings?page[size]=1'
  const { data } = await getList<RegistrationSettings>(path, signal ? { signal } : {})
  return data[0]?.attributes ?? { registrationFields: null, houseRules: null, houseRulesVersion: null }
}

/** The house rules in the language of the page, else in the first that the house has; null without any. */
export function rulesIn({
  houseRules,
  houseRulesVersion: version,
}: RegistrationSettings): { version: number; language: string; text: string } | null {
  const all = Object.entries(houseRules ?? {})
  const [code, text] = all.find(([code]) => code === language.value) ?? all[0] ?? []
  return code === undefined || text === undefined || version === null
    ? null
    : { version, language: code, text }
}
