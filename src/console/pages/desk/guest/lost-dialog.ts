import { h } from 'preact'
import { button, Dialog } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { type Resource, sendOne } from '../../lib/server/api.ts'
import type { Key } from '../../lib/server/resources.ts'
import { confirmed } from '../../lib/server/session.ts'
import { commonText } from '../stay/open-doors.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { nameOf } from './lost-key.ts'

interface LostOptions {
  lost: Resource<Key>
  onClose: () => void
  /** Called with the key as it is after the box has blocked it. */
  onBlocked: (key: Resource<Key>) => void
}

/** Asks whether a key is to be blocked, and blocks it. */
export function Lost({ lost, onClose, onBlocked }: LostOptions): View {
  const work = useWork()
  const common = commonText(lost)
  const block = async () => {
    const { revision } = lost.attributes
    const path = `/api/v2/access/keys/${lost.id}/actions/block`
    const { data } = await confirmed(() => sendOne<Key>('POST', path, { ifMatch: `"${revision}"` }))
    onBlocked(data)
    onClose()
  }
  return h(
    Dialog,
    { title: g.value.lostTitle, onClose },
    el.div(
      { class: 'stack' },
      el.p(null, nameOf(lost)),
      el.p(null, g.value.lostWhy),
      common && el.p(null, common),
      workProblem(work, {}, () => {}),
      button(g.value.block, {
        onClick: () => void work.run(block),
        kind: 'main danger',
        icon: 'alarm',
        isBusy: work.isBusy,
        isFirst: true,
      }),
    ),
  )
}
