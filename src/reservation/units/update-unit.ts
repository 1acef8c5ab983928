import { isDeepStrictEqual } from 'node:util'
import { completed } from '../../resource/attributes.ts'
import { command, type Transaction } from '../../resource/command.ts'
import type { Written } from '../../resource/plain-commands.ts'
import { Problem } from '../../resource/problem.ts'
import type { Attributes } from '../../resource/resource.ts'
import { stay } from '../resources/stay.ts'
import { type Unit, unit } from '../resources/unit.ts'
import { isLive } from '../stays/rules/status-rules.ts'
import { type UnitStatus, unitTransition } from '../values/unit-status.ts'

/** The caller's scopes for units. */
interface UnitRights {
  /** units.write */
  write: boolean
  /** units.inspect */
  inspect: boolean
}

type UnitRow = Attributes<typeof unit.fields>

/**
 * PUT and PATCH of a unit. The status changes only by the status table. The unit type changes only when no live stay
 * has the unit.
 */
export const updateUnit = command(
  'update-unit',
  (
    tx,
    input: {
      id: string
      attributes: Record<string, unknown>
      /** True when the attributes are the whole unit, false when they are some of its fields. */
      whole: boolean
      rights: UnitRights
      revision?: number | undefined
    },
  ): Written => {
    tx.expectRevision(unit, { id: input.id, revision: input.revision })
    const before = tx.find(unit, input.id)
    const fields = input.whole ? completed(unit.fields, input.attributes) : input.attributes
    // A body without a status leaves the status unchanged, also in a PUT.
    const status = input.attributes.status ?? before.status
    const attributes = { ...fields, ...whyOut(before, input.attributes, status), status } as UnitRow
    if (!input.rights.write) refuseBeyondStatus(before, attributes)
    unitTransition(before.status as UnitStatus, attributes.status as UnitStatus, {
      canInspect: input.rights.inspect,
    })
    if (attributes.unitTypeId !== undefined) refuseNeededType(tx, before, attributes.unitTypeId)
    const row = tx.patch(unit, before.id, attributes)
    if (row.name !== before.name) for (const { id } of staysWith(tx, row.id)) tx.touch(stay, id)
    return { id: row.id, revision: row.revision }
  },
)

/** The fields that belong to the status, and need no more rights than it. */
const ofStatus = ['status', 'outOfOrderUntil', 'outOfOrderReason']

/** Returns until when and why a unit is out of order: as in the body, otherwise as before; nothing for one that is in order. */
function whyOut(before: Unit, { outOfOrderUntil, outOfOrderReason }: Partial<UnitRow>, status: unknown) {
  const isOut = status === 'OutOfOrder'
  const of = (given: string | null | undefined, kept: string | null | undefined) =>
    isOut ? (given === undefined ? kept : given) || null : null
  return {
    outOfOrderUntil: of(outOfOrderUntil, before.outOfOrderUntil),
    outOfOrderReason: of(outOfOrderReason, before.outOfOrderReason),
  }
}

/** Throws 403 `scope-required` when a caller without units.write changes another field than the status. */
function refuseBeyondStatus(before: Unit, attributes: UnitRow): void {
  const beyond = Object.entries(attributes).find(
    ([name, value]) =>
      !ofStatus.includes(name) && !isDeepStrictEqual(orNone(value), orNone(before[name as keyof Unit])),
  )
  if (!beyond) return
  throw new Problem('scope-required', `${beyond[0]} needs the scope units.write.`, {
    pointer: `/${beyond[0]}`,
    meta: { scope: 'units.write' },
  })
}

function orNone(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? null : (value ?? null)
}

function refuseNeededType(tx: Transaction, { id, unitTypeId }: Unit, next: string | null): void {
  if (!unitTypeId || next === unitTypeId) return
  const needed = staysWith(tx, id).find(({ status }) => isLive(status))
  if (!needed) return
  throw new Problem(
    'unit-change-refused',
    'The type of the unit cannot change, because a future stay has the unit. Assign another unit to the stay first.',
    {
      pointer: '/unitTypeId',
      meta: { stayId: needed.id },
    },
  )
}

function staysWith(tx: Transaction, unitId: string) {
  return tx.select(stay, [{ path: 'units.unitId', operator: 'eq', value: unitId }], [], 100_000)
}
