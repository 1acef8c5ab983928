import { unknownParameter } from '../../../jsonapi/query/query.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { unitType } from '../../../reservation/resources/unit-type.ts'
import { paymentBrands } from '../../../reservation/values/payment-brand.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { Resource, Row } from '../../../resource/resource.ts'
import type { Flag } from '../../capabilities/flags.ts'
import type { Adapter, ExtensionAnswer, ExtensionRequest } from '../../contract.ts'

/** The schema of an object without members. */
const nothing = { type: 'object', properties: {}, additionalProperties: false }

/** The adapter of a property without another PMS: its extensions are lists of the appliance's own data, and nothing is synchronised. */
export const standalone: Adapter = {
  name: 'standalone',
  version: '1.1.0',
  description: 'This appliance alone, without another system for its reservations.',
  transports: [],
  assignsUnits: false,
  connection: nothing,
  credentials: nothing,
  open: ({ appliance }) => ({
    capabilities: () => ({
      flags: capabilityFlags,
      extensions: Object.entries(lists).map(([name, { description }]) => ({
        name,
        methods: ['GET'],
        description,
      })),
      rateLimit: null,
      timeZone: appliance.settings().timeZone,
    }),
    extension: (request) => answerTo(request, appliance.reader),
  }),
}

/** The capabilities of the appliance itself; those that need another system are absent. */
const capabilityFlags: readonly Flag[] = [
  'reservations.read',
  'reservations.write',
  'profiles.read',
  'profiles.write',
  'units.assign',
  'units.assign-change',
  'housekeeping.read',
  'housekeeping.write',
  'payments.record',
  'checkin',
  'checkout',
  'room-move',
]

const ofUnits = { description: 'The units of the property.', rows: units }

const lists: Record<string, { description: string; rows(reader: Reader): object[] }> = {
  'payment-methods': {
    description: 'The brands with which a payment can be recorded.',
    rows: () => paymentBrands.map((brand) => ({ brand })),
  },
  'inventory-units': ofUnits,
  units: ofUnits,
  'unit-types': { description: 'The unit types of the property.', rows: unitTypes },
}

function answerTo({ name, method, query }: ExtensionRequest, reader: Reader): ExtensionAnswer {
  const list = Object.hasOwn(lists, name) && method === 'GET' ? lists[name] : undefined
  if (!list) return { is: 'not-implemented' }
  for (const parameter of new URLSearchParams(query).keys()) throw unknownParameter(parameter, [])
  return { is: 'answered', payload: list.rows(reader) }
}

/** `{code, name, type, floor, status}` of each unit; `type` is a unit type's code or null. */
function units(reader: Reader): object[] {
  const codes = new Map(all(reader, unitType).map(({ id, code }) => [id, code]))
  return all(reader, unit).map(({ name, unitTypeId, floor, status }) => ({
    code: name,
    name,
    type: (unitTypeId && codes.get(unitTypeId)) ?? null,
    floor: floor ?? null,
    status,
  }))
}

/** `{code, name, maxOccupancy, quantity}` of each unit type; `quantity` is the number of units. */
function unitTypes(reader: Reader): object[] {
  const counts = Map.groupBy(all(reader, unit), ({ unitTypeId }) => unitTypeId)
  return all(reader, unitType).map(({ id, code, name, maxOccupancy }) => ({
    code,
    name,
    maxOccupancy: maxOccupancy ?? null,
    quantity: counts.get(id)?.length ?? 0,
  }))
}

/** The maximum number of rows in a list: more units than any property has. */
const mostRows = 5_000

/** The rows in the order of creation. */
function all<R extends Resource>(reader: Reader, resource: R): Row<R['fields']>[] {
  return reader.rows(resource, { filters: [], sort: [], page: { size: mostRows } })
}
