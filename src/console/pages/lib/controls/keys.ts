import { signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'
import { isLineDead } from '../server/line.ts'

/** A shortcut: a key as `KeyboardEvent.key` names it, and its action. */
export interface Shortcut {
  key: string
  /** The description in the list of shortcuts. */
  name: string
  run(): void
  /** Works in a text field too: Escape and combinations with Ctrl. */
  inFields?: boolean
  /** The action writes to the box at once, so it is disabled without a connection. */
  isWriting?: boolean
  ctrl?: boolean
}

const kept = 'nightporter.keys'
/** Whether single letters are shortcuts. A person can switch them off (WCAG 2.1.4). */
export const areLettersOn = signal(localStorage.getItem(kept) !== 'off')
/** Switches the letters that press buttons on or off, in this browser. */
export function setLetters(on: boolean): void {
  areLettersOn.value = on
  localStorage.setItem(kept, on ? 'on' : 'off')
}

interface Layer {
  own: readonly Shortcut[]
  /** The number of dialogues around the component. */
  depth: number
}

/** The active shortcuts, those of the innermost component last. */
export const shortcuts = signal<readonly Layer[]>([])

/** The number of dialogues around a component. */
export const DialogDepth = createContext(0)

/** Whether another part of the page is open over a component. The shortcuts of the component then do not work. */
export const IsCovered = createContext(false)

let openDialogs = 0
/** Disables all shortcuts below a dialogue. Returns the function that enables them again. */
export function coverShortcuts(): () => void {
  openDialogs++
  return () => {
    openDialogs--
  }
}

/** Activates shortcuts while a component is shown. The innermost component with a key wins. */
export function useShortcuts(own: readonly Shortcut[], dependencies: readonly unknown[]): void {
  const depth = useContext(DialogDepth)
  const isCovered = useContext(IsCovered)
  // A layout effect, so that a shortcut is active before a fast typist's next key.
  useLayoutEffect(() => {
    if (isCovered) return
    const layer = { own, depth }
    shortcuts.value = [...shortcuts.value, layer]
    return () => {
      shortcuts.value = shortcuts.value.filter((each) => each !== layer)
    }
  }, [isCovered, ...dependencies])
}

const fields = 'input, select, textarea, [contenteditable]'
const pressable = 'button, a[href], summary, [role=button]'

/** Enter and Space press the control that has the focus. They are never shortcuts there. */
function isPress({ key, ctrlKey, target }: KeyboardEvent): boolean {
  return (key === 'Enter' || key === ' ') && !ctrlKey && (target as Element).closest(pressable) !== null
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.altKey || event.metaKey) return
  if (!(event.target instanceof Element) || isPress(event)) return
  const isTyping = event.target.matches(fields)
  for (const { own, depth } of shortcuts.value.toReversed()) {
    if (depth < openDialogs) continue
    const found = own.find(
      ({ key, ctrl = false, inFields = false }) =>
        key === event.key &&
        ctrl === event.ctrlKey &&
        (inFields || !isTyping) &&
        (areLettersOn.value || inFields || key.length > 1),
    )
    if (!found) continue
    event.preventDefault()
    if (!found.isWriting || !isLineDead.value) found.run()
    return
  }
})
