import { randomInt } from 'node:crypto'

const validMs = 15 * 60_000

/** Returns a new enrolment code of eight digits with its end, and what the store keeps of it. `mark` is the vault's. */
export function newEnrolmentCode(mark: (text: string, context: string) => string, now: number) {
  const code = String(randomInt(100_000_000)).padStart(8, '0')
  return { code, stored: { code: markOfEnrolment(mark, code), codeEndsAt: now + validMs } }
}

/** Returns what the store keeps of an enrolment code. Spaces and hyphens do not count. */
export function markOfEnrolment(mark: (text: string, context: string) => string, code: string): string {
  return mark(code.replace(/[\s-]/g, ''), 'station-code')
}
