import { get, type Resource, send } from '../lib/api.ts'
import { button, notice } from '../lib/controls.ts'
import { el, type View } from '../lib/el.ts'
import { dateOf, longDate, momentText, timeText } from '../lib/format.ts'
import { useRead, useReadEvery } from '../lib/read.ts'
import { heardTime, isOtherTime, may, now, tick, today } from '../lib/session.ts'
import { useTask } from '../lib/task.ts'
import { t } from './texts.ts'

interface Status {
  time: string
  timeConfirmed?: boolean
  clock?: { judgement: string }
}

/**
 * Asks on every screen whether day and time are right: while nothing has confirmed the clock of the box since it was
 * started, and where it differs from the clock of this computer.
 */
export function ClockDoubt(): View | null {
  tick.value
  const status = useRead(
    'clock',
    async (signal) => {
      const { data } = await get<Resource<Status>>('/api/v2/status', { signal })
      heardTime(data.attributes.time)
      return data.attributes
    },
    ['system.'],
  )
  useReadEvery(120_000, status.readAgain)
  const task = useTask(status.readAgain)
  const { timeConfirmed = true, clock } = status.data ?? {}
  const shown = `${longDate(today.value)}, ${timeText(now())}`
  const texts = t.value.clockDoubt
  // A clock that is known to be wrong is an alarm.
  const isDoubtful = !timeConfirmed && (clock?.judgement ?? 'plausible') === 'plausible'
  if (!isDoubtful)
    return isOtherTime.value ? notice('warning', texts.differs(momentText(Date.now()), shown)) : null
  const confirm = () => {
    const at = now()
    return send('POST', '/api/config/v1/clock/actions/state', {
      body: { date: dateOf(at), time: timeText(at) },
    })
  }
  return notice(
    'warning',
    texts.ask(shown),
    el.p(null, texts.why),
    isOtherTime.value && el.p(null, texts.differs(momentText(Date.now()), shown)),
    task.refusal && notice('error', task.refusal),
    may('clock.state') &&
      button(texts.isRight, { onClick: () => task.run('confirm', confirm), ...task.of('confirm') }),
  )
}
