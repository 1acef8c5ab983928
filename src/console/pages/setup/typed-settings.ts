import { separators } from '../lib/language/format.ts'

/** One setting of a driver or an adapter, as its JSON Schema describes it. */
export interface Setting {
  type?: string
  enum?: readonly (string | number)[]
  default?: unknown
  title?: string
  description?: string
  writeOnly?: boolean
  minimum?: number
  maximum?: number
}

export interface SettingsSchema {
  properties?: Record<string, Setting>
  required?: readonly string[]
}

/** Returns the settings as the API expects them. Empty ones are left out. */
export function settingsOf(schema: SettingsSchema, values: Record<string, string>): Record<string, unknown> {
  const given = Object.entries(schema.properties ?? {}).filter(([name]) => (values[name] ?? '').trim() !== '')
  return Object.fromEntries(given.map(([name, { type }]) => [name, settingIn(values[name]!.trim(), type)]))
}

/** An invalid value is sent unchanged, so that the box reports the expected form. */
function settingIn(text: string, type: string | undefined): unknown {
  if (type === 'integer' || type === 'number') return numberIn(text)
  if (type === 'boolean') return text === 'true'
  if (type !== 'object' && type !== 'array') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** A decimal comma and a decimal point mean the same: no setting has thousands with decimals. */
function numberIn(text: string): number | string {
  const value = Number(/^-?\d+,\d+$/.test(text) ? text.replace(',', '.') : text)
  return Number.isNaN(value) ? text : value
}

/** The settings that are stored, as texts for the form. */
export function typedSettings(stored: Record<string, unknown> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : settingText(value),
    ]),
  )
}

/** A number with the decimal sign of the language; any other value as it is. */
export const settingText = (value: unknown) =>
  typeof value === 'number' ? String(value).replace('.', separators().decimal ?? '.') : String(value)
