import { expectMapBody } from '../access/providers/map-units.ts'
import { unit } from '../reservation/resources/unit.ts'
import { unitType } from '../reservation/resources/unit-type.ts'
import { didYouMean } from '../resource/nearest.ts'
import { Problem } from '../resource/problem.ts'
import { type Applying, isSame } from './applying.ts'
import { problemsOf } from './check-item.ts'
import { rowsOf, sectionOf, type Values } from './sections.ts'
import { itemsOf, type PlacedRoom, readRooms, type SetupDocument } from './setup-document.ts'

/** The largest number of units in one request. */
const inBatch = 100
/** A new hotel is ready for its guests. */
const newStatus = 'Clean'

/** Makes missing rooms, and changes the type, floor and priority of those that differ. */
export async function applyRooms(applying: Applying, document: SetupDocument): Promise<void> {
  if (document.rooms === undefined) return
  const { reader, write, trial, changes, refuse } = applying
  const { rooms: read, found } = await readRooms(document)
  refuse(found, '')
  const idOf = typeIds(applying, document)
  refuse({ problems: unknownTypes(read, idOf), more: 0 }, '')
  const rooms = read.map(({ room }) => room).filter((room) => idOf.has(room.unitType))
  const done = await problemsOf(async () => {
    const rows = new Map(rowsOf(reader, unit).map((row) => [row.name, row]))
    const fresh = rooms.filter(({ name }) => !rows.has(name))
    if (fresh.length > 0)
      changes.push({ path: '/rooms', action: 'create', names: fresh.map(({ name }) => name), fields: [] })
    const bodies = fresh.map(({ unitType: type, ...more }) => ({
      ...more,
      unitTypeId: idOf.get(type),
      status: newStatus,
    }))
    const ready = bodies.filter(({ unitTypeId }) => unitTypeId !== null)
    for (let from = 0; from < ready.length; from += inBatch)
      await write('POST', '/api/v2/batch/units', ready.slice(from, from + inBatch))
    for (const { unitType: type, ...more } of rooms) {
      const row = rows.get(more.name)
      if (!row) continue
      const wanted: Values = { ...more, unitTypeId: idOf.get(type) }
      const fields = Object.keys(wanted).filter((name) => !isSame(wanted[name], row[name]))
      if (fields.length === 0) continue
      changes.push({ path: '/rooms', action: 'update', names: [more.name], fields })
      const differing = Object.fromEntries(fields.map((name) => [name, wanted[name]]))
      if (!trial || wanted.unitTypeId !== null) await write('PATCH', `/api/v2/units/${row.id}`, differing)
    }
  })
  refuse(done, '/rooms')
}

/** The ids of unit types by their codes; null for one that the document is still to make. */
function typeIds({ reader }: Applying, document: SetupDocument): Map<string, unknown> {
  const planned = itemsOf(document, sectionOf('unitTypes')).map(({ item }) => item.code)
  const stored = rowsOf(reader, unitType).map((row) => [String(row.code), row.id] as const)
  return new Map([...planned.map((code) => [String(code), null] as const), ...stored])
}

/** A problem for each unit type of rooms that there is not, at the first room that has it in a pattern. */
function unknownTypes(rooms: readonly PlacedRoom[], idOf: Map<string, unknown>): Problem[] {
  const known = [...idOf.keys()]
  const strange = rooms.filter(({ room }) => !idOf.has(room.unitType))
  const places = new Map(strange.map(({ room, path }) => [`${path} ${room.unitType}`, { room, path }]))
  return [...places.values()].map(({ room: { unitType: code }, path }) => {
    const detail = `There is no unit type ${code}; there are ${known.join(', ') || 'none'}.`
    return new Problem('validation-failed', detail, { pointer: path, didYouMean: didYouMean(code, known) })
  })
}

/** Gives each room the lock of its name, for lock systems with `mapUnits`. */
export async function applyLocks(applying: Applying, document: SetupDocument): Promise<void> {
  const { reader, write, changes, refuse } = applying
  const { resource } = sectionOf('lockSystems')
  for (const { item, path: at } of itemsOf(document, sectionOf('lockSystems'))) {
    // The schema of the item refuses what is no text.
    if (typeof item.mapUnits !== 'string') continue
    const path = `${at}/mapUnits`
    const found = await problemsOf(async () => {
      if (item.unitMapping !== undefined)
        throw new Problem('validation-failed', 'Give either mapUnits or unitMapping.')
      const row = rowsOf(reader, resource).find(({ name }) => name === item.name)
      const body = { pattern: item.mapUnits }
      await expectMapBody(body)
      // A lock system that was refused as a whole is not there in a trial.
      if (!row) return
      const action = `${resource.base}/${resource.path}/${row.id}/actions/map-units`
      const mapped: { unitName: string }[] = (await write('POST', action, body)).meta.mapped
      const names = mapped.map(({ unitName }) => unitName)
      if (names.length > 0) changes.push({ path, action: 'map', names, fields: [] })
    })
    // A document that has a pattern has no mapping.
    for (const { options } of found.problems)
      if (options.pointer?.startsWith('/unitMapping')) options.pointer = ''
    refuse(found, path)
  }
}

const certificate = '/api/config/v1/certificate'

/** Gives the box its names in the network. */
export async function applyNames(
  { ask, changes, refuse }: Applying,
  { network }: SetupDocument,
): Promise<void> {
  if (!network) return
  const found = await problemsOf(async () => {
    const { givenNames } = (await ask('GET', certificate)).data.attributes
    if (isSame(network.names, givenNames)) return
    changes.push({ path: '/network', action: 'update', names: network.names, fields: ['names'] })
    await ask('PATCH', certificate, network)
  })
  refuse(found, '/network')
}
