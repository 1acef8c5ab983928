import { Problem } from '../resource/problem.ts'
import type { Feed } from './feed.ts'

/** The sequence that a client names; throws invalid-filter-value, naming where it stands. */
export function readSequence(text: string, where: { parameter: string } | { header: string }): number {
  if (/^\d{1,20}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  const expected = 'the sequence of an event, at most 20 digits'
  throw new Problem('invalid-filter-value', `${Object.values(where)[0]}: expected ${expected}.`, {
    ...where,
    meta: { expected },
  })
}

/**
 * Lines are numbered without a gap, but for the one that a restore leaves: a number in it was told by a journal that is lost.
 * Throws events-gone where what follows a sequence cannot be told without a gap: it is no longer kept, or it is of a journal
 * that is not here, as after a backup was put back.
 */
export function expectKept(feed: Feed, sequence: number): void {
  const [oldest, newest] = [feed.kept(), feed.newest()]
  if (sequence === oldest || feed.has(sequence)) return
  const what =
    sequence < oldest
      ? `Events after ${sequence} are no longer kept.`
      : `There was no event ${sequence} here: the newest is ${newest}, and a backup may have been restored.`
  throw new Problem('events-gone', `${what} Read everything anew, and go on after ${newest}.`, {
    meta: { oldest, newest },
  })
}
