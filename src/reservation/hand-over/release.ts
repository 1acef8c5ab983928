import { command, type Transaction } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import { having } from '../../resource/query.ts'
import { type HandOver, handOver } from '../resources/hand-over.ts'
import { stay } from '../resources/stay.ts'

/** How long a kiosk does for a guest what else only the front desk does. */
const countsMs = 15 * 60_000

/** A release is a counter with the time at which the desk gave it, Unix milliseconds. */
const prefix = 'stay-release:'
/** It sorts after every id. */
const last = '~'

/** Whether a release counts. The clock may have been set back. */
const counts = (at: number, now: number) => Math.abs(now - at) < countsMs

/** When the front desk has released a stay to the kiosks, Unix milliseconds; null when that does not count. */
export function releaseOf(reader: Pick<Reader, 'counters'>, stayId: string, now: number): number | null {
  const name = prefix + stayId
  const at = reader.counters(name, name).get(name)
  return at !== undefined && counts(at, now) ? at : null
}

/** Ends a hand-over: the front desk has the guest. */
export function endHandOver(tx: Transaction, { id, stayId }: HandOver): void {
  tx.remove(handOver, id)
  tx.journal('stay.hand-over-finished', `stays/${stayId}`, { handOverId: id })
}

/**
 * Releases a stay to the kiosks for 15 minutes, and finishes its hand-over: the desk knows that its guest is the one who
 * asks. Returns until when, Unix milliseconds. Throws not-found, and stay-status-transition for a stay that is over.
 */
export const releaseStay = command('release-stay', (tx, { stayId }: { stayId: string }): number => {
  const { id, status } = tx.find(stay, stayId)
  if (status !== 'Confirmed' && status !== 'InHouse')
    throw new Problem('stay-status-transition', `The stay is ${status}: a kiosk does nothing more for it.`, {
      meta: { status },
    })
  for (const [name, at] of tx.counters(prefix, prefix + last)) {
    if (name === prefix + id || !counts(at, tx.now)) tx.forget(name, name)
  }
  tx.add(prefix + id, tx.now)
  for (const open of tx.select(handOver, having({ stayId: id }))) endHandOver(tx, open)
  const until = tx.now + countsMs
  tx.journal('stay.released', `stays/${id}`, { until: new Date(until).toISOString() })
  return until
})
