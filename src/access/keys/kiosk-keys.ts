import { localDate } from '../../host/zone.ts'
import type { Stay } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import { stayBy } from '../../reservation/stays/find-stays.ts'
import { Problem } from '../../resource/problem.ts'
import type { Property } from '../access.ts'
import { settingsOf } from '../lookups.ts'
import type { AccessProvider } from '../resources/access-provider.ts'
import { authorizationsOf, type KeyRequest } from './routes/key-request.ts'

/**
 * Throws kiosk-scope unless a request is within the rights of a kiosk: a guest key for a stay of today, for the units
 * of that stay, not beyond its end, and with the authorizations that every guest of the unit has.
 */
export function expectTodaysStay(
  { reader, clock }: Property,
  request: KeyRequest,
  provider: AccessProvider,
): void {
  const { externalId, unitName, extraUnits, endDate, endTime, usage } = request
  const settings = settingsOf({ reader })
  const today = localDate(clock.now(), settings.timeZone)
  const found = externalId === null ? null : stayBy(reader, externalId)
  const isHere = found && (found.status === 'Confirmed' || found.status === 'InHouse')
  const refuse = (pointer: string, detail: string) =>
    new Problem('kiosk-scope', `This token may make keys only ${detail}.`, {
      pointer,
      meta: { scope: 'keys.issue' },
    })
  if (!isHere || found.startDate > today || today > found.endDate)
    throw refuse('/externalId', 'for stays of today; externalId takes that of the stay, or its id')
  if (!isUnitOf(reader, found, unitName)) throw refuse('/unitName', 'for the unit of the stay')
  if (!extraUnits.every((name) => isUnitOf(reader, found, name)))
    throw refuse('/extraUnits', 'for the units of the stay')
  if (endDate > found.endDate) throw refuse('/endDate', 'until the end of the stay')
  const lastMinute = found.endTime ?? settings.checkOutTime
  if (endDate === found.endDate && endTime !== null && endTime > lastMinute)
    throw refuse('/endTime', 'until check-out')
  if (usage !== 'Guest') throw refuse('/usage', 'for guests')
  const everybodys = authorizationsOf({ ...request, authorizations: [], deAuthorizations: [] }, provider)
  if (!request.authorizations.every((name) => everybodys.includes(name)))
    throw refuse('/authorizations', 'with the authorizations of the unit')
}

function isUnitOf(reader: Property['reader'], { units }: Stay, unitName: string | null): boolean {
  const filters = [{ path: 'name', operator: 'eq' as const, value: unitName ?? '' }]
  const [found] = reader.rows(unit, { filters, sort: [], page: { size: 1 } })
  return found !== undefined && units.some(({ unitId }) => unitId === found.id)
}
