import { h } from 'preact'
import { Field } from '../../lib/controls/controls.ts'
import type { View } from '../../lib/controls/el.ts'
import type { Saving } from '../apply.ts'
import { t } from './texts.ts'

interface DeskPhoneOptions {
  value: string
  onInput(value: string): void
  saving: Saving
  isRequired: boolean
}

/** The telephone number of the front desk, which a guest calls whom a kiosk cannot help. */
export function deskPhoneField({ saving, ...given }: DeskPhoneOptions): View {
  return h(Field, {
    label: t.value.house.deskPhone,
    hint: t.value.house.deskPhoneHint,
    type: 'tel',
    autocomplete: 'tel',
    maxLength: 40,
    error: saving.refusal('deskPhone'),
    ...given,
  }) as View
}
