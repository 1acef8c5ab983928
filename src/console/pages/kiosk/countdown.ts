import { useEffect, useState } from 'preact/hooks'
import { el, type View } from '../lib/controls/el.ts'
import { now } from './house.ts'
import { t } from './texts.ts'

/**
 * Returns the whole seconds until an instant, Unix milliseconds by the clock of the box; 0 after it, and null without one. They
 * are counted by the page, so that a countdown goes on while the line to the box is dead.
 */
export function useSecondsUntil(instant: number | null): number | null {
  const [, count] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => count((seconds) => seconds + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return instant === null ? null : Math.max(0, Math.round((instant - now()) / 1_000))
}

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
