import { refreshReservation } from '../../reservation/reservations/refresh-reservation.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import { deskPolicy } from '../../reservation/stays/stay-policy.ts'
import { writeStay } from '../../reservation/stays/write-stay.ts'
import type { Transaction } from '../../resource/command.ts'
import type { SyncConflict } from '../resources/sync-conflict.ts'
import { syncRecord } from '../resources/sync-record.ts'
import { unitsOf } from './as-told.ts'
import { codesIn } from './codes.ts'
import { openConflicts } from './conflicts.ts'
import type { Differing } from './house-view.ts'
import type { SharedStay } from './shared-reservation.ts'
import { snapshot } from './snapshot.ts'
import type { SyncParts } from './sync-changes.ts'
import { recordOf } from './sync-state.ts'
import { holdersOf } from './unit-holders.ts'
import { waitingIn } from './waiting.ts'

/**
 * Somebody has decided for what is here: the PMS is offered it as it is, and nothing of it waits any more for what the PMS
 * had told.
 */
export function tellAsItIsHere(
  tx: Transaction,
  { reservationId, configurationId, local }: SyncConflict,
  { offer }: SyncParts,
): void {
  const record = recordOf(tx, reservationId)
  const pointers = Object.keys(local ?? {})
  if (!record?.differing || !pointers.some((each) => Object.hasOwn(record.differing!.members, each))) return
  const differing = without(record.differing, pointers)
  const waitsFor = record.waitsFor?.filter((name) => namesIn(differing).includes(name)) ?? []
  tx.patch(syncRecord, record.id, {
    differing,
    waitsFor: waitsFor.length > 0 ? waitsFor : null,
    pending: true,
  })
  offer(tx, { configurationId, reservationId })
}

/** What is kept otherwise but for what these pointers name. */
export function without({ members, goneStays }: Differing, pointers: readonly string[]): Differing {
  const left = Object.entries(members).filter(([pointer]) => !pointers.includes(pointer))
  return { members: Object.fromEntries(left), goneStays }
}

function namesIn({ members }: Differing): string[] {
  const told = Object.entries(members).filter(([pointer]) => pointer.endsWith('/units'))
  return told.flatMap(([, { told }]) => ((told ?? []) as Places).flatMap(({ unitName }) => unitName ?? []))
}

type Places = NonNullable<SharedStay['units']>

/** Conflicts of others, who wait for a unit that this reservation has here: to decide for it is to decide against them. */
export function conflictsOfThoseWaiting(
  tx: Transaction,
  { reservationId, configurationId }: Pick<SyncConflict, 'reservationId' | 'configurationId'>,
): SyncConflict[] {
  const stays = snapshot(tx, reservationId)?.stays ?? []
  const names = stays.flatMap(({ units = [] }) => units.flatMap(({ unitName }) => unitName ?? []))
  return waitingIn(tx, configurationId)
    .filter((each) => each.reservationId !== reservationId)
    .filter(({ waitsFor }) => waitsFor?.some((name) => names.includes(name)))
    .flatMap((each) => openConflicts(tx, each.reservationId))
    .filter(({ reason, stayId, upstream }) => {
      const places = (upstream?.[unitsOf(stayId ?? '')] ?? []) as Places
      return reason === 'unit-taken' && places.some(({ unitName }) => unitName && names.includes(unitName))
    })
}

/**
 * Somebody has decided for the PMS, which gives this stay units that others have here: those who come yet, have no key and
 * were never given them by the PMS let them go.
 */
export function freeFor(
  tx: Transaction,
  configurationId: string,
  wanted: SharedStay,
  parts: SyncParts,
): void {
  const { startDate, endDate, startTime = null, endTime = null, units = [] } = wanted
  const row = tx.find(stay, wanted.localId!)
  for (const { unitName } of units) {
    const unitId = unitName ? codesIn(tx).unit(unitName)?.id : null
    if (!unitName || !unitId || row.units.some((each) => each.unitId === unitId)) continue
    for (const holder of holdersOf(tx, unitId, { id: row.id, startDate, startTime, endDate, endTime })) {
      if (!letsGo(tx, configurationId, holder, { unitId, unitName })) continue
      const left = holder.units.map((each) =>
        each.unitId === unitId ? { unitTypeId: each.unitTypeId } : each,
      )
      const { reservationId } = holder
      writeStay(tx, { reservationId, before: holder, input: { units: left } }, deskPolicy(parts.ports))
      refreshReservation(tx, reservationId)
      parts.offer(tx, { configurationId, reservationId })
    }
  }
}

function letsGo(
  tx: Transaction,
  configurationId: string,
  { id, status, units, reservationId }: Stay,
  { unitId, unitName }: { unitId: string; unitName: string },
): boolean {
  const record = recordOf(tx, reservationId)
  if (record?.integrationId !== configurationId || status === 'InHouse') return false
  if (units.some((each) => each.unitId === unitId && (each as { locked?: boolean }).locked)) return false
  const there = record.base?.stays.find(({ localId }) => localId === id)
  return !there?.units?.some((each) => each.unitName === unitName)
}
