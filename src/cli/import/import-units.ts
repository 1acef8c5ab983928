import type { Client } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'
import type { BookingMap } from './booking-map.ts'

interface UnitTypePage {
  data: { id: string; attributes: { code: string } }[]
  links: { next?: string | null }
}

const unitsInABatch = 100

/**
 * Returns the ids of the appliance's unit types by code. With `create`, the missing types of the map are created with
 * their units. Otherwise throws CommandFailed `data` with their codes.
 */
export async function unitTypeIds(
  ask: Client,
  { unitTypes = {} }: BookingMap,
  create: boolean,
): Promise<Map<string, string>> {
  const ids = await knownTypes(ask)
  const missing = Object.entries(unitTypes).filter(([code]) => !ids.has(code))
  if (missing.length > 0 && !create) {
    const codes = missing.map(([code]) => code).join(', ')
    throw new CommandFailed(
      'data',
      `The appliance has no unit type ${codes}. Create it, or add --create-units.`,
    )
  }
  for (const [code, { name, units }] of missing) {
    const { body } = await ask<{ data: { id: string } }>('POST', '/api/v2/unit-types', {
      body: { code, name },
    })
    ids.set(code, body.data.id)
    await createUnits(ask, code, units, body.data.id)
  }
  return ids
}

async function knownTypes(ask: Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (let next: string | undefined = '/api/v2/unit-types?page[size]=100'; next; ) {
    const { body }: { body: UnitTypePage } = await ask<UnitTypePage>('GET', next)
    for (const { id, attributes } of body.data) ids.set(attributes.code, id)
    next = body.links.next ?? undefined
  }
  return ids
}

async function createUnits(ask: Client, code: string, units: number, unitTypeId: string): Promise<void> {
  const names = Array.from({ length: units }, (_, index) => `${code}-${String(index + 1).padStart(3, '0')}`)
  for (let at = 0; at < names.length; at += unitsInABatch) {
    const data = names.slice(at, at + unitsInABatch).map((name) => ({ name, unitTypeId, status: 'Clean' }))
    await ask('POST', '/api/v2/batch/units', { body: { data } })
  }
}
