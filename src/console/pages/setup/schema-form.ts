import { h } from 'preact'
import { Choice, Field } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { TextArea } from '../lib/controls/text-area.ts'
import { t } from './steps/texts.ts'
import { type Setting, type SettingsSchema, settingText } from './typed-settings.ts'

/** The settings of a driver, and how they change. */
export interface SchemaFormOptions {
  schema: SettingsSchema
  /** The typed values, as texts. */
  values: Record<string, string>
  change: (name: string, value: string) => void
  /** Whether the fields are secrets. */
  isSecret?: boolean
  refusal: (field: string) => string | null
}

/** Fields for the settings of a driver: the required ones first, the others in a folded section. */
export function SchemaForm({ schema, values, change, isSecret = false, refusal }: SchemaFormOptions): View {
  const all = Object.entries(schema.properties ?? {})
  const isFirst = (name: string) => isSecret || schema.required?.includes(name)
  const field = ([name, setting]: [string, Setting]) =>
    el.div({ key: name }, one(name, setting, { values, change, isSecret, refusal }))
  const rest = all.filter(([name]) => !isFirst(name))
  return el.div(
    { class: 'stack' },
    all.filter(([name]) => isFirst(name)).map(field),
    rest.length > 0 &&
      el.details(
        // If the schema requires no member unconditionally, the required settings are among these.
        { open: rest.length === all.length || rest.some(([name]) => refusal(name) !== null) },
        el.summary(null, t.value.moreSettings(rest.length)),
        el.div({ class: 'stack' }, rest.map(field)),
      ),
  )
}

function one(
  name: string,
  setting: Setting,
  {
    values,
    change,
    isSecret,
    refusal,
  }: Pick<SchemaFormOptions, 'values' | 'change' | 'isSecret' | 'refusal'>,
): View {
  const label = words(name)
  const value = values[name] ?? ''
  const isBy = setting.default !== undefined && typeof setting.default !== 'object'
  const standard = isBy ? t.value.standard(settingText(setting.default)) : ''
  const hint = [setting.title, setting.description?.replaceAll('`', ''), standard].filter(Boolean).join(' ')
  const choices = setting.enum ?? (setting.type === 'boolean' ? ['true', 'false'] : null)
  if (choices)
    return h(Choice, {
      label: hint === '' ? label : `${label}: ${hint}`,
      value,
      choices: [
        ['', standard || '–'] as const,
        ...choices.map((each) => [String(each), String(each)] as const),
      ],
      onChange: (to: string) => change(name, to),
    })
  if (setting.type === 'object' || setting.type === 'array')
    return el.div(
      null,
      h(TextArea, {
        label: `${label} (JSON)`,
        value,
        onInput: (to: string) => change(name, to),
        maxLength: 20_000,
      }),
      el.p({ class: 'quiet' }, refusal(name) ?? hint),
    )
  return h(Field, {
    label,
    value,
    onInput: (to: string) => change(name, to),
    hint,
    error: refusal(name),
    type: isSecret && setting.writeOnly !== false ? 'password' : 'text',
    ...(setting.type === 'integer' && { inputMode: 'numeric' as const }),
  })
}

/** `baseUrl` as `Base url`. */
function words(name: string): string {
  const text = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
