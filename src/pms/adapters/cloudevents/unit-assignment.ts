import { DeviceFault } from '../../../devices/fault.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { unitType } from '../../../reservation/resources/unit-type.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { Call } from '../../call.ts'
import type { AssignAnswer } from '../../contract.ts'
import type { UnitRequest } from '../../unit-assignment/integration.ts'
import type { Carrier } from './carrier.ts'
import { excessIn, fewValues } from './messages/bounds.ts'
import type { UnitAssignmentReplied, UnitAssignmentRequested } from './messages/message-data.ts'
import { unitAssignmentRepliedSchema } from './messages/message-schemas.ts'
import { schemaErrors } from './messages/read-message.ts'

/** Asks the PMS for the units of a stay, by names that both sides know. */
export async function requestUnits(
  carrier: Carrier,
  reader: Reader,
  request: UnitRequest,
  call: Call,
): Promise<AssignAnswer> {
  const reply = await carrier.request('pms.unit-assignment.requested', requestData(reader, request), call)
  const wrong =
    excessIn(reply, fewValues) ?? (await schemaErrors(unitAssignmentRepliedSchema, reply, 'the answer'))
  if (wrong !== null)
    throw new DeviceFault('vendor-error', `The PMS sent a choice of units that cannot be used: ${wrong}`)
  const answer = reply as UnitAssignmentReplied
  if (answer.is !== 'chosen') return answer
  return { is: 'chosen', unitIds: answer.unitNames.map((name) => unitIdOf(reader, name)) }
}

function requestData(
  reader: Reader,
  { reservation, stay, unitTypeIds, preferredUnitId, notes }: UnitRequest,
): UnitAssignmentRequested {
  return {
    reservationExternalId: reservation.externalId ?? null,
    reservationLocalId: reservation.id,
    stayExternalId: stay.externalId ?? null,
    stayLocalId: stay.id,
    startDate: stay.startDate,
    endDate: stay.endDate,
    unitTypeCodes: unitTypeIds.map((id) => reader.row(unitType, id)?.code ?? ''),
    preferredUnitName: (preferredUnitId && reader.row(unit, preferredUnitId)?.name) || null,
    notes,
  }
}

function unitIdOf(reader: Reader, name: string): string {
  const filters = [{ path: 'name', operator: 'eq' as const, value: name }]
  const [found] = reader.rows(unit, { filters, sort: [], page: { size: 1 } })
  if (found) return found.id
  throw new DeviceFault(
    'vendor-error',
    `The PMS chose the unit ${name}, which does not exist here. Check the unit names in both systems.`,
  )
}
