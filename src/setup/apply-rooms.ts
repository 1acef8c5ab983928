import { expectMapBody } from '../access/providers/map-units.ts'
import { unit } from '../reservation/resources/unit.ts'
import { unitType } from '../reservation/resources/unit-type.ts'
import { Problem } from '../resource/problem.ts'
import { type Applying, isSame } from './applying.ts'
import { rowsOf, sectionOf, type Values } from './sections.ts'
import { roomsOf, type SetupDocument } from './setup-document.ts'

/** The largest number of units in one request. */
const inBatch = 100
/** A new hotel is ready for its guests. */
const newStatus = 'Clean'

/** Makes missing rooms, and changes the type, floor and priority of those that differ. */
export async function applyRooms(applying: Applying, document: SetupDocument): Promise<void> {
  if (document.rooms === undefined) return
  const { reader, ask, trial, changes, refuse } = applying
  try {
    const rooms = roomsOf(document)
    const idOf = typeIds(applying, document)
    const rows = new Map(rowsOf(reader, unit).map((row) => [row.name, row]))
    const fresh = rooms.filter(({ name }) => !rows.has(name))
    if (fresh.length > 0)
      changes.push({ path: '/rooms', action: 'create', names: fresh.map(({ name }) => name), fields: [] })
    const bodies = fresh.map(({ unitType: type, ...more }) => ({
      ...more,
      unitTypeId: idOf(type),
      status: newStatus,
    }))
    const ready = bodies.filter(({ unitTypeId }) => unitTypeId !== null)
    for (let from = 0; from < ready.length; from += inBatch)
      await ask('POST', '/api/v2/batch/units', ready.slice(from, from + inBatch))
    for (const { unitType: type, ...more } of rooms) {
      const row = rows.get(more.name)
      if (!row) continue
      const wanted: Values = { ...more, unitTypeId: idOf(type) }
      const fields = Object.keys(wanted).filter((name) => !isSame(wanted[name], row[name]))
      if (fields.length === 0) continue
      changes.push({ path: '/rooms', action: 'update', names: [more.name], fields })
      const differing = Object.fromEntries(fields.map((name) => [name, wanted[name]]))
      if (!trial || wanted.unitTypeId !== null) await ask('PATCH', `/api/v2/units/${row.id}`, differing)
    }
  } catch (error) {
    // The reader of the rooms has named the place already.
    refuse(error, error instanceof Problem && error.options.pointer?.startsWith('/rooms') ? '' : '/rooms')
  }
}

/** Returns a function from the code of a unit type to its id; null for one that the document is still to make. */
function typeIds({ reader }: Applying, document: SetupDocument): (code: string) => unknown {
  const { name } = sectionOf('unitTypes')
  const ids = new Map(rowsOf(reader, unitType).map((row) => [row.code, row.id]))
  const planned = ((document[name] ?? []) as Values[]).map(({ code }) => code)
  return (code) => {
    const id = ids.get(code)
    if (id !== undefined) return id
    if (planned.includes(code)) return null
    const known = [...new Set([...ids.keys(), ...planned])].join(', ')
    throw new Problem('validation-failed', `There is no unit type ${code}; there are ${known || 'none'}.`, {
      pointer: '/rooms',
    })
  }
}

/** Gives each room the lock of its name, for lock systems with `mapUnits`. */
export async function applyLocks(applying: Applying, document: SetupDocument): Promise<void> {
  const { reader, ask, trial, changes, refuse } = applying
  const { resource, name: section } = sectionOf('lockSystems')
  for (const [index, item] of ((document[section] ?? []) as Values[]).entries()) {
    if (item.mapUnits === undefined) continue
    const path = `/${section}/${index}/mapUnits`
    try {
      if (item.unitMapping !== undefined)
        throw new Problem('validation-failed', 'Give either mapUnits or unitMapping.')
      const row = rowsOf(reader, resource).find(({ name }) => name === item.name)
      const isLater =
        trial && (!row || changes.some((each) => each.path === '/rooms' && each.action === 'create'))
      const body = { pattern: item.mapUnits }
      await expectMapBody(body)
      const mapped = isLater
        ? [{ unitName: String(item.name) }]
        : (await ask('POST', `${resource.base}/${resource.path}/${row?.id}/actions/map-units`, body)).meta
            .mapped
      const names = (mapped as { unitName: string }[]).map(({ unitName }) => unitName)
      if (names.length > 0) changes.push({ path, action: 'map', names, fields: [] })
    } catch (error) {
      refuse(error, path)
    }
  }
}

const certificate = '/api/config/v1/certificate'

/** Gives the box its names in the network. */
export async function applyNames(
  { ask, changes, refuse }: Applying,
  { network }: SetupDocument,
): Promise<void> {
  if (!network) return
  try {
    const { givenNames } = (await ask('GET', certificate)).data.attributes
    if (isSame(network.names, givenNames)) return
    changes.push({ path: '/network', action: 'update', names: network.names, fields: ['names'] })
    await ask('PATCH', certificate, network)
  } catch (error) {
    refuse(error, '/network')
  }
}
