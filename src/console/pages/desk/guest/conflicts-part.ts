import { get, type Resource, send } from '../../lib/api.ts'
import { button, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { language } from '../../lib/language.ts'
import { type Reading, useRead } from '../../lib/read.ts'
import type { SyncConflict } from '../../lib/resources.ts'
import { may } from '../../lib/session.ts'
import { g } from './texts.ts'
import { useWork, workProblem } from './use-work.ts'

const path = '/api/config/v1/sync-conflicts'

/** The open conflicts with the PMS, all or those of one reservation. */
export function useConflicts(reservationId: string | null): Reading<Resource<SyncConflict>[]> {
  const of = reservationId === null ? '' : `&filter[reservationId]=${reservationId}`
  return useRead(
    may('sync-conflicts.read') ? `conflicts ${of} ${language.value}` : null,
    async (signal) =>
      (await get<Resource<SyncConflict>[]>(`${path}?filter[state]=open${of}&page[size]=100`, { signal }))
        .data,
    ['pms.conflict', 'sync-conflict.'],
  )
}

/** What the PMS says otherwise about a stay, with which side counts, and the two answers. */
export function Conflicts({ all, changed }: { all: readonly Resource<SyncConflict>[]; changed: () => void }) {
  const work = useWork()
  if (all.length === 0) return null
  const act = (id: string, revision: number, action: string, attributes?: object) =>
    void work.run(async () => {
      await send('POST', `${path}/${id}/actions/${action}`, {
        ifMatch: `"${revision}"`,
        ...(attributes && { body: { data: { type: 'sync-conflict', attributes } } }),
      })
      changed()
    })
  return el.div(
    { class: 'stack' },
    all.map(({ id, attributes: { sentence, counts, revision } }) =>
      notice(
        'warning',
        g.value.conflict,
        el.p({ key: id }, sentence),
        may('sync-conflicts.choose') &&
          el.div(
            { class: 'row' },
            button(g.value.acceptThis(g.value.sides[counts]), { onClick: () => act(id, revision, 'accept') }),
            button(g.value.otherSide, {
              onClick: () => act(id, revision, 'choose', { counts: counts === 'Pms' ? 'Local' : 'Pms' }),
            }),
          ),
      ),
    ),
    workProblem(work, {}, () => {}),
  ) as View
}
