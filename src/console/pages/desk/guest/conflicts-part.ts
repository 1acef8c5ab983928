import type { Resource } from '../../lib/api.ts'
import { notice } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { linked } from '../../lib/linked.ts'
import { textOf } from '../../lib/message.ts'
import type { SyncConflict } from '../../lib/resources.ts'
import { may } from '../../lib/session.ts'
import { useTask } from '../../lib/task.ts'
import { decisionsOf, groupOf, sidesOf } from '../conflicts/sides.ts'
import { g } from '../stay/texts.ts'

export interface ConflictsOptions {
  all: readonly Resource<SyncConflict>[]
  changed: () => void
}

/** The open conflicts of a stay: what the PMS has, what the hotel has, and the decision. */
export function Conflicts({ all, changed }: ConflictsOptions): View {
  const task = useTask(changed)
  return el.div(
    { class: 'stack' },
    all.map((each) => {
      const { sentence, messages } = each.attributes
      return el.div(
        { key: each.id },
        notice(
          'warning',
          `${g.value.conflict}: ${groupOf(each)}`,
          el.p(null, linked(textOf(messages) || sentence)),
          sidesOf(each),
          may('sync-conflicts.choose') && decisionsOf(each, task),
        ),
      )
    }),
    task.refusal && notice('error', task.refusal),
  )
}
