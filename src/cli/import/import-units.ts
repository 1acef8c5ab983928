import { type Client, itemsOf } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'
import type { BookingMap } from './booking-map.ts'
import { type Booking, RowRefused } from './booking-row.ts'

interface Unit {
  id: string
  unitTypeId: string | null
}

/** The unit types by code and the units by name. Those that a dry run would create have no id. */
interface Known {
  types: Map<string, string | null>
  units: Map<string, Unit | null>
}

/** The unit types and units of the appliance, and what was created or would be. */
export type KnownUnits = Awaited<ReturnType<typeof knownUnits>>

const unitsInABatch = 100

/**
 * Reads the unit types of the appliance, and its units where the map names a unit. With `create`, the missing types of
 * the map are created with their units; a dry run only notes them. Otherwise throws CommandFailed `data` with their
 * codes.
 */
export async function knownUnits(
  ask: Client,
  { unitTypes = {}, unit }: BookingMap,
  { create, isDryRun }: { create: boolean; isDryRun: boolean },
) {
  const known: Known = { types: await typesIn(ask), units: new Map() }
  const missing = Object.entries(unitTypes).filter(([code]) => !known.types.has(code))
  if (missing.length > 0 && !create) {
    const codes = missing.map(([code]) => code).join(', ')
    throw new CommandFailed(
      'data',
      `The appliance has no unit type ${codes}. Create it, or add --create-units.`,
    )
  }
  const notes: string[] = []
  for (const [code, { name, units }] of missing) {
    const names = namesOf(code, units)
    notes.push(`  The unit type ${code} with ${names.length} units ${isDryRun ? 'would be' : 'was'} created`)
    if (isDryRun) noteMissing(known, code, names)
    else known.types.set(code, await created(ask, { code, name, names }))
  }
  if (unit) for (const [name, found] of await unitsIn(ask)) known.units.set(name, found)
  return {
    /**
     * Returns the unit type and the unit of a booking; null when a dry run would create one of them first. Throws
     * RowRefused for an unknown one, and for a unit of another type.
     */
    placeOf: (booking: Pick<Booking, 'unitType' | 'unit'>) => placeOf(known, booking),
    notes,
  }
}

function noteMissing({ types, units }: Known, code: string, names: string[]): void {
  types.set(code, null)
  for (const name of names) units.set(name, null)
}

function placeOf({ types, units }: Known, { unitType, unit }: Pick<Booking, 'unitType' | 'unit'>) {
  const typeId = unitType === null ? null : types.get(unitType)
  if (typeId === undefined) throw new RowRefused('unitType', `there is no unit type ${unitType}`)
  if (unit === null) return typeId === null ? null : { unitTypeId: typeId }
  const found = units.get(unit)
  if (found === undefined) {
    throw new RowRefused(
      'unit',
      `there is no unit ${unit}. Create it, or leave the cell empty: the booking then has no unit yet`,
    )
  }
  if (found === null || (unitType !== null && typeId === null)) return null
  if (found.unitTypeId === null) throw new RowRefused('unit', `the unit ${unit} has no unit type`)
  if (typeId !== null && typeId !== found.unitTypeId) {
    const [code] = [...types].find(([, id]) => id === found.unitTypeId) ?? []
    throw new RowRefused('unit', `the unit ${unit} is of the unit type ${code}, not ${unitType}`)
  }
  return { unitTypeId: found.unitTypeId, unitId: found.id }
}

async function typesIn(ask: Client): Promise<Known['types']> {
  const types: Known['types'] = new Map()
  for await (const { id, attributes } of itemsOf<{ code: string }>(ask, '/api/v2/unit-types?page[size]=100'))
    types.set(attributes.code, id)
  return types
}

async function unitsIn(ask: Client): Promise<Map<string, Unit>> {
  const units = new Map<string, Unit>()
  type Attributes = { name: string; unitTypeId?: string | null }
  for await (const { id, attributes } of itemsOf<Attributes>(ask, '/api/v2/units?page[size]=100'))
    units.set(attributes.name, { id, unitTypeId: attributes.unitTypeId ?? null })
  return units
}

function namesOf(code: string, units: number | string[]): string[] {
  if (Array.isArray(units)) return units
  return Array.from({ length: units }, (_, index) => `${code}-${String(index + 1).padStart(3, '0')}`)
}

async function created(
  ask: Client,
  { code, name, names }: { code: string; name: string; names: string[] },
): Promise<string> {
  const { body } = await ask<{ data: { id: string } }>('POST', '/api/v2/unit-types', { body: { code, name } })
  const unitTypeId = body.data.id
  for (let at = 0; at < names.length; at += unitsInABatch) {
    const batch = names.slice(at, at + unitsInABatch)
    const data = batch.map((each) => ({ name: each, unitTypeId, status: 'Clean' }))
    await ask('POST', '/api/v2/batch/units', { body: { data } })
  }
  return unitTypeId
}
