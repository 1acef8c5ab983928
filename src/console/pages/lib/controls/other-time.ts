import { common } from '../language/common-texts.ts'
import { longDate, momentText, timeText } from '../language/format.ts'
import { isOtherTime, now, tick, today } from '../server/session.ts'
import { notice } from './controls.ts'
import type { View } from './el.ts'

/** Day and time of the box, in words. */
export const boxTime = () => `${longDate(today.value)}, ${timeText(now())}`

/** Says that the clock of this computer differs from that of the box; null while the two agree. */
export const otherTimeText = () =>
  isOtherTime.value ? common.value.otherTime(momentText(Date.now()), boxTime()) : null

/** The same as a warning. */
export function OtherTime(): View | null {
  tick.value
  const text = otherTimeText()
  return text === null ? null : notice('warning', text)
}
