import { useEffect, useState } from 'preact/hooks'
import { now } from './house.ts'

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
