import { unit } from '../../../reservation/resources/unit.ts'
import { unitType } from '../../../reservation/resources/unit-type.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { Resource, Row } from '../../../resource/resource.ts'
import type { AdapterSetup, ExtensionRequest } from '../../contract.ts'
import { parametersOf } from './parameters.ts'

/** The maximum number of rows in a list: more units than any property has. */
const mostRows = 5_000

/** The rows in the order of creation; 5,000 at most. */
export function all<R extends Resource>(reader: Reader, resource: R): Row<R['fields']>[] {
  return reader.rows(resource, { filters: [], sort: [], page: { size: mostRows } })
}

/** GET units, GET inventory-units: an array of `{code, name, type, floor, status}`; `type` is a unit type's code or null. */
export function units({ appliance: { reader } }: AdapterSetup, request: ExtensionRequest) {
  parametersOf(request, [])
  const codes = new Map(all(reader, unitType).map(({ id, code }) => [id, code]))
  return all(reader, unit).map(({ name, unitTypeId, floor, status }) => ({
    code: name,
    name,
    type: (unitTypeId && codes.get(unitTypeId)) ?? null,
    floor: floor ?? null,
    status,
  }))
}

/** GET unit-types: an array of `{code, name, maxOccupancy, quantity}`; `quantity` is the number of units. */
export function unitTypes({ appliance: { reader } }: AdapterSetup, request: ExtensionRequest) {
  parametersOf(request, [])
  const counts = new Map<string, number>()
  for (const { unitTypeId } of all(reader, unit)) {
    if (unitTypeId) counts.set(unitTypeId, (counts.get(unitTypeId) ?? 0) + 1)
  }
  return all(reader, unitType).map(({ id, code, name, maxOccupancy }) => ({
    code,
    name,
    maxOccupancy: maxOccupancy ?? null,
    quantity: counts.get(id) ?? 0,
  }))
}
