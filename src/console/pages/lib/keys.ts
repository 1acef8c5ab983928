import { signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'

/** A key of the keyboard, as `KeyboardEvent.key` names it, and what it does. */
export interface Shortcut {
  key: string
  /** What it does, for the list of keys. */
  name: string
  run(): void
  /** Works in a field as well: Escape and combinations with Ctrl. */
  inFields?: boolean
  ctrl?: boolean
}

const kept = 'nightporter.keys'
/** Whether single letters are shortcuts. A person may switch them off (WCAG 2.1.4). */
export const areLettersOn = signal(localStorage.getItem(kept) !== 'off')
export function setLetters(on: boolean): void {
  areLettersOn.value = on
  localStorage.setItem(kept, on ? 'on' : 'off')
}

interface Layer {
  own: readonly Shortcut[]
  /** In how many dialogues the component is. */
  depth: number
}

/** The shortcuts of what is on the screen, the innermost last. */
export const shortcuts = signal<readonly Layer[]>([])

/** In how many dialogues a component is. */
export const DialogDepth = createContext(0)

let openDialogs = 0
/** Keeps the shortcuts of all that is below a dialogue from working. Returns the function that ends this. */
export function coverShortcuts(): () => void {
  openDialogs++
  return () => {
    openDialogs--
  }
}

/** Makes shortcuts work while a component is shown. The innermost component with a key wins. */
export function useShortcuts(own: readonly Shortcut[], dependencies: readonly unknown[]): void {
  const depth = useContext(DialogDepth)
  // Before the next key of a fast typist, not after the next picture.
  useLayoutEffect(() => {
    const layer = { own, depth }
    shortcuts.value = [...shortcuts.value, layer]
    return () => {
      shortcuts.value = shortcuts.value.filter((each) => each !== layer)
    }
  }, dependencies)
}

addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.matches('input, select, textarea, [contenteditable]')
  if (event.defaultPrevented || event.altKey || event.metaKey) return
  for (const { own, depth } of shortcuts.value.toReversed()) {
    if (depth < openDialogs) continue
    const found = own.find(
      ({ key, ctrl = false, inFields = false }) =>
        key === event.key &&
        ctrl === event.ctrlKey &&
        (inFields || !isTyping) &&
        (areLettersOn.value || inFields),
    )
    if (!found) continue
    event.preventDefault()
    found.run()
    return
  }
})
