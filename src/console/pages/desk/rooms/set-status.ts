import { ApiError, getOne, send } from '../../lib/server/api.ts'
import { refusalText } from '../../lib/server/refusal-text.ts'
import type { Unit, UnitStatus } from '../../lib/server/resources.ts'

/** A new status of a room, and the state of the room on which the change is based. */
export interface StatusChange {
  id: string
  name: string
  from: UnitStatus
  to: UnitStatus
  /** Until when, and why; only with the status out of order. */
  why?: Partial<WhyOut>
  revision: number
}

/** Until when a room is out of order, and why. */
export type WhyOut = Pick<Unit, 'outOfOrderUntil' | 'outOfOrderReason'>

/**
 * What came of a change: the revision of the room afterwards, the box's refusal, or the same change based on the status
 * that a colleague has set meanwhile.
 */
export type Outcome = { revision: number } | { refusal: string } | { over: StatusChange }

/** So often a change is repeated when something else of the room has changed. */
const mostTries = 3

/** Changes the status of a room, unless somebody else has changed it since it was read. */
export async function setStatus(change: StatusChange, tries = 1): Promise<Outcome> {
  const { id, name, from, to, revision } = change
  const path = `/api/v2/units/${id}`
  try {
    const body = { data: { type: 'unit', id, attributes: { status: to, ...change.why } } }
    const { etag } = await send('PATCH', path, { ifMatch: `"${revision}"`, body })
    return { revision: Number(etag?.replaceAll('"', '')) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status !== 412 || tries === mostTries) return { refusal: `${name}: ${refusalText(error).text}` }
  }
  const now = await stateOf(path)
  if (now instanceof ApiError) return { refusal: `${name}: ${refusalText(now).text}` }
  if (now.status === to) return { revision: now.revision }
  const over = { ...change, from: now.status, revision: now.revision }
  return now.status === from ? setStatus(over, tries + 1) : { over }
}

async function stateOf(path: string): Promise<Unit | ApiError> {
  try {
    return (await getOne<Unit>(path)).data.attributes
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
