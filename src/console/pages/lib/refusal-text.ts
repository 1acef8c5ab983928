import type { ApiError } from './answer.ts'
import { common } from './common-texts.ts'
import { button, notice } from './controls.ts'
import { el, type View } from './el.ts'
import { linked } from './linked.ts'

interface RefusalText {
  title: string
  /** What it means, and what to do. */
  text: string
  /** Whether the decision of the box is not known: it got no request, its answer was lost, or the station was locked. */
  isUndecided: boolean
}

/** Returns what a person reads of a failed request. */
export function refusalText({ code, title, message }: ApiError): RefusalText {
  const { badAnswerTitle, badAnswer, noLineTitle, noLine, wasLockedTitle, wasLocked } = common.value
  if (code === 'bad-answer') return { title: badAnswerTitle, text: badAnswer, isUndecided: true }
  if (code === 'no-line') return { title: noLineTitle, text: noLine, isUndecided: true }
  // The person reads it after the unlocking.
  if (code === 'session-locked') return { title: wasLockedTitle, text: wasLocked, isUndecided: true }
  return { title, text: message, isUndecided: false }
}

/** Shows why an action failed, with a button to retry, and one to dismiss it. It stays until then. */
export function failure(problem: ApiError, retry?: () => void, dismiss?: () => void): View {
  const { title, text, isUndecided } = refusalText(problem)
  return notice(
    isUndecided ? 'warning' : 'error',
    title,
    el.p(null, linked(text)),
    retry && button(common.value.tryAgain, { onClick: retry, icon: 'undo' }),
    dismiss && button(common.value.close, { onClick: dismiss }),
  )
}
