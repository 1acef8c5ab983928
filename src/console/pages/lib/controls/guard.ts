import { signal } from '@preact/signals'
import { type ComponentChildren, Fragment, h } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { common } from '../language/common-texts.ts'
import { missed } from '../server/live.ts'
import { button, notice } from './controls.ts'
import { el, type View } from './el.ts'
import { onFault } from './faults.ts'
import { goTo } from './route.ts'

const againMs = 10_000

/**
 * Draws a part of a page. When it cannot be drawn, it says so, offers the first screen, and is drawn again after ten seconds
 * or by a button. What is outside of it stays.
 */
export function Guarded({ children }: { children?: ComponentChildren }): View {
  const [error, again] = useErrorBoundary(console.error)
  useEffect(() => {
    const timer = error && setTimeout(again, againMs)
    return () => clearTimeout(timer)
  }, [error])
  return error ? broken(again) : h(Fragment, null, children)
}

const isFaulty = signal(false)
onFault(() => {
  // A fault of the reading itself must not read again and again.
  if (isFaulty.peek()) return
  isFaulty.value = true
  // What is on the screen may be old: everything is read again.
  missed.value++
})

/** Says that an action of this page has failed in a way that the page does not expect. The screens stay as they are. */
export function FaultNotice(): View | null {
  return isFaulty.value ? broken(() => (isFaulty.value = false)) : null
}

function broken(again: () => void): View {
  const { brokenTitle, brokenText, tryAgain, toStart, loadAgain } = common.value
  const start = () => {
    goTo('', [], true)
    again()
  }
  return notice(
    'error',
    brokenTitle,
    el.p(null, brokenText),
    button(tryAgain, { onClick: again, icon: 'undo' }),
    button(toStart, { onClick: start }),
    button(loadAgain, { onClick: () => location.reload() }),
  )
}
