import { dateOf } from '../../lib/language/format.ts'
import { type Answered, getList, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { may, today } from '../../lib/server/session.ts'

interface Change {
  event: { subject: string; time: string; data: { by: { id: string } } }
}

const types = ['stay.changed', 'stay.unit-assigned', 'stay.unit-unassigned']
/** The largest number of requests. Each reads only a part of the journal, the newest first. */
const mostRequests = 2

/** Returns when the PMS last changed each stay today, by the id of the stay. Older changes of a busy day are left out. */
export function usePmsChanges(): ReadonlyMap<string, string> {
  const { data } = useRead(
    may('events.read') ? `pms changes ${today.value}` : null,
    (signal) => changesToday(signal),
    types,
  )
  return data ?? new Map()
}

async function changesToday(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const times = new Map<string, string>()
  let next: string | undefined = `/api/v2/events?sort=-sequence&filter[type]=${types.join()}&page[size]=100`
  for (let requests = 0; next !== undefined && requests < mostRequests; requests++) {
    const page: Answered<Resource<Change>[]> = await getList<Change>(next, { signal })
    for (const { subject, time, data } of page.data.map(({ attributes }) => attributes.event)) {
      if (dateOf(time) !== today.value) return times
      const id = subject.split('/').at(-1) ?? ''
      if (data.by.id.startsWith('pms:') && !times.has(id)) times.set(id, time)
    }
    next = page.links?.next
  }
  return times
}
