import type { Transaction } from '../../../resource/command.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import type { Key } from '../../resources/key.ts'
import { lockClockMs } from '../../resources/key-door.ts'

/** What decides from when a key counts at its lock. */
type Begins = Pick<Key, 'providerId' | 'keyType'> & { validFrom?: Key['validFrom'] | undefined }

const withDevice = `SELECT count(*) FROM access_controller
  WHERE providerId = ${ridOf('access_provider')} AND device IS NOT NULL`

/**
 * Whether a key counts at its lock now. A lock that reads its rights from the card ignores a card before its window, by a clock
 * that may be fast. Such cards are written by encoders of the appliance. A lock system with encoders of its own counts each key
 * from when it is made.
 */
export function isInForce(tx: Transaction, { providerId, keyType, validFrom }: Begins): boolean {
  const isInWindow = (validFrom ?? 0) <= tx.now + lockClockMs
  return isInWindow || keyType !== 'keyCard' || tx.count(withDevice, providerId) === 0
}

/** Whether a newer key ends an older one now. A card that was made in advance ends only others of that kind before its window. */
export function endsNow(tx: Transaction, newer: Begins, older: Begins): boolean {
  return isInForce(tx, newer) || !isInForce(tx, older)
}
