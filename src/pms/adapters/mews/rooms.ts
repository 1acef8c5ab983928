import type { CloudEvent } from '../../../events/cloud-event.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { HousekeepingChange } from '../../sync-contract.ts'
import { type MewsCall, type MewsClient, MewsRefusal } from './client.ts'
import type { LookupSource, Lookups } from './lookups.ts'
import type { MewsResource } from './records.ts'

/** The states of Mews that are unit statuses here, under the same names. */
const states = ['Dirty', 'Clean', 'Inspected', 'OutOfService', 'OutOfOrder']

/** The states that a connection may set. OutOfOrder is set by a block of the room, which only Mews makes. */
const settable = ['Dirty', 'Clean', 'Inspected', 'OutOfService']

/** The rooms that have changed at Mews after a moment (Unix milliseconds), and the moment of the last of these changes. */
export function roomChanges(
  { rooms }: Lookups,
  since: number,
): { changes: HousekeepingChange[]; upTo: number } {
  const changes = rooms.flatMap(({ Name, State, UpdatedUtc }): HousekeepingChange[] => {
    const revision = Date.parse(UpdatedUtc ?? '')
    if (!State || !states.includes(State) || !(revision > since)) return []
    return [{ is: 'housekeeping', unitName: Name, revision, status: State }]
  })
  changes.sort((one, other) => one.revision - other.revision)
  return { changes, upTo: changes.at(-1)?.revision ?? since }
}

/** All rooms of the property with their states now. */
export function roomsOf(client: MewsClient, call: MewsCall): Promise<MewsResource[]> {
  return client.all('resources/getAll', 'Resources', { Extent: { Resources: true } }, call)
}

/** Sets the state of the rooms at Mews whose units have another status here since these events. */
export async function tellRoomStates(
  events: readonly CloudEvent[],
  { client, lookups, reader }: { client: MewsClient; lookups: LookupSource; reader: Reader },
  call: MewsCall,
): Promise<void> {
  const ids = new Set(
    events
      .filter(({ type }) => type === 'unit.status-changed')
      .map(({ subject }) => subject.split('/')[1] ?? ''),
  )
  if (ids.size === 0) return
  const rooms = await roomsOf(client, call)
  const known = await lookups.cached(call)
  const updates = [...ids].flatMap((id) => {
    const { name, status } = reader.row(unit, id) ?? {}
    const room = rooms.find(({ Id }) => name !== undefined && Id === known.resourceId(name))
    // Mews has it already where the change came from there.
    if (!room || !status || room.State === status || !settable.includes(status)) return []
    return [{ ResourceId: room.Id, State: { Value: status } }]
  })
  if (updates.length === 0) return
  lookups.forget()
  // A room that Mews does not let be set keeps no other back.
  for (const each of updates) await setState(client, each, call)
}

async function setState(client: MewsClient, update: object, call: MewsCall): Promise<void> {
  try {
    await client.ask('resources/update', { ResourceUpdates: [update] }, { ...call, changes: true })
  } catch (error) {
    if (!(error instanceof MewsRefusal)) throw error
  }
}

/** Whether the unit of this name is inspected here. */
export function isInspected(reader: Reader, unitName: string): boolean {
  const filters = [{ path: 'name', operator: 'eq' as const, value: unitName }]
  return reader.rows(unit, { filters, sort: [], page: { size: 1 } })[0]?.status === 'Inspected'
}
