import type { Transaction } from '../resource/command.ts'

/**
 * What has happened to events that a receiver did not take: `expired` events are dead letters, `dropped` ones are deleted. Both are
 * counted for each webhook, and reported as one event for many: an event for each would be one more to lose.
 */
type Loss = 'expired' | 'dropped'

const nameOf = (loss: Loss, webhookId: string) => `webhook-${loss}/${webhookId}`

/** Adds to the number of lost events of a webhook that is reported next. */
export function tally(tx: Transaction, loss: Loss, webhookId: string, count: number): void {
  if (count > 0) tx.add(nameOf(loss, webhookId), count)
}

/** Journals `webhook.events-expired` or `webhook.events-dropped` with its count for each webhook that has lost events since. */
export function report(tx: Transaction, loss: Loss): void {
  const [from, to] = [nameOf(loss, ''), nameOf(loss, '~')]
  for (const [name, count] of tx.counters(from, to))
    tx.journal(`webhook.events-${loss}`, `webhooks/${name.slice(from.length)}`, { count })
  tx.forget(from, to)
}

/** Forgets the numbers of a webhook that is deleted. */
export function forgetTallies(tx: Transaction, webhookId: string): void {
  for (const loss of ['expired', 'dropped'] as const) {
    const name = nameOf(loss, webhookId)
    tx.forget(name, name)
  }
}
