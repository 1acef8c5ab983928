import { profile } from '../../../reservation/resources/profile.ts'
import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { unitType } from '../../../reservation/resources/unit-type.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { Filter } from '../../../resource/query.ts'
import type { Guest } from './guest-record.ts'
import type { RoomStay } from './room-stays.ts'
import { numberIn } from './shared-form.ts'

/** The appliance's own data about this PMS's guests. */
export interface LocalStays {
  /** The stays in house of its reservations, with their guests; of a guest only the number, the room and the dates. */
  inHouse(): { stay: RoomStay; guests: Guest[] }[]
  /** Whether a stay with this id exists; with a status, whether it has that status. */
  has(stayId: string, status?: string): boolean
  /** Whether a guest of another stay is in house in the unit. */
  isOccupiedByOther(unitName: string, stayId: string): boolean
  /** The code of a unit's type; null for an unknown unit, and for one without a type. */
  unitTypeCode(unitName: string): string | null
}

const pageSize = 500

export function localStays(reader: Reader, configurationId: string): LocalStays {
  const ofThisPms: Filter = { path: 'reservation.integrationId', operator: 'eq', value: configurationId }

  function* rowsInHouse() {
    const filters = [ofThisPms, { path: 'status', operator: 'eq', value: 'InHouse' } satisfies Filter]
    for (let after: string | undefined; ; ) {
      const page = { size: pageSize, ...(after !== undefined && { after }) }
      const rows = reader.rows(stay, { filters, sort: [], page })
      yield* rows
      if (rows.length < pageSize) return
      after = rows.at(-1)?.id
    }
  }

  return {
    inHouse: () => reader.snapshot(() => [...rowsInHouse()].flatMap((row) => remembered(reader, row) ?? [])),
    has(stayId, status) {
      const filters: Filter[] = [ofThisPms, { path: 'externalId', operator: 'eq', value: stayId }]
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
    unitTypeCode(unitName) {
      const filters: Filter[] = [{ path: 'name', operator: 'eq', value: unitName }]
      const [found] = reader.rows(unit, { filters, sort: [], page: { size: 1 } })
      return (found?.unitTypeId && reader.row(unitType, found.unitTypeId)?.code) || null
    },
  }
}

/** Null for a stay that has no external id or no unit. */
function remembered(from: Reader, row: Stay): { stay: RoomStay; guests: Guest[] } | null {
  const { externalId: id, startDate, endDate } = row
  const room = row.units[0]?.unitName
  if (!id || !room) return null
  const numbers = (row.profiles ?? [])
    .map((entry) => numberIn(from.row(profile, entry.id)?.externalId))
    .filter((number) => number !== null)
  const members = numbers.length > 0 ? numbers : [id]
  const unreported = { lastName: null, firstName: null, title: null, languageCode: null, group: null }
  const guests = members.map((number) => ({
    ...unreported,
    number,
    room,
    shares: null,
    arrival: startDate,
    departure: endDate,
    isRemembered: true as const,
  }))
  return { stay: { id, room, members }, guests }
}
