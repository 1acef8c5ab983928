import { useState } from 'preact/hooks'
import { beginAction } from '../lib/controls/passing.ts'
import { common } from '../lib/language/common-texts.ts'
import { ApiError, getOne, sendOne } from '../lib/server/api.ts'
import { confirmed } from '../lib/server/session.ts'
import type { SetupDocument } from './house.ts'
import { t } from './texts.ts'

/** A created or changed resource. */
export interface Change {
  path: string
  action: 'create' | 'update' | 'map'
  names: string[]
}

/** Applies the set-up document to the property. With `isTrial` nothing is written. */
export async function applied(document: object, isTrial = false): Promise<Change[]> {
  const path = `/api/config/v1/setup/actions/apply${isTrial ? '?dryRun=true' : ''}`
  const { data } = await confirmed(() =>
    sendOne<{ changes: Change[] }>('POST', path, { body: document, timeoutMs: 60_000 }),
  )
  return data.attributes.changes
}

/**
 * Adds an item to the property. The box would change the item that already has the name, such as one that another
 * installer has just added: the name is refused instead.
 */
export async function added(
  section: 'lockSystems' | 'dispensers' | 'encoders' | 'paymentTerminals' | 'pms',
  item: { name: string } & Record<string, unknown>,
): Promise<void> {
  const { document } = (await getOne<{ document: SetupDocument }>('/api/config/v1/setup')).data.attributes
  if (document[section]?.some(({ name }) => name === item.name)) {
    const detail = t.value.nameTaken(item.name)
    const source = { pointer: `/${section}/0/name` }
    throw new ApiError(409, [{ code: 'name-taken', title: detail, detail, source }], null)
  }
  await applied({ [section]: [item] })
}

/** A form's work, with a message for each refused field. */
export interface Saving {
  isBusy: boolean
  problem: ApiError | null
  /** The messages of refused fields, by the last part of the field's path in the document. */
  refusal(field: string): string | null
  /** The messages that belong to no field. */
  others(fields: readonly string[]): string[]
  run(work: () => Promise<unknown>, done?: () => void): void
}

/** Saves one thing at a time: whether it is under way, and what the box has refused. */
export function useSaving(): Saving {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiError | null>(null)
  async function run(work: () => Promise<unknown>, done: () => void): Promise<void> {
    if (isBusy) return
    beginAction()
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
