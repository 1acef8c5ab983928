import { useEffect, useRef } from 'preact/hooks'
import { getAll, type Resource, send } from '../../lib/api.ts'
import { button, notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { timeText } from '../../lib/format.ts'
import { useRead } from '../../lib/read.ts'
import { openStay } from '../../lib/route.ts'
import { may } from '../../lib/session.ts'
import { useTask } from '../../lib/task.ts'
import { t } from '../texts.ts'
import { soundForGuest } from './sound.ts'

interface HandOver {
  code: string
  stayId: string
  createdAt: string
  /** The codes of the kiosk for what stopped the guest, and at which step. */
  failure: string | null
  step: string | null
}

const mostShown = 20

/** The guests whom a kiosk could not help, on every screen until somebody has helped them. A new one is announced by sound. */
export function WaitingGuests(): View | null {
  const { data, readAgain } = useRead(
    may('hand-overs.read') ? 'waiting guests' : null,
    async (signal) =>
      (await getAll<HandOver>(`/api/v2/hand-overs?page[size]=${mostShown}`, mostShown, signal)).data,
    ['stay.handed-over', 'stay.hand-over-finished'],
  )
  useSound(data)
  const task = useTask(readAgain)
  if (!data || data.length === 0) return null
  return el.div(
    { class: 'stack' },
    task.refusal && notice('error', task.refusal),
    data.map(({ id, attributes: { code, stayId, createdAt, ...why } }) =>
      el.div(
        { key: id },
        notice(
          'warning',
          t.value.waiting.guest(code, timeText(createdAt)),
          el.p(null, reasonOf(why)),
          el.div(
            { class: 'row' },
            button(t.value.waiting.open, {
              onClick: () => openStay(stayId),
              icon: 'person',
              name: `${t.value.waiting.open}: ${code}`,
            }),
            may('hand-overs.write') &&
              button(t.value.waiting.helped, {
                onClick: () => task.run(id, () => send('DELETE', `/api/v2/hand-overs/${id}`)),
                icon: 'check',
                ...task.of(id),
                name: `${t.value.waiting.helped}: ${code}`,
              }),
          ),
        ),
      ),
    ),
  )
}

/** Returns why the guest waits; nothing for a word that only another kiosk knows. */
function reasonOf({ failure, step }: Pick<HandOver, 'failure' | 'step'>): string {
  const { failures, steps } = t.value.waiting
  return failures[failure ?? ''] ?? steps[step ?? ''] ?? ''
}

/** Sounds for each guest who has come since the page was opened. */
function useSound(waiting: readonly Resource<HandOver>[] | undefined): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (!waiting) return
    const ids = new Set(waiting.map(({ id }) => id))
    if (known.current && !ids.isSubsetOf(known.current)) soundForGuest()
    known.current = ids
  }, [waiting])
}
