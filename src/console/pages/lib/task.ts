import { useState } from 'preact/hooks'
import { ApiError } from './api.ts'
import { common } from './common-texts.ts'

/** What a person has asked for, and how it went. */
export interface Task {
  /** What is under way; null when nothing is. */
  busy: string | null
  /** Why the last one failed, for a person; null when it did not. */
  refusal: string | null
  run(name: string, work: () => Promise<unknown>): void
}

/** Runs what a person asks for, one at a time. */
export function useTask(done: () => void = () => {}): Task {
  const [busy, setBusy] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)

  async function run(name: string, work: () => Promise<unknown>): Promise<void> {
    if (busy !== null) return
    setBusy(name)
    setRefusal(null)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefusal(error.code === 'no-line' ? common.value.noLine : error.message)
    } finally {
      setBusy(null)
      done()
    }
  }

  return { busy, refusal, run: (name, work) => void run(name, work) }
}
