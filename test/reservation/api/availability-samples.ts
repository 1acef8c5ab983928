import assert from 'node:assert/strict'
import type { ReservationHouse } from './house.ts'

export const unitTypeList = '/api/v2/availability/unit-types'

/** A period of July 2026, its days as two digits. */
export const july = (start: string, end: string, quantity: number) => ({
  startDate: `2026-07-${start}`,
  endDate: `2026-07-${end}`,
  quantity,
})

/** A type of three units, and a stay on it from the 3rd to the 5th of July. */
export async function booked(house: ReservationHouse, stay: Record<string, unknown> = {}) {
  const { unitTypeId, unitIds } = await house.rooms(3)
  const units = [{ unitTypeId }]
  const made = await house.stay({ units, startDate: '2026-07-03', endDate: '2026-07-05', ...stay })
  return {
    ...made,
    unitTypeId,
    unitIds,
    unit: unitIds[0],
    code: (await house.attributes(`/api/v2/unit-types/${unitTypeId}`)).code,
  }
}

/** What upstream says of the type of the three units. */
export async function tell(house: ReservationHouse, unitTypeId: string, body: unknown) {
  const told = await house.ask('PATCH', `${unitTypeList}/${unitTypeId}`, { body })
  assert.equal(told.status, 204, told.text)
}
