import { ApiError, getList, type Resource } from '../../lib/server/api.ts'
import { guestOf, nameInList, type Stay } from '../../lib/server/resources.ts'

/** How the box has found a stay. */
export const kinds = ['code', 'number', 'room', 'guest', 'nearName'] as const
export type Kind = (typeof kinds)[number]

/** The results in the order of their kinds, and why a part of the search did not answer; null where all did. */
export interface Found {
  stays: { stay: Resource<Stay>; kind: Kind }[]
  included: Resource[]
  failed: string | null
}

/** Searches stays by number, by name, by room and by the code of a kiosk. */
export async function find(text: string, signal: AbortSignal): Promise<Found> {
  const path = `/api/v2/found-stays?filter[text]=${encodeURIComponent(text)}&include=profiles`
  try {
    const { data, included = [], meta } = await getList<Stay>(path, { signal })
    const [unanswered] = (meta?.unanswered ?? []) as { detail: string }[]
    const stays = data.map((stay) => ({ stay, kind: stay.meta?.foundBy as Kind }))
    return { stays, included, failed: unanswered?.detail ?? null }
  } catch (error) {
    if (!(error instanceof ApiError) || signal.aborted) throw error
    return { stays: [], included: [], failed: error.message }
  }
}

export const nameIn = (stay: Resource<Stay>, included: readonly Resource[]) =>
  nameInList(guestOf(stay, included))
