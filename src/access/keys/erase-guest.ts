import { type Eraser, needed } from '../../reservation/profiles/erase-profile.ts'
import { eraseReasons } from '../../reservation/profiles/forget-reasons.ts'
import type { Transaction } from '../../resource/command.ts'
import { erasedAttributes, isPersonal } from '../../resource/personal.ts'
import { having } from '../../resource/query.ts'
import { type Key, key } from '../resources/key.ts'
import { isOpen } from './life/key-life.ts'

/**
 * Erases the printed text of a guest's keys, and the reasons why keys were made in spite of them. Throws personal-data-needed
 * while one of these keys may open its door.
 */
export const eraseOnKeys: Eraser = {
  expect(tx, { stays }) {
    const live = keysOf(tx, stays).find(({ status, proof }) => isOpen(status) && !proof)
    if (!live) return
    const { id: keyId, unitName, status } = live
    throw needed(
      `The key of the guest for ${unitName} may still open (${status}). Revoke or erase it first.`,
      { keyId },
    )
  },
  erase(tx, { stays }) {
    const keys = keysOf(tx, stays)
    for (const each of keys) if (isPersonal(key, each)) tx.patch(key, each.id, erasedAttributes(key))
    eraseReasons(
      tx,
      keys.map(({ id }) => `access/keys/${id}`),
    )
  },
}

function keysOf(tx: Transaction, stays: readonly { id: string }[]): Key[] {
  return stays.flatMap(({ id }) => tx.select(key, having({ stayId: id })))
}
