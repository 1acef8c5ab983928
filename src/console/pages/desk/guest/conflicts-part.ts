import { getList, type Resource } from '../../lib/api.ts'
import { notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { language } from '../../lib/language.ts'
import { textOf } from '../../lib/message.ts'
import { type Reading, useRead } from '../../lib/read.ts'
import type { SyncConflict } from '../../lib/resources.ts'
import { may } from '../../lib/session.ts'
import { useTask } from '../../lib/task.ts'
import { decisionsOf, groupOf, sidesOf } from '../conflicts/sides.ts'
import { g } from './texts.ts'

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

/** The open conflicts of a stay: what the PMS has, what the hotel has, and the decision. */
export function Conflicts({ all, changed }: { all: readonly Resource<SyncConflict>[]; changed: () => void }) {
  const task = useTask(changed)
  if (all.length === 0) return null
  return el.div(
    { class: 'stack' },
    all.map((each) => {
      const { sentence, messages } = each.attributes
      return el.div(
        { key: each.id },
        notice(
          'warning',
          `${g.value.conflict}: ${groupOf(each)}`,
          el.p(null, textOf(messages) || sentence),
          sidesOf(each),
          may('sync-conflicts.choose') && decisionsOf(each, task),
        ),
      )
    }),
    task.refusal && notice('error', task.refusal),
  ) as View
}
