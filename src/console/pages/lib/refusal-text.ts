import type { ApiError } from './api.ts'
import { common } from './common-texts.ts'

interface RefusalText {
  title: string
  /** What it means, and what to do. */
  text: string
  /** Whether the box did not decide the request: it got none, or the station was locked. */
  isUndecided: boolean
}

/** Returns what a person reads of a failed request. */
export function refusalText({ code, title, message }: ApiError): RefusalText {
  const { noLineTitle, noLine, wasLockedTitle, wasLocked } = common.value
  if (code === 'no-line') return { title: noLineTitle, text: noLine, isUndecided: true }
  // The person reads it after the unlocking.
  if (code === 'session-locked') return { title: wasLockedTitle, text: wasLocked, isUndecided: true }
  return { title, text: message, isUndecided: false }
}
