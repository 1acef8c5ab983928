import { fstatSync } from 'node:fs'

const standardError = 2

/**
 * Whether standard error is the journal of systemd: JOURNAL_STREAM names its device and inode. A program that inherited the
 * variable, and writes elsewhere, is not in the journal.
 */
export function isJournal(environment: NodeJS.ProcessEnv = process.env, fd: number = standardError): boolean {
  const named = environment.JOURNAL_STREAM
  if (!named) return false
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true })
    return named === `${dev}:${ino}`
  } catch {
    return false
  }
}

/** The priorities of sd-daemon(3) for the levels of the log. */
const priorities: Record<string, number> = { fatal: 2, error: 3, warn: 4, info: 6, debug: 7, trace: 7 }

/** Returns a line of the log as the journal takes it: `<4>` and the JSON, which becomes the message of an entry with the priority 4. */
export function journalLine(line: string): string {
  const [, level = ''] = /^\{"level":"(\w+)"/.exec(line) ?? []
  return `<${priorities[level] ?? priorities.error}>${line}`
}
