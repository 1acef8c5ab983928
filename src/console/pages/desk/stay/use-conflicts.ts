import { language } from '../../lib/language/language.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import { type Reading, useRead } from '../../lib/server/read.ts'
import type { SyncConflict } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'

const path = '/api/config/v1/sync-conflicts'

/** The open conflicts with the PMS, all or those of one reservation. */
export function useConflicts(reservationId: string | null): Reading<Resource<SyncConflict>[]> {
  const of = reservationId === null ? '' : `&filter[reservationId]=${reservationId}`
  return useRead(
    may('sync-conflicts.read') ? `conflicts ${of} ${language.value}` : null,
    async (signal) =>
      (await getList<SyncConflict>(`${path}?filter[state]=open${of}&page[size]=100`, { signal })).data,
    ['pms.conflict', 'sync-conflict.'],
  )
}
