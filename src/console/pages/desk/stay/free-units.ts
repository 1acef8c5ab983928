import { getAll, type Resource } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import type { Stay, Unit } from '../../lib/server/resources.ts'
import { pathOf } from './stay.ts'
import { g } from './texts.ts'

/** The free rooms of a stay's unit types, or of one type, clean rooms first. */
export function useFreeUnits(stay: Resource<Stay>, typeId: string | null = null) {
  return useRead(`free ${stay.id} ${stay.attributes.endDate} ${typeId}`, (signal) =>
    freeUnits(stay, typeId, signal),
  )
}

/** Reads the free rooms of a stay's unit types, or of one type, clean rooms first. Throws ApiError. */
export async function freeUnits(
  stay: Resource<Stay>,
  typeId: string | null = null,
  signal?: AbortSignal,
): Promise<Resource<Unit>[]> {
  const ofType = typeId === null ? '' : `&filter[unitTypeId]=${typeId}`
  const path = `/api/v2/availability${pathOf(stay).slice('/api/v2'.length)}/units?include=unit&page[size]=100${ofType}`
  const { data, included } = await getAll<{ quantity: number }>(path, 500, signal)
  const taken = new Set(
    data.filter(({ attributes }) => attributes.quantity < 1).map(({ relationships }) => idIn(relationships)),
  )
  return included
    .filter((each): each is Resource<Unit> => each.type === 'unit' && !taken.has(each.id))
    .sort((one, other) => rank(one) - rank(other) || byName(one, other))
}

type Relationships = Resource['relationships']
function idIn(relationships: Relationships): string {
  const found = relationships?.unit?.data
  return found && !Array.isArray(found) ? found.id : ''
}

/** Whether a room is ready for its guest. */
export const isReady = ({ attributes: { status } }: Resource<Unit>) =>
  status === 'Clean' || status === 'Inspected'
const rank = (unit: Resource<Unit>) => (isReady(unit) ? 0 : 1)
const byName = (one: Resource<Unit>, other: Resource<Unit>) =>
  one.attributes.name.localeCompare(other.attributes.name, undefined, { numeric: true })

/** A room with its status, such as `201 (clean)`. */
export const unitText = ({ attributes: { name, status } }: Resource<Unit>) =>
  `${name} (${g.value.unitStatus[status]})`
