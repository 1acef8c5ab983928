import { stay } from '../../reservation/resources/stay.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Filter } from '../../resource/query.ts'

/** The stays in the appliance of one PMS's reservations, for its key orders. */
export interface StaysHere {
  /** Whether a stay with this id exists; with a status, whether it has that status. */
  has(stayId: string, status?: string): boolean
  /** Whether a guest of another stay is in house in the unit. */
  isOccupiedByOther(unitName: string, stayId: string): boolean
}

/** The filter for the reservations of a PMS. */
export function ofPms(configurationId: string): Filter {
  return { path: 'reservation.integrationId', operator: 'eq', value: configurationId }
}

/** Asks the store for stays of this PMS by the names that the PMS gave them. */
export function staysHere(reader: Reader, configurationId: string): StaysHere {
  return {
    has(stayId, status) {
      const filters: Filter[] = [
        ofPms(configurationId),
        { path: 'externalId', operator: 'eq', value: stayId },
      ]
      if (status) filters.push({ path: 'status', operator: 'eq', value: status })
      return reader.rows(stay, { filters, sort: [], page: { size: 1 } }).length > 0
    },
    isOccupiedByOther(unitName, stayId) {
      const filters: Filter[] = [
        { path: 'units.unitName', operator: 'eq', value: unitName },
        { path: 'status', operator: 'eq', value: 'InHouse' },
      ]
      return reader
        .rows(stay, { filters, sort: [], page: { size: 10 } })
        .some(({ externalId }) => externalId !== stayId)
    },
  }
}
