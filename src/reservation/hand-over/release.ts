import type { Transaction } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'

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
  const at = counterIn(db, nameOf(stayId))
  return at !== null && counts(at, now)
}

function counterIn(db: Pick<Reader, 'counters'>, name: string): number | null {
  return db.counters(name, name).get(name) ?? null
}

const useOf = (stayId: string, unitName: string) => `${nameOf(stayId)}:${unitName}`

/** The credential of the card for which a release was used at a unit; null when it was not. */
export function cardByRelease(tx: Transaction, stayId: string, unitName: string): number | null {
  return counterIn(tx, useOf(stayId, unitName))
}

/** Notes the credential of the card for which a release is used at a unit. */
export function noteCardByRelease(
  tx: Transaction,
  stayId: string,
  unitName: string,
  credential: number,
): void {
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

/** Releases a stay to the kiosks for 15 minutes. Returns until when, Unix milliseconds. */
export function release(tx: Transaction, stayId: string): number {
  for (const [name, at] of tx.counters(prefix, prefix + last)) {
    const [each = '', isUse] = name.slice(prefix.length).split(':')
    if (isUse === undefined && !counts(at, tx.now)) forget(tx, each)
  }
  forget(tx, stayId)
  tx.add(nameOf(stayId), tx.now)
  return tx.now + countsMs
}
