import { common } from '../language/common-texts.ts'
import type { ApiError } from '../server/answer.ts'
import { refusalText } from '../server/refusal-text.ts'
import { button, notice } from './controls.ts'
import { el, type View } from './el.ts'
import { linked } from './linked.ts'

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
