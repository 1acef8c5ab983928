import { useState } from 'preact/hooks'
import { ApiError, type Resource, send } from '../lib/api.ts'
import { common } from '../lib/common-texts.ts'
import { confirmed } from '../lib/session.ts'

/** One thing that was made or changed. */
export interface Change {
  path: string
  action: 'create' | 'update' | 'map'
  names: string[]
}

/** Brings the property to what the document says. With `isTrial` nothing is written. */
export async function applied(document: object, isTrial = false): Promise<Change[]> {
  const path = `/api/config/v1/setup/actions/apply${isTrial ? '?dryRun=true' : ''}`
  const { data } = await confirmed(() =>
    send<Resource<{ changes: Change[] }>>('POST', path, { body: document, timeoutMs: 60_000 }),
  )
  return data.attributes.changes
}

/** Work that is saved, with a sentence for each field that was refused. */
export interface Saving {
  isBusy: boolean
  problem: ApiError | null
  /** Why a field was refused, by the last word of its place in the document. */
  refusal(field: string): string | null
  /** The sentences that belong to none of the fields. */
  others(fields: readonly string[]): string[]
  run(work: () => Promise<unknown>, done?: () => void): void
}

export function useSaving(): Saving {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiError | null>(null)
  async function run(work: () => Promise<unknown>, done: () => void): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      await work()
      done()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const errors = (problem?.errors ?? []).map(({ detail, source }) => ({
    detail,
    field: /\/([^/]+)$/.exec(source?.pointer ?? '')?.[1] ?? '',
  }))
  return {
    isBusy,
    problem,
    refusal: (field) => errors.find((each) => each.field === field)?.detail ?? null,
    others: (fields) => {
      if (problem?.code === 'no-line') return [common.value.noLine]
      if (problem && errors.length === 0) return [problem.message]
      return errors.filter((each) => !fields.includes(each.field)).map(({ detail }) => detail)
    },
    run: (work, done = () => {}) => void run(work, done),
  }
}
