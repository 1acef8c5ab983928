import { button } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import type { Task } from '../../lib/controls/task.ts'
import { momentText, numberText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import { t } from './texts.ts'

/** A backup that the box can read. */
export interface Restorable {
  place: string
  backup: string
  name: string
  takenAt: string
  bytes: number
}

/** A list of backups, each with the button that begins its restore. */
export function restorables(
  all: readonly Resource<Restorable>[],
  task: Task,
  begin: (backup: Resource<Restorable>) => void,
): View {
  return el.ul(
    { class: 'rows' },
    all.map((each) => {
      const { place, name, takenAt, bytes } = each.attributes
      return el.li(
        { key: each.id, class: 'row' },
        el.strong(null, momentText(takenAt)),
        el.span(null, t.value.places[place] ?? place),
        el.span(null, `${numberText(Math.ceil(bytes / 1_000))} kB`),
        button(t.value.title, {
          onClick: () => begin(each),
          ...task.of(each.id),
          name: `${t.value.title}: ${name}`,
        }),
      )
    }),
  )
}
