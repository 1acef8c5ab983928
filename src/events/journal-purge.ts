import { command } from '../resource/command.ts'
import type { Sliced } from '../resource/slice.ts'
import { cursorNameSql } from './resources/webhook.ts'

const day = 86_400_000
/** Events of at least this many days can be replayed. */
const replayDays = 7
/** A PMS that has not read an event within this time loses it. */
const longestHeldDays = 30
/** The default of the setting. */
const retentionDays = 730
const mostAtOnce = 500

/**
 * Returns the command that deletes the oldest journal lines that are no longer needed: for the replay of
 * events, for the audit within the configured retention, and for consumers that have not read them yet: for at most a month for those
 * at `places`, and without a limit for those at `held`. Both are SQL queries for cursors. The newest line always stays, because the
 * next number follows it.
 */
export function journalPurge({ places, held }: { places: readonly string[]; held: readonly string[] }) {
  const sql = `WITH
    oldest AS (SELECT sequence, at FROM journal ORDER BY sequence LIMIT ${mostAtOnce}),
    ends AS (SELECT coalesce(max(sequence), 0) + 1 AS past FROM oldest),
    place AS (${leastOf(places)}),
    held AS (${leastOf(held)})
  DELETE FROM journal WHERE sequence < (SELECT min(
    (SELECT max(sequence) FROM journal),
    coalesce((SELECT min(sequence) FROM oldest WHERE at >=
      ? - ${day} * max(${replayDays}, coalesce((SELECT min(retentionDays) FROM settings), ${retentionDays}))), past),
    coalesce((SELECT place + 1 FROM held), past),
    max(coalesce((SELECT place + 1 FROM place), past),
      coalesce((SELECT min(sequence) FROM oldest WHERE at >= ? - ${day} * ${longestHeldDays}), past))
  ) FROM ends)`
  return command(
    'journal/purge',
    (tx): Sliced => ({
      next: tx.run(sql, tx.now, tx.now) < mostAtOnce ? null : 0,
      left: [],
    }),
  )
}

function leastOf(places: readonly string[]): string {
  return `SELECT min(place) AS place FROM (${places.map((each) => `SELECT (${each}) AS place`).join(' UNION ALL ')})`
}

/**
 * The cursors of enabled webhooks, and the oldest event that waits for a webhook or can be sent again. Neither stays for ever: an event
 * becomes a dead letter after 30 days, and a dead letter is deleted after 30 more.
 */
export const webhookPlaces = [
  `SELECT min(value) FROM counter JOIN webhook ON counter.name = ${cursorNameSql} WHERE webhook.enabled IS NOT 0`,
  'SELECT min(sequence) - 1 FROM webhook_delivery',
]
