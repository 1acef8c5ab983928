import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { dateText } from '../../lib/language/format.ts'
import type { ApiError } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { guestOf, nameInList } from '../../lib/server/resources.ts'
import { readStay } from './stay.ts'
import { g } from './texts.ts'

interface InTheWayOptions {
  refusal: ApiError
  open: (stayId: string) => void
  /** Lets the stay that was refused share the unit of this one; absent where it was no stay. */
  share?: (stayId: string) => void
}

const mostShown = 5

/** The stays that a refusal names, each with a button that opens it; nothing for any other refusal. */
export function StaysInTheWay({ refusal, open, share }: InTheWayOptions): View | null {
  const { stayIds } = refusal.meta
  const ids: string[] = Array.isArray(stayIds) ? stayIds.slice(0, mostShown) : []
  const { data } = useRead(ids.length === 0 ? null : `in the way ${ids}`, (signal) =>
    Promise.all(ids.map((id) => readStay(id, signal))),
  )
  if (!data) return null
  return el.div(
    { class: 'stack' },
    el.strong(null, g.value.inTheWay),
    data.map(({ stay, included }) => {
      const name = nameInList(guestOf(stay, included))
      const { startDate, endDate } = stay.attributes
      return el.div(
        { key: stay.id, class: 'row' },
        el.span(null, `${name}, ${dateText(startDate)} – ${dateText(endDate)}`),
        button(g.value.openSheet, {
          onClick: () => open(stay.id),
          icon: 'person',
          name: `${g.value.openSheet}: ${name}`,
        }),
        share && button(g.value.share, { onClick: () => share(stay.id), name: `${g.value.share}: ${name}` }),
      )
    }),
  )
}
