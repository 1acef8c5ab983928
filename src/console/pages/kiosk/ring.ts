import { el, type View } from '../lib/el.ts'
import { t } from './texts.ts'

/** The seconds that are left, as a number in a ring that empties. Without the whole time the ring stays full. */
export function ring(secondsLeft: number, wholeSeconds: number = secondsLeft): View {
  const left = Math.min(1, secondsLeft / Math.max(1, wholeSeconds))
  return el.div(
    { class: 'ring' },
    el.svg(
      { viewBox: '0 0 100 100', 'aria-hidden': true },
      el.circle({ cx: 50, cy: 50, r: 44, pathLength: 100 }),
      el.circle({
        class: 'left',
        cx: 50,
        cy: 50,
        r: 44,
        pathLength: 100,
        'stroke-dashoffset': 100 - 100 * left,
      }),
    ),
    el.p({ role: 'timer' }, t.value.seconds(secondsLeft)),
  )
}
