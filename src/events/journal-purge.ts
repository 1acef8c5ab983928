import { change } from '../resource/change.ts'
import type { NextSlice } from '../resource/slice.ts'

const day = 86_400_000
/** What can be heard again, at least. */
const replayDays = 7
/** Whoever is still to hear something, and could not for so long, has missed it. */
const longestHeldDays = 30
/** Unless the settings say otherwise. */
const retentionDays = 730
const mostAtOnce = 500

/**
 * A command that takes the oldest lines of the journal away that nobody needs any more: neither who hears events anew, nor who audits the
 * house for as long as the settings say, nor those who have not yet heard all of it. `places` are SQL questions for the
 * lines up to which each of these has. The newest line always stays: the next one is numbered after it.
 */
export function journalPurge(places: readonly string[]) {
  const sql = `WITH
    oldest AS (SELECT sequence, at FROM journal ORDER BY sequence LIMIT ${mostAtOnce}),
    ends AS (SELECT coalesce(max(sequence), 0) + 1 AS past FROM oldest),
    place AS (SELECT min(place) AS place FROM (${places.map((each) => `SELECT (${each}) AS place`).join(' UNION ALL ')}))
  DELETE FROM journal WHERE sequence < (SELECT min(
    (SELECT max(sequence) FROM journal),
    coalesce((SELECT min(sequence) FROM oldest WHERE at >=
      ? - ${day} * max(${replayDays}, coalesce((SELECT min(retentionDays) FROM settings), ${retentionDays}))), past),
    max(coalesce((SELECT place + 1 FROM place), past),
      coalesce((SELECT min(sequence) FROM oldest WHERE at >= ? - ${day} * ${longestHeldDays}), past))
  ) FROM ends)`
  return change('journal/purge', (tx): NextSlice => (tx.run(sql, tx.now, tx.now) < mostAtOnce ? null : 0))
}

/** Up to where webhooks have been told, and the oldest event that waits for one or can be sent again. */
export const webhookPlaces = [
  "SELECT min(value) FROM counter WHERE name BETWEEN 'journal-cursor/' AND 'journal-cursor0'",
  'SELECT min(sequence) - 1 FROM webhook_delivery',
]
