import { type ComponentChildren, h } from 'preact'
import { button, Field, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import type { Saving } from '../apply.ts'
import { t } from './texts.ts'

interface StepFormOptions {
  saving: Saving
  /** The fields that show their own refusal. */
  fields?: readonly string[]
  save: () => void
  label?: string
  isDisabled?: boolean
}

/** The field for the name of an item. */
export function nameField(name: string, set: (draft: { name: string }) => void, { refusal }: Saving): View {
  return h(Field, {
    label: t.value.name,
    value: name,
    onInput: (value: string) => set({ name: value }),
    error: refusal('name'),
    isRequired: true,
  })
}

/** A form that Enter submits. Refusals are shown above its button. */
export function stepForm(
  { saving, fields = [], save, label = t.value.saveNext, isDisabled = false }: StepFormOptions,
  ...children: ComponentChildren[]
): View {
  return el.form(
    { class: 'stack', onSubmit: prevented(() => !isDisabled && save()) },
    ...children,
    saving.others(fields).map((each) => notice('error', each)),
    el.p(
      { class: 'row' },
      button(label, { onClick: () => {}, kind: 'main', type: 'submit', isBusy: saving.isBusy, isDisabled }),
    ),
  )
}
