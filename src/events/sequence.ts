import { Problem } from '../resource/problem.ts'
import type { Feed } from './feed.ts'

/** Parses the sequence in a request. Throws invalid-filter-value that names the parameter or header. */
export function readSequence(text: string, where: { parameter: string } | { header: string }): number {
  if (/^\d{1,20}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  const expected = 'the sequence of an event, at most 20 digits'
  throw new Problem('invalid-filter-value', `${Object.values(where)[0]}: expected ${expected}.`, {
    ...where,
    meta: { expected },
  })
}

/**
 * Throws events-gone when the events after a sequence are not all available: they were purged, or the
 * sequence belongs to a journal that a restore replaced. Lines are numbered without gaps, except for the gap
 * that a restore makes; a number in that gap comes from the lost journal.
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
