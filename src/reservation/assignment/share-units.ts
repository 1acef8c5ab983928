import { randomUUID } from 'node:crypto'
import { command, type Document } from '../../resource/command.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { refreshReservation } from '../reservations/refresh-reservation.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { holdsUnits } from '../stays/status-rules.ts'
import { deskPolicy, type StayPorts } from '../stays/stay-policy.ts'
import type { StayRights } from '../stays/stay-rights.ts'
import { writeStays } from '../stays/write-stay.ts'
import { referenced } from '../value-problems.ts'

/**
 * Lets a stay share the units of another one, which replace its own: both get one shareId. Throws reference-unknown,
 * stay-status-transition unless both hold units, and what any other change of the units throws: they may be left on the nights of the
 * one and not on those of the other.
 */
export function shareCommand(ports: StayPorts) {
  return command(
    'share-units',
    (tx, input: { stayId: string; withStayId: string; rights: StayRights }): Document => {
      const joining = tx.find(stay, input.stayId)
      const host = referenced(tx, stay, input.withStayId, '/withStayId')
      if (host.id === joining.id)
        throw invalidValue('/withStayId', 'A stay shares the units of another stay.')
      expectHolding(joining)
      expectHolding(host, '/withStayId')
      const shareId = host.shareId ?? joining.shareId ?? randomUUID()
      const isAssigned = host.units.some(({ unitId }) => unitId)
      const units = host.units.map(({ unitTypeId, unitId }) => ({ unitTypeId, unitId: unitId ?? null }))
      const policy = deskPolicy(ports, input.rights)
      for (const { id } of [host, joining]) {
        const before = tx.find(stay, id)
        const { reservationId } = before
        const input = { shareId, ...(id === joining.id && isAssigned && { units }) }
        writeStays(tx, [before], [{ reservationId, before, input, at: '' }], policy)
        refreshReservation(tx, reservationId)
      }
      return tx.document(stay, joining.id)
    },
  )
}

function expectHolding({ status }: Stay, pointer = ''): void {
  if (holdsUnits(status)) return
  throw new Problem('stay-status-transition', `A stay that is ${status} shares no unit.`, {
    pointer,
    meta: { status },
  })
}
