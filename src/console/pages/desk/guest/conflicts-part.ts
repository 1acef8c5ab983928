import { notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { linked } from '../../lib/controls/linked.ts'
import { useTask } from '../../lib/controls/task.ts'
import type { Resource } from '../../lib/server/api.ts'
import { textOf } from '../../lib/server/message.ts'
import type { SyncConflict } from '../../lib/server/resources.ts'
import { may } from '../../lib/server/session.ts'
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
