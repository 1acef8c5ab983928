import { h } from 'preact'
import { Choice, Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import type { Saving } from '../apply.ts'
import { KioskImage } from './kiosk-image.ts'
import { t } from './texts.ts'

/** What the house sets for its kiosks, as it is typed; empty for what is not set. */
export type TypedKiosk = Record<(typeof kioskFields)[number], string>

export const kioskFields = ['accentColor', 'cardSlot', 'terminal', 'lift', 'breakfast', 'wifi'] as const

/** Returns the settings of the document as a form has them. */
export const typedKiosk = (kiosk: Partial<Record<string, string | null>> = {}): TypedKiosk =>
  Object.fromEntries(kioskFields.map((each) => [each, kiosk[each] ?? ''])) as TypedKiosk

/** Returns what is typed as the settings of the document; null where nothing is set. */
export function kioskSettings(typed: TypedKiosk): object | null {
  const filled = kioskFields.flatMap((each) =>
    typed[each].trim() === '' ? [] : [[each, typed[each].trim()]],
  )
  return filled.length === 0 ? null : Object.fromEntries(filled)
}

interface KioskFieldsOptions {
  typed: TypedKiosk
  set(part: Partial<TypedKiosk>): void
  saving: Saving
}

/** How the kiosks look and what they tell each guest. Most houses come back to it later. */
export function kioskFieldset({ typed, set, saving }: KioskFieldsOptions): View {
  const texts = t.value.kiosk
  const text = (name: 'accentColor' | 'lift' | 'breakfast' | 'wifi', hint?: string) =>
    h(Field, {
      label: texts[name],
      value: typed[name],
      onInput: (value: string) => set({ [name]: value }),
      error: saving.refusal(name),
      maxLength: 120,
      ...(hint && { hint }),
    })
  const place = (name: 'cardSlot' | 'terminal') =>
    h(Choice, {
      label: texts[name],
      value: typed[name],
      choices: [['', '–'] as const, ...Object.entries(texts.places)],
      onChange: (value: string) => set({ [name]: value }),
    })
  const isRefused = kioskFields.some((each) => saving.refusal(each) !== null)
  return el.details(
    { ...(isRefused && { open: true }) },
    el.summary(null, texts.title),
    el.div(
      { class: 'stack' },
      el.p(null, texts.why),
      el.div(
        { class: 'columns' },
        text('accentColor', texts.accentHint),
        place('cardSlot'),
        place('terminal'),
      ),
      el.div({ class: 'columns' }, text('lift'), text('breakfast'), text('wifi')),
      el.p({ class: 'quiet' }, texts.factHint),
      el.div(
        { class: 'columns' },
        h(KioskImage, { use: 'logo', label: texts.logo }),
        h(KioskImage, { use: 'picture', label: texts.picture }),
      ),
      el.p({ class: 'quiet' }, texts.imageHint),
    ),
  )
}
