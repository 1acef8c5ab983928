import { useId } from 'preact/hooks'
import { el, type View } from '../../lib/controls/el.ts'

interface FileChoiceOptions {
  label: string
  onChoose: (file: File) => void
  hint?: string
}

/** An input for one file, with its label. */
export function FileChoice({ label, onChoose, hint }: FileChoiceOptions): View {
  const id = useId()
  return el.div(
    { class: 'field' },
    el.label({ for: id }, label),
    el.input({
      id,
      type: 'file',
      'aria-describedby': `${id}-hint`,
      onChange: ({ currentTarget }) => {
        const [file] = currentTarget.files ?? []
        if (file) onChoose(file)
      },
    }),
    el.div({ id: `${id}-hint`, class: 'hint' }, hint),
  )
}
