import type { Questions } from '../../../resource/command.ts'
import type { Reader } from '../../../resource/keeper.ts'
import { first, having } from '../../../resource/query.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import { type CardRun, cardRun } from '../../resources/card-run.ts'
import { type Key, type KeyStatus, key } from '../../resources/key.ts'

/** The keys that were made on the card, newest first, at most 100: all of them, or those of one status. */
export function keysOnCard({ reader }: { reader: Reader }, uid: string, status?: KeyStatus): Key[] {
  const made = first(having({ uid, ...(status && { status }) }), 100)
  return reader.rows(key, { ...made, sort: [{ path: 'id', descending: true }] })
}

/** The key with this credential that was made on the card; null for none. */
export function keyWritten(access: { reader: Reader }, uid: string, credential: number): Key | null {
  return keysOnCard(access, uid).find((each) => each.credential === credential) ?? null
}

/** The issuance of a key's card; null for a PIN. */
export function runOfKey({ reader }: { reader: Reader }, keyId: string): CardRun | null {
  return reader.rows(cardRun, first(having({ keyId }), 1))[0] ?? null
}

const onItsWay = `SELECT count(*) FROM card_run WHERE keyId = ${ridOf('key')} AND step <> 'ended'`

/** Whether a card is being issued for the key and was not handed over yet. */
export function isOnItsWay(db: Questions, keyId: string): boolean {
  return db.count(onItsWay, keyId) > 0
}
