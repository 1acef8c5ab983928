import { signal } from '@preact/signals'
import { h } from 'preact'
import { button, notice } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { boxTime, OtherTime, otherTimeText } from '../lib/controls/other-time.ts'
import { useTask } from '../lib/controls/task.ts'
import { dateOf, timeText } from '../lib/language/format.ts'
import { send } from '../lib/server/api.ts'
import { heardTime, may, now, tick } from '../lib/server/session.ts'
import { t } from './texts.ts'

/** What the status of the box says of its clock. */
export interface ClockStatus {
  time: string
  timeConfirmed?: boolean
  clock?: { judgement: string }
}

const heard = signal<ClockStatus | null>(null)

/** Takes what a status that was just read says of the clock. */
export function hearClock(status: ClockStatus): void {
  heardTime(status.time)
  heard.value = status
}

/**
 * Asks on every screen whether day and time are right: while nothing has confirmed the clock of the box since it was
 * started, and where it differs from the clock of this computer.
 */
export function ClockDoubt(): View | null {
  tick.value
  // The event of the confirmation has the status read again.
  const task = useTask()
  const { timeConfirmed = true, clock } = heard.value ?? {}
  const texts = t.value.clockDoubt
  // A clock that is known to be wrong is an alarm.
  const isDoubtful = !timeConfirmed && (clock?.judgement ?? 'plausible') === 'plausible'
  if (!isDoubtful) return h(OtherTime, {})
  const differs = otherTimeText()
  const confirm = () => {
    const at = now()
    return send('POST', '/api/config/v1/clock/actions/state', {
      body: { date: dateOf(at), time: timeText(at) },
    })
  }
  return notice(
    'warning',
    texts.ask(boxTime()),
    el.p(null, texts.why),
    differs !== null && el.p(null, differs),
    task.refusal && notice('error', task.refusal),
    may('clock.state') &&
      button(texts.isRight, { onClick: () => task.run('confirm', confirm), ...task.of('confirm') }),
  )
}
