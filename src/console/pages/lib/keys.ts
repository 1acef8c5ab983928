import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

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

/** The shortcuts of what is on the screen, the innermost last. */
export const shortcuts = signal<readonly (readonly Shortcut[])[]>([])

/** A part of the screen that covers all others, such as a dialogue, puts this before its own shortcuts: no outer one works then. */
export const wall: readonly Shortcut[] = [{ key: '', name: '', run() {} }]

/** Makes shortcuts work while a component is shown. The innermost component with a key wins. */
export function useShortcuts(own: readonly Shortcut[], dependencies: readonly unknown[]): void {
  // Before the next key of a fast typist, not after the next picture.
  useLayoutEffect(() => {
    shortcuts.value = [...shortcuts.value, own]
    return () => {
      shortcuts.value = shortcuts.value.filter((each) => each !== own)
    }
  }, dependencies)
}

addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.matches('input, select, textarea, [contenteditable]')
  if (event.defaultPrevented || event.altKey || event.metaKey) return
  for (const own of shortcuts.value.toReversed()) {
    const found = own.find(
      ({ key, ctrl = false, inFields = false }) =>
        key === event.key &&
        ctrl === event.ctrlKey &&
        (inFields || !isTyping) &&
        (areLettersOn.value || inFields),
    )
    if (!found && own[0] === wall[0]) return
    if (!found) continue
    event.preventDefault()
    found.run()
    return
  }
})
