import { profile } from '../../../reservation/resources/profile.ts'
import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { unitType } from '../../../reservation/resources/unit-type.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { Filter } from '../../../resource/query.ts'
import { ofPms, type StaysHere, staysHere } from '../stays-here.ts'
import type { Guest } from './guest-record.ts'
import type { RoomStay } from './room-stays.ts'
import { numberIn } from './shared-form.ts'

/** The appliance's own data about this PMS's guests. */
export interface LocalStays extends StaysHere {
  /** The stays in house of its reservations, with their guests; of a guest only the number, the room and the dates. */
  inHouse(): { stay: RoomStay; guests: Guest[] }[]
  /** The code of a unit's type; null for an unknown unit, and for one without a type. */
  unitTypeCode(unitName: string): string | null
}

const pageSize = 500

/** Asks the store for stays of this PMS. */
export function localStays(reader: Reader, configurationId: string): LocalStays {
  function* rowsInHouse() {
    const filters = [
      ofPms(configurationId),
      { path: 'status', operator: 'eq', value: 'InHouse' } satisfies Filter,
    ]
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
    ...staysHere(reader, configurationId),
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
