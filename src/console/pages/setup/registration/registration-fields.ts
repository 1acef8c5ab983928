import { h } from 'preact'
import { Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { TextArea } from '../../lib/controls/text-area.ts'
import { type Language, languageNames, languages } from '../../lib/language/language.ts'
import { fieldTexts as f } from '../../registration/texts.ts'
import type { Saving } from '../apply.ts'
import type { RegistrationSettings } from '../house.ts'
import { t } from './texts.ts'

/** What the house says of the registration of guests, as it is typed. */
export interface TypedRegistration {
  registrationFields: string[]
  houseRules: Partial<Record<Language, string | null>>
  registrationDays: string
}

/** The fields that show their own refusal. */
export const registrationNames = ['registrationFields', 'registrationDays']

/** The default of the box. */
const standardDays = 365

/** Returns the settings of the document as a form has them. */
export const typedRegistration = (settings: RegistrationSettings): TypedRegistration => ({
  registrationFields: settings.registrationFields ?? [],
  houseRules: settings.houseRules ?? {},
  registrationDays: String(settings.registrationDays ?? standardDays),
})

/** Returns what is typed as the settings of the document. */
export function registrationSettings(typed: TypedRegistration): RegistrationSettings {
  const rules = Object.entries(typed.houseRules).filter(([, text]) => (text ?? '').trim() !== '')
  return {
    registrationFields: typed.registrationFields.length > 0 ? typed.registrationFields : null,
    houseRules: rules.length > 0 ? Object.fromEntries(rules) : null,
    registrationDays: Number(typed.registrationDays || standardDays),
  }
}

/** What a house may ask of a guest, in the order of a form. */
export const fieldLabels = (): Record<string, string> => ({
  lastName: t.value.name,
  birthDate: f.value.birthDate,
  nationality: f.value.nationality,
  address: t.value.address,
  documentType: f.value.documentType,
  documentNumber: f.value.documentNumber,
  documentCountry: f.value.documentCountry,
  acceptedRules: t.value.rules,
  signature: f.value.signature,
})

interface RegistrationFieldsOptions {
  typed: TypedRegistration
  set(part: Partial<TypedRegistration>): void
  saving: Saving
}

/** What each guest gives before the check-in. Most houses of a country set it once. */
export function registrationFieldset({ typed, set, saving }: RegistrationFieldsOptions): View {
  const labels = fieldLabels()
  const choose = (name: string, isChosen: boolean) =>
    set({
      registrationFields: Object.keys(labels).filter((each) =>
        each === name ? isChosen : typed.registrationFields.includes(each),
      ),
    })
  const refusal = saving.refusal('registrationFields')
  const isRefused = registrationNames.some((each) => saving.refusal(each) !== null)
  return el.details(
    { ...(isRefused && { open: true }) },
    el.summary(null, t.value.title),
    el.div(
      { class: 'stack' },
      el.p(null, t.value.why),
      el.fieldset(
        { class: 'stack' },
        el.legend(null, t.value.fields),
        el.div(
          { class: 'columns' },
          Object.entries(labels).map(([name, label]) =>
            el.label(
              { class: 'row', key: name },
              el.input({
                type: 'checkbox',
                checked: typed.registrationFields.includes(name),
                onChange: ({ currentTarget }) => choose(name, currentTarget.checked),
              }),
              label,
            ),
          ),
        ),
        refusal !== null && el.p({ class: 'hint', role: 'alert' }, refusal),
      ),
      h(Field, {
        label: t.value.days,
        value: typed.registrationDays,
        onInput: (registrationDays: string) => set({ registrationDays }),
        type: 'number',
        min: '1',
        hint: t.value.daysHint,
        error: saving.refusal('registrationDays'),
      }),
      languages.map((code) =>
        h(TextArea, {
          key: code,
          label: t.value.houseRules(languageNames[code]),
          value: typed.houseRules[code] ?? '',
          onInput: (text: string) => set({ houseRules: { ...typed.houseRules, [code]: text } }),
          maxLength: 10_000,
        }),
      ),
      el.p({ class: 'quiet' }, t.value.houseRulesHint),
    ),
  )
}
