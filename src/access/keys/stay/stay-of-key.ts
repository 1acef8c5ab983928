import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { isLive } from '../../../reservation/stays/status-rules.ts'
import type { Transaction } from '../../../resource/command.ts'
import { uuidPattern } from '../../../resource/fields.ts'
import { Problem } from '../../../resource/problem.ts'
import type { KeyRequest } from '../routes/key-request.ts'

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

/** Throws kiosk-scope for a key that would open a unit that its stay does not have. */
export function refuseElsewhere(
  tx: Transaction,
  { unitName, extraUnits }: Pick<KeyRequest, 'unitName' | 'extraUnits'>,
  stayId: string | null | undefined,
): void {
  const units = stayId ? (tx.find(stay, stayId) as Stay).units : []
  const names = units.flatMap(({ unitId }) => (unitId ? [tx.find(unit, unitId).name] : []))
  if ([unitName, ...extraUnits].every((name) => names.some((each) => each === name))) return
  throw new Problem('kiosk-scope', 'This token may make keys only for the units of the stay.', {
    pointer: '/unitName',
    meta: { scope: 'keys.issue' },
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
