import { useState } from 'preact/hooks'
import { type ApiError, apiErrorOf } from '../lib/server/answer.ts'
import { refusalText } from '../lib/server/refusal-text.ts'
import { signInTexts } from './texts.ts'

/** Submits a form, one submission at a time, and keeps the sentence of its refusal: `refused` for a wrong secret. */
export function useAttempt(
  refused: string,
  attempt: () => Promise<void>,
  failed: (error: ApiError) => void = () => {},
) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function run(event: Event): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      await attempt()
    } catch (error) {
      const problem = apiErrorOf(error)
      setProblem(refusalOf(problem, refused))
      failed(problem)
    } finally {
      setBusy(false)
    }
  }
  return { problem, isBusy, run }
}

function refusalOf(error: ApiError, refused: string): string {
  if (error.status === 429 && error.retryAfterSeconds) return signInTexts.value.wait(error.retryAfterSeconds)
  if (error.meta.reason === 'password-required') return signInTexts.value.otherWay
  return error.status === 401 ? refused : refusalText(error).text
}
