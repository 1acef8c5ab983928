import { randomInt } from 'node:crypto'

const validMs = 15 * 60_000

/**
 * Returns a new enrolment code of eight digits with its expiry, and the mark that the store keeps. `mark` is the
 * function of the vault.
 */
export function newEnrolmentCode(mark: (text: string, context: string) => string, now: number) {
  const code = String(randomInt(100_000_000)).padStart(8, '0')
  return { code, stored: { code: markOfEnrolment(mark, code), codeEndsAt: now + validMs } }
}

/** Returns the mark of an enrolment code. Spaces and hyphens are ignored. */
export function markOfEnrolment(mark: (text: string, context: string) => string, code: string): string {
  return mark(code.replace(/[\s-]/g, ''), 'station-code')
}
