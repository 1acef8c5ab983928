import { command, type Transaction } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import { having } from '../../resource/query.ts'
import { type HandOver, handOver } from '../resources/hand-over.ts'
import { stay } from '../resources/stay.ts'

/** How long a kiosk does for a guest what else only the front desk does. */
const countsMs = 15 * 60_000

/**
 * A release is a counter with the time at which the desk gave it, Unix milliseconds. Behind its name are those of the units for
 * which it was used: the credential of the card.
 */
const prefix = 'stay-release:'
/** It sorts after every id and every unit. */
const last = '\uffff'
const nameOf = (stayId: string) => prefix + stayId

/** Whether a release counts. The clock may have been set back. */
const counts = (at: number, now: number) => Math.abs(now - at) < countsMs

/** Whether the front desk has released a stay to the kiosks. `now` is in Unix milliseconds. */
export function isReleased(db: Pick<Reader, 'counters'>, stayId: string, now: number): boolean {
  const at = db.counters(nameOf(stayId), nameOf(stayId)).get(nameOf(stayId))
  return at !== undefined && counts(at, now)
}

const useOf = (stayId: string, unitName: string) => `${nameOf(stayId)}:${unitName}`

/** The credential of the card for which a release was used at a unit; null when it was not. */
export function releaseUse(tx: Transaction, stayId: string, unitName: string): number | null {
  const name = useOf(stayId, unitName)
  return tx.counters(name, name).get(name) ?? null
}

/** Uses a release for a card of a unit. */
export function useRelease(tx: Transaction, stayId: string, unitName: string, credential: number): void {
  const name = useOf(stayId, unitName)
  tx.forget(name, name)
  tx.add(name, credential)
}

/** Uses a release for a check-out: nothing of it is left. Returns false when there is none, or a card was made by it. */
export function leaveByRelease(tx: Transaction, stayId: string): boolean {
  const isUsed = tx.counters(useOf(stayId, ''), useOf(stayId, last)).size > 0
  if (isUsed || !isReleased(tx, stayId, tx.now)) return false
  forget(tx, stayId)
  return true
}

function forget(tx: Transaction, stayId: string): void {
  tx.forget(nameOf(stayId), nameOf(stayId))
  tx.forget(useOf(stayId, ''), useOf(stayId, last))
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
    const [each = '', isUse] = name.slice(prefix.length).split(':')
    if (isUse === undefined && !counts(at, tx.now)) forget(tx, each)
  }
  forget(tx, id)
  tx.add(nameOf(id), tx.now)
  for (const open of tx.select(handOver, having({ stayId: id }))) endHandOver(tx, open)
  const until = tx.now + countsMs
  tx.journal('stay.released', `stays/${id}`, { until: new Date(until).toISOString() })
  return until
})
