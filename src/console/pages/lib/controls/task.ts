import { useState } from 'preact/hooks'
import { apiErrorOf } from '../server/answer.ts'
import { refusalText } from '../server/refusal-text.ts'
import { beginAction } from './passing.ts'

/** The state of a person's task. */
export interface Task {
  /** The running task; null for none. */
  busy: string | null
  /** Why the last task failed, for a person; null after success. */
  refusal: string | null
  /** How the button of a task is shown: as busy while the task runs, and as held while another one runs. */
  of(name: string): { isBusy: boolean; isHeld: boolean }
  run(name: string, work: () => Promise<unknown>): void
}

/** Runs a person's tasks one at a time. */
export function useTask(done: () => void = () => {}): Task {
  const [busy, setBusy] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)

  async function run(name: string, work: () => Promise<unknown>): Promise<void> {
    if (busy !== null) return
    beginAction()
    setBusy(name)
    setRefusal(null)
    try {
      await work()
    } catch (error) {
      setRefusal(refusalText(apiErrorOf(error)).text)
    } finally {
      setBusy(null)
      done()
    }
  }

  return {
    busy,
    refusal,
    of: (name) => ({ isBusy: busy === name, isHeld: busy !== null && busy !== name }),
    run: (name, work) => void run(name, work),
  }
}
