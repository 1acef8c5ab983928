import type { Questions } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import { type CardRun, cardRun } from '../resources/card-run.ts'

/** The issuance of a key's card; null for a PIN. */
export function runOfKey({ reader }: { reader: Reader }, keyId: string): CardRun | null {
  const filters = [{ path: 'keyId', operator: 'eq' as const, value: keyId }]
  return reader.rows(cardRun, { filters, sort: [], page: { size: 1 } })[0] ?? null
}

const onItsWay = `SELECT count(*) FROM card_run WHERE keyId = ${ridOf('key')} AND step <> 'ended'`

/** Whether a card is being issued for the key and was not handed over yet. */
export function isOnItsWay(db: Questions, keyId: string): boolean {
  return db.count(onItsWay, keyId) > 0
}
