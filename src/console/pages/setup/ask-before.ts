import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'

/** An action that cannot be taken back. */
interface Question {
  /** The action and its object. */
  title: string
  /** What the action ends. */
  why: string
  label: string
  act: () => void
}

/** Asks before an action that cannot be taken back: `ask` opens the dialogue, `dialog` shows it. */
export function useAskBefore(): { ask: (question: Question) => void; dialog: View | null } {
  const [question, setQuestion] = useState<Question | null>(null)
  const close = () => setQuestion(null)
  return { ask: setQuestion, dialog: question && askBefore(question, close) }
}

function askBefore({ title, why, label, act }: Question, close: () => void): View {
  return h(
    Dialog,
    { title, onClose: close },
    el.div(
      { class: 'stack' },
      el.p(null, why),
      button(label, {
        onClick: () => {
          close()
          act()
        },
        kind: 'danger',
      }),
    ),
  )
}
