import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { isLive } from '../../../reservation/stays/status-rules.ts'
import type { Transaction } from '../../../resource/command.ts'
import { uuidPattern } from '../../../resource/fields.ts'
import { Problem } from '../../../resource/problem.ts'

/** Whether the stay is over, so that it may have no key; false without a stay. */
export function isOver(tx: Transaction, stayId: string | null | undefined): boolean {
  return !!stayId && !isLive((tx.find(stay, stayId) as Stay).status)
}

/** The Problem for a key whose stay has ended. */
export function stayOver(): Problem {
  return new Problem('stay-status-transition', 'The stay has ended or changed while the key was made.', {
    pointer: '/externalId',
  })
}

/** The id of the stay that an externalId names: its own externalId, or its id. Null when there is none. */
export function stayIdOf(tx: Transaction, externalId: string | null): string | null {
  if (!externalId) return null
  const [found] = tx.select(stay, [{ path: 'externalId', operator: 'eq', value: externalId }], [], 1)
  if (found) return found.id
  if (!uuidPattern.test(externalId)) return null
  const [byId] = tx.select(stay, [{ path: 'id', operator: 'eq', value: externalId }], [], 1)
  return byId?.id ?? null
}
