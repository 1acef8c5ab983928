import { common } from '../language/common-texts.ts'
import type { ApiError } from './answer.ts'

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
