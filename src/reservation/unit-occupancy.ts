import type { Transaction } from '../resource/change.ts'
import type { Range } from './stay-dates.ts'

/** The id of no stay, for a question that leaves none out. */
export const nobody = '00000000-0000-0000-0000-000000000000'

const rid = (table: string) => `(SELECT rid FROM ${table} WHERE id = unhex(replace(?, '-', '')))`

/**
 * Live stays that hold the unit somewhere in the range. A guest who has not left by the planned end is still there: such
 * a stay is in the way of whatever begins by now.
 */
const overlapping = `
  SELECT count(*) FROM stay_unit JOIN stay ON stay.rid = stay_unit.owner
  WHERE stay_unit.unitId = ${rid('unit')}
    AND stay.id <> unhex(replace(?, '-', ''))
    AND stay.status IN ('Tentative', 'Waitlisted', 'Confirmed', 'InHouse')
    AND stay.plannedStartsAt < ?
    AND (stay.plannedEndsAt > ? OR (stay.status = 'InHouse' AND ? >= ?))`

export function overlappingStays(
  tx: Transaction,
  unitId: string,
  { startsAt, endsAt }: Range,
  except: string,
): number {
  return tx.count(overlapping, unitId, except, endsAt, startsAt, tx.now, startsAt)
}

/** Other stays that are in house on the unit now. */
export function othersInHouse(tx: Transaction, unitId: string, except: string): number {
  return tx.count(
    `SELECT count(*) FROM stay_unit JOIN stay ON stay.rid = stay_unit.owner
     WHERE stay_unit.unitId = ${rid('unit')} AND stay.id <> unhex(replace(?, '-', '')) AND stay.status = 'InHouse'`,
    unitId,
    except,
  )
}

/** Whether a guest is in the unit now. */
export function isInUse(tx: Transaction, unitId: string): boolean {
  return othersInHouse(tx, unitId, nobody) > 0
}

/** When the guest who is in the unit now is expected to leave, Unix milliseconds; null when nobody is in it. */
export function leavesAt(tx: Transaction, unitId: string): number | null {
  const until = tx.count(
    `SELECT max(stay.plannedEndsAt) FROM stay_unit JOIN stay ON stay.rid = stay_unit.owner
     WHERE stay_unit.unitId = ${rid('unit')} AND stay.status = 'InHouse'`,
    unitId,
  )
  return until === 0 ? null : until
}

/** Units of the type in service, less the live stays of the type that share a moment with the range. */
export function freeOfType(
  tx: Transaction,
  unitTypeId: string,
  { startsAt, endsAt }: Range,
  except: string,
): number {
  const units = tx.count(
    `SELECT count(*) FROM unit WHERE unitTypeId = ${rid('unit_type')} AND status <> 'OutOfOrder'`,
    unitTypeId,
  )
  const held = tx.count(
    `SELECT count(*) FROM stay JOIN stay_unit ON stay_unit.owner = stay.rid
     WHERE stay_unit.unitTypeId = ${rid('unit_type')} AND stay.id <> unhex(replace(?, '-', ''))
       AND stay.status IN ('Confirmed', 'InHouse') AND stay.plannedStartsAt < ? AND stay.plannedEndsAt > ?`,
    unitTypeId,
    except,
    endsAt,
    startsAt,
  )
  return units - held
}
