import type { WorkState } from '../host/background-work.ts'
import type { Found } from './check.ts'

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

/** Whether a work that the program does without being asked has succeeded in its time, as `lateAfterMs` says. */
export function work({ name, about, waitingMs, isLate }: WorkState): Found {
  return {
    componentId: name,
    componentType: 'component',
    observedValue: Math.floor(waitingMs / second),
    observedUnit: 's',
    status: isLate ? 'warn' : 'pass',
    messages: isLate
      ? [{ code: `late-${name}`, values: { time: durationText(waitingMs) } }, { code: 'late-remedy' }]
      : [],
    ...(about !== null && { about }),
  }
}

/** A duration with the symbols that all languages share. */
function durationText(ms: number): string {
  if (ms >= 2 * day) return `${Math.floor(ms / day)} d`
  if (ms >= 2 * hour) return `${Math.floor(ms / hour)} h`
  return `${Math.floor(ms / minute)} min`
}
