import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { useTask } from '../../lib/controls/task.ts'
import { momentText } from '../../lib/language/format.ts'
import { getAll, send } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { may } from '../../lib/server/session.ts'
import { t } from './texts.ts'

interface UnitToCheck {
  unitName: string
  keysFrom: string
  keysUntil: string
}

const path = '/api/config/v1/units-to-check'

/**
 * After a restore: the rooms whose doors may accept cards that the box does not know. Shows nothing if there are none.
 */
export function UnknownKeys(): View | null {
  const { data, problem, readAgain } = useRead(
    'units-to-check',
    (signal) => getAll<UnitToCheck>(`${path}?page[size]=100`, 1_000, signal),
    ['key.', 'system.restored'],
  )
  const task = useTask(readAgain)
  if (problem) return failure(problem, readAgain)
  const [first] = data?.data ?? []
  if (!data || !first) return null
  const { keysFrom, keysUntil } = first.attributes
  return el.section(
    { class: 'stack', 'aria-label': t.value.unknownTitle },
    el.h2(null, t.value.unknownTitle),
    notice(
      'warning',
      t.value.unknownWhy(momentText(keysFrom), momentText(keysUntil)),
      el.p(null, t.value.unknownRemedy),
    ),
    task.refusal && notice('error', task.refusal),
    el.ul(
      { class: 'rows' },
      data.data.map(({ id, attributes: { unitName } }) =>
        el.li(
          { key: id, class: 'row' },
          el.strong(null, unitName),
          may('keys.block') &&
            button(t.value.checked, {
              onClick: () => task.run(id, () => send('DELETE', `${path}/${id}`)),
              ...task.of(id),
              name: `${t.value.checked}: ${unitName}`,
            }),
        ),
      ),
    ),
  )
}
