import { classes, el, type View } from '../../lib/controls/el.ts'
import { icon } from '../../lib/controls/icons.ts'
import type { Step } from '../screen.ts'
import { t } from '../texts.ts'

const steps: readonly Step[] = ['find', 'confirm', 'pay', 'key']

/** The four steps of a visit, at the same place on every page. `isDone`: the last one is done too. */
export function stepList(present: Step, isDone: boolean): View {
  const at = isDone ? steps.length : steps.indexOf(present)
  return el.ol(
    { class: 'steps', 'aria-label': t.value.steps.all },
    steps.map((each, index) =>
      el.li(
        {
          key: each,
          class: classes(index < at && 'done'),
          ...(index === at && { 'aria-current': 'step' }),
        },
        el.b(null, index < at ? icon('check') : index + 1),
        t.value.steps[each],
        index < at && el.span({ class: 'hidden-text' }, `, ${t.value.done}`),
      ),
    ),
  )
}
