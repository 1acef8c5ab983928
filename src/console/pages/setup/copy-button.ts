import { useState } from 'preact/hooks'
import { button, notice } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { usePassing } from '../lib/controls/passing.ts'
import { t } from './texts.ts'

/** Copies a text such as a token, and says that it did, or how to copy it by hand. `name` is what is copied, for screen readers. */
export function CopyButton({ text, name }: { text: string; name: string }): View {
  const [said, say] = usePassing()
  const [isFailed, setFailed] = useState(false)
  const copy = async () => {
    const isDone = await copied(text)
    setFailed(!isDone)
    say(isDone ? t.value.copied : null)
  }
  return el.div(
    { class: 'row' },
    button(t.value.copy, { onClick: () => void copy(), name: `${t.value.copy}: ${name}` }),
    el.span({ role: 'status' }, said),
    isFailed && notice('warning', t.value.notCopied),
  )
}

/** Whether the browser has copied the text. On plain http it has no clipboard for scripts, and copies what is selected. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copiedSelection(text)
  }
}

function copiedSelection(text: string): boolean {
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'hidden-text'
  document.body.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  return isDone
}
