import { type ComponentType, h, render } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { keepFocus } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { Guarded } from '../lib/controls/guard.ts'
import { coverShortcuts } from '../lib/controls/keys.ts'
import { AreReadsHeld } from '../lib/server/read.ts'
import { asksAgain, isLockedOrLocking } from '../lib/server/session.ts'
import { ConfirmAgain } from './sign-in.ts'

/**
 * The screens of one person. While the station is locked they are not in the document, so that nothing of them is
 * visible, has the focus or can be saved with the page; their shortcuts do not work, and they read nothing. They keep
 * their state: the same person finds the open dialogues and the typed text again, and the data are read again. The
 * component of another person has screens of its own.
 */
export function KeptScreens({ isLocked, frame }: { isLocked: boolean; frame: ComponentType }): View {
  const place = useRef<HTMLDivElement>(null)
  const [screens] = useState(() => document.createElement('div'))
  const focused = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (isLocked) return coverShortcuts()
    place.current?.append(screens)
    if (screens.hasChildNodes()) showAgain(screens, focused.current)
    else
      render(
        h(
          AreReadsHeld.Provider,
          { value: isLockedOrLocking },
          h(Guarded, null, h(frame, {})),
          h(ConfirmAgain, {}),
        ),
        screens,
      )
    return () => {
      focused.current = screens.contains(document.activeElement) ? document.activeElement : null
      screens.remove()
    }
  }, [isLocked])
  useLayoutEffect(
    () => () => {
      // Another person must not confirm what this person has begun.
      asksAgain.value?.done(false)
      asksAgain.value = null
      render(null, screens)
    },
    [],
  )
  return el.div({ ref: place })
}

/** Opens the dialogues again, the inner ones last, and returns the focus. */
function showAgain(screens: Element, focused: Element | null): void {
  for (const dialog of screens.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
    dialog.open = false
    dialog.showModal()
  }
  if (focused instanceof HTMLElement) focused.focus()
  keepFocus()
}
