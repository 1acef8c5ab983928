import { stay } from '../../../reservation/resources/stay.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { KeyRequest } from '../../resources/key-request.ts'
import { nameIn, stayBy } from './stay-of-key.ts'

const inUnit = `SELECT count(*) FROM stay_unit JOIN unit ON unit.rid = stay_unit.unitId
  JOIN stay ON stay.rid = stay_unit.owner WHERE unit.name = ? AND stay.status = 'InHouse' AND stay.endDate > ? AND stay.endDate >= ?`

/**
 * Whether the guest for whom a key is requested is in house: the stay with this id, the stay that the request names or, where it names
 * none, a guest in its unit who stays past its first day and to its end. A key of a unit whose guest leaves on that day is for the next
 * guest. Throws external-id-conflict where the name may mean several stays.
 */
export function isGuestInHouse(reader: Reader, request: KeyRequest, stayId: string | null): boolean {
  if (request.usage !== 'Guest') return false
  const own = stayId === null ? stayBy(reader, nameIn(request)) : reader.row(stay, stayId)
  if (own !== null || request.externalId !== null) return own?.status === 'InHouse'
  const { unitName, startDate, endDate } = request
  return unitName !== null && reader.count(inUnit, unitName, startDate, endDate) > 0
}
