import { timeText } from '../../lib/language/format.ts'
import { ApiError, type Resource, send } from '../../lib/server/api.ts'
import type { Key } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
import { readKeys, type ShownStay } from '../stay/stay.ts'

/** The result for the keys of a stay whose departure changed. */
export interface ExtendedKeys {
  /** Rooms whose card must be made anew. */
  toMake: readonly string[]
  /** Rooms whose keys still have the old end. */
  refused: readonly Resource<Key>[]
  /** The first refusal; null without one. */
  problem: ApiError | null
}

/**
 * Gives each open key of a stay the stay's new end: the day, and the time if that has changed. The end is written on a card, so a card
 * must be made anew. Throws ApiError.
 */
export async function extendKeys({ stay }: ShownStay, hasNewTime: boolean): Promise<ExtendedKeys> {
  const { endDate, plannedEndsAt } = stay.attributes
  const attributes = { endDate, ...(hasNewTime && { endTime: timeText(plannedEndsAt) }) }
  const all = may('keys.read') ? await readKeys(stay.id) : []
  const toMake = new Set<string>()
  const refused: Resource<Key>[] = []
  let problem: ApiError | null = null
  for (const each of all) {
    const { status, unitName, endDate: end } = each.attributes
    if ((status !== 'live' && status !== 'virtual') || (end === endDate && !hasNewTime)) continue
    try {
      await send('POST', `/api/v2/access/keys/${each.id}/actions/extend`, {
        body: { data: { type: 'key', attributes } },
        idempotencyKey: crypto.randomUUID(),
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'card-required' && unitName) {
        toMake.add(unitName)
        continue
      }
      problem ??= error
      refused.push(each)
    }
  }
  return { toMake: [...toMake], refused, problem }
}
