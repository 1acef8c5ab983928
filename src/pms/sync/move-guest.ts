import { reservation } from '../../reservation/resources/reservation.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import { writeReported } from '../../reservation/stays/reported-stay.ts'
import type { Transaction } from '../../resource/command.ts'
import type { GuestMoved } from '../contract.ts'
import { standsAsTold } from './as-told.ts'
import { codesIn } from './codes.ts'
import { moveRound, ringFor } from './ring.ts'
import type { SyncParts } from './sync-changes.ts'
import { recordOf } from './sync-state.ts'
import { serveWaiting } from './waiting.ts'

export interface MoveGuestInput {
  configurationId: string
  /** The PMS's name for the stay. */
  stayId: string
  unitName: string
}

/**
 * The desk of a PMS has the guest moved now, whatever key of his former unit is out: it orders the new one with that. Others
 * in house are moved along where the PMS has moved them in a ring with him. Throws the Problem of a unit that is blocked.
 */
export function moveGuest(tx: Transaction, input: MoveGuestInput, parts: SyncParts): GuestMoved {
  const { configurationId, unitName } = input
  const found = codesIn(tx).unit(unitName)
  const row = inHouse(tx, input)
  if (!row || !found?.unitTypeId || row.units.length !== 1) return 'unknown'
  if (row.units[0]?.unitId === found.id) return 'there'
  const units = [{ unitTypeId: found.unitTypeId, unitId: found.id }]
  const told = writeReported(tx, row, { units }, parts.ports)
  if (told.problem && told.problem.code !== 'unit-occupied') throw told.problem
  if (told.problem) {
    const ring = ringFor(tx, configurationId, row, found.id)
    if (!ring) return 'taken'
    moveRound(tx, row, ring)
    const { problem } = writeReported(tx, row, { units }, parts.ports)
    if (problem) throw problem
  }
  const record = recordOf(tx, row.reservationId)
  if (record) standsAsTold(tx, record, row.id)
  const left = row.units.map((each) => (each as { unitName?: string | null }).unitName)
  serveWaiting(
    tx,
    configurationId,
    left.filter((name) => typeof name === 'string'),
    parts,
  )
  return 'moved'
}

function inHouse(tx: Transaction, { configurationId, stayId }: MoveGuestInput): Stay | null {
  const named = tx.select(stay, [{ path: 'externalId', operator: 'eq', value: stayId }], [], 10)
  const found = named.find(
    ({ status, reservationId }) =>
      status === 'InHouse' && tx.find(reservation, reservationId).integrationId === configurationId,
  )
  return found ?? null
}
