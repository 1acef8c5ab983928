import { randomUUID } from 'node:crypto'
import { command, type Document } from '../../resource/command.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { refreshReservation } from '../stays/refresh-reservation.ts'
import { holdsUnits } from '../stays/rules/status-rules.ts'
import { deskPolicy, type StayPorts } from '../stays/stay-policy.ts'
import type { StayRights } from '../stays/stay-rights.ts'
import { writeStays } from '../stays/write-stay.ts'
import { referenced } from '../values/value-problems.ts'

interface ShareInput {
  stayId: string
  withStayId: string
  /** The unit of the other stay, where that has several. */
  unitId?: string | undefined
  rights: StayRights
}

/**
 * Lets a stay share a unit of another one instead of its own: both get one shareId. A stay that shared with others leaves them.
 * Throws reference-unknown, validation-failed for a stay with several places, stay-status-transition unless both hold units, and
 * what any other change of the units throws: they may be left on the nights of the one and not on those of the other.
 */
export function shareCommand(ports: StayPorts) {
  return command('share-units', (tx, input: ShareInput): Document => {
    const joining = tx.find(stay, input.stayId)
    const host = referenced(tx, stay, input.withStayId, '/withStayId')
    if (host.id === joining.id) throw invalidValue('/withStayId', 'A stay shares the unit of another stay.')
    expectHolding(joining)
    expectHolding(host, '/withStayId')
    const named = host.units.filter(({ unitId }) => unitId && (!input.unitId || unitId === input.unitId))
    if (joining.units.length > 1 || named.length > 1 || (input.unitId && named.length === 0))
      throw invalidValue('/unitId', 'A stay with one place shares one unit of the other stay: name it.')
    const shareId = host.shareId ?? randomUUID()
    const units = named.map(({ unitTypeId, unitId }) => ({ unitTypeId, unitId: unitId! }))
    const policy = deskPolicy(ports, input.rights)
    for (const { id } of [host, joining]) {
      const before = tx.find(stay, id)
      const { reservationId } = before
      const input = { shareId, ...(id === joining.id && units.length > 0 && { units }) }
      writeStays(tx, [before], [{ reservationId, before, input, at: '' }], policy)
      refreshReservation(tx, reservationId)
    }
    return tx.document(stay, joining.id)
  })
}

function expectHolding({ status }: Stay, pointer = ''): void {
  if (holdsUnits(status)) return
  throw new Problem('stay-status-transition', `A stay that is ${status} shares no unit.`, {
    pointer,
    meta: { status },
  })
}
