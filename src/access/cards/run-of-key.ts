import type { Reader } from '../../resource/keeper.ts'
import { type CardRun, cardRun } from '../resources/card-run.ts'

/** The issuance of a key's card; null for a PIN. */
export function runOfKey({ reader }: { reader: Reader }, keyId: string): CardRun | null {
  const filters = [{ path: 'keyId', operator: 'eq' as const, value: keyId }]
  return reader.rows(cardRun, { filters, sort: [], page: { size: 1 } })[0] ?? null
}

/** Whether a card is being issued for the key and was not handed over yet. */
export function isOnItsWay(stored: { reader: Reader }, keyId: string): boolean {
  const run = runOfKey(stored, keyId)
  return run !== null && run.step !== 'ended'
}
