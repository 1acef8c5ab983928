import { type Answered, getList, type Resource } from '../../lib/server/api.ts'
import { may } from '../../lib/server/session.ts'

interface Decided {
  event: { subject: string; data: { by: { name: string | null } } }
}

/** The largest number of requests. Each reads only a part of the journal, the newest first. */
const mostRequests = 5

/**
 * Returns the names of the people who decided conflicts, by conflict. A conflict that ended without a person, or too
 * long ago, has none.
 */
export async function decidedBy(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  if (ids.length === 0 || !may('events.read')) return names
  const subjects = ids.map((id) => `sync-conflicts/${id}`).join()
  const filter = `filter[type]=pms.conflict-resolved&filter[subject]=${subjects}`
  let next: string | undefined = `/api/v2/events?sort=-sequence&${filter}&page[size]=50`
  for (let requests = 0; next !== undefined && requests < mostRequests; requests++) {
    const page: Answered<Resource<Decided>[]> = await getList<Decided>(next, { signal })
    for (const { attributes } of page.data) {
      const { name } = attributes.event.data.by
      const id = attributes.event.subject.split('/').at(-1) ?? ''
      if (name !== null && !names.has(id)) names.set(id, name)
    }
    next = page.links?.next
  }
  return names
}
