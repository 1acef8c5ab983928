import { useId } from 'preact/hooks'
import { el, type View } from './el.ts'

interface TextAreaOptions {
  label: string
  value: string
  onInput: (value: string) => void
  maxLength?: number
  isFirst?: boolean
}

/** An input of several lines, with its label. */
export function TextArea({
  label,
  value,
  onInput,
  maxLength = 2_000,
  isFirst = false,
}: TextAreaOptions): View {
  const id = useId()
  return el.div(
    { class: 'field' },
    el.label({ for: id }, label),
    el.textarea({
      id,
      value,
      maxLength,
      rows: 3,
      autofocus: isFirst,
      onInput: ({ currentTarget }) => onInput(currentTarget.value),
    }),
  )
}
