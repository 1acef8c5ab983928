import { button, chip, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useTask } from '../../lib/controls/task.ts'
import { momentText } from '../../lib/language/format.ts'
import { getList, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { t } from '../texts.ts'

interface OwnSession {
  current: boolean
  startedAt: string | null
  lastUsedAt: string | null
  /** The address of the browser. */
  address: string | null
  /** The name of the station; null for another browser. */
  station: string | null
}

/** The sessions of the signed-in person. The person ends those of other browsers here. */
export function OwnSessions(): View {
  const { data, problem, readAgain } = useRead(
    'own sessions',
    async (signal) => (await getList<OwnSession>('/api/v2/sessions', { signal })).data,
  )
  const task = useTask(readAgain)
  return el.section(
    { class: 'stack' },
    el.h3(null, t.value.person.ownSessions),
    problem && failure(problem, readAgain),
    task.refusal && notice('error', task.refusal),
    el.ul(
      { class: 'rows' },
      (data ?? []).map(({ id, attributes }) => {
        const place = attributes.station ?? attributes.address ?? ''
        const used = attributes.lastUsedAt ?? attributes.startedAt
        return el.li(
          { key: id, class: 'row' },
          el.strong(null, place),
          used && el.span({ class: 'quiet' }, t.value.person.lastUsed(momentText(used))),
          attributes.current
            ? chip('ok', t.value.person.thisSession)
            : button(t.value.person.endSession, {
                onClick: () => task.run(id, () => send('DELETE', `/api/v2/sessions/${id}`)),
                ...task.of(id),
                name: `${t.value.person.endSession}: ${place}`,
              }),
        )
      }),
    ),
  )
}
