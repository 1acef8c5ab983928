import { unit } from '../reservation/resources/unit.ts'
import { unitType } from '../reservation/resources/unit-type.ts'
import { isReadOnly } from '../resource/fields.ts'
import type { Reader } from '../resource/keeper.ts'
import { isSame } from './applying.ts'
import { patternOf } from './room-pattern.ts'
import { rowsOf, type Section, sectionOf, sections, type Values } from './sections.ts'
import type { SetupDocument } from './setup-document.ts'

/**
 * Returns the document of the present property, without secrets, ids, and fields that have their default. `names` are
 * the names that somebody has given the box.
 */
export function exportSetup(reader: Reader, names: string[]): SetupDocument {
  const document: SetupDocument = {}
  for (const section of sections) {
    const items = rowsOf(reader, section.resource).map((row) => itemOf(reader, section, row))
    if (section.key === null && items[0]) document[section.name] = items[0]
    if (section.key !== null && items.length > 0) document[section.name] = items
    if (section.name === 'unitTypes') Object.assign(document, roomsOf(reader))
  }
  if (names.length > 0) document.network = { names }
  return document
}

function itemOf(
  reader: Reader,
  { resource, references, without, name: section }: Section,
  row: Values,
): Values {
  const nameOf = (to: string, id: unknown) => {
    const { resource: other, key } = sectionOf(to)
    return rowsOf(reader, other).find((each) => each.id === id)?.[key!]
  }
  const fields = Object.entries(resource.fields).filter(([name, { options }]) => {
    const isOwn = !isReadOnly(options) && !options.hidden && !without.includes(name)
    return isOwn && !isSame(row[name], options.default)
  })
  const named = new Map(Object.entries(references).map(([name, { field, to }]) => [field, { name, to }]))
  const item = Object.fromEntries(
    fields.map(([name]) => {
      const reference = named.get(name)
      return reference ? [reference.name, nameOf(reference.to, row[name])] : [name, row[name]]
    }),
  )
  if (section === 'keyServices' && Array.isArray(item.encoders))
    item.encoders = item.encoders.map(({ controllerId, ...rest }: Values) => ({
      ...rest,
      encoder: nameOf('encoders', controllerId),
    }))
  return item
}

/** Returns the rooms as a pattern where one can describe them, otherwise as a list. */
function roomsOf(reader: Reader): Pick<SetupDocument, 'rooms'> {
  const codes = new Map(rowsOf(reader, unitType).map((row) => [row.id, String(row.code)]))
  const rows = rowsOf(reader, unit).filter(({ unitTypeId }) => codes.has(unitTypeId))
  const rooms = rows
    .map((row) => ({
      name: String(row.name),
      unitType: codes.get(row.unitTypeId)!,
      floor: row.floor as string | null,
      priority: row.priority as number | null,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  if (rooms.length === 0) return {}
  const pattern = rooms.every(({ priority }) => priority === null) ? patternOf(rooms) : null
  return { rooms: pattern ?? rooms }
}
