import type { ComponentChildren } from 'preact'
import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
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

/** A form that Enter submits. Refusals are shown above its button. */
export function stepForm(
  { saving, fields = [], save, label = t.value.saveNext, isDisabled = false }: StepFormOptions,
  ...children: ComponentChildren[]
): View {
  return el.form(
    {
      class: 'stack',
      onSubmit: (event) => {
        event.preventDefault()
        if (!isDisabled) save()
      },
    },
    ...children,
    saving.others(fields).map((each) => notice('error', each)),
    el.p(
      { class: 'row' },
      button(label, { onClick: () => {}, kind: 'main', type: 'submit', isBusy: saving.isBusy, isDisabled }),
    ),
  )
}
