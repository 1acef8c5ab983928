import { createHash } from 'node:crypto'
import type { CloudEvent } from '../../../events/cloud-event.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { HousekeepingChange } from '../../sync-contract.ts'
import { listOf, type OperaCall, type OperaClient, OperaRefusal } from './client.ts'
import type { StepOptions } from './work.ts'

interface OperaRoom {
  roomId?: unknown
  housekeeping?: { housekeepingRoomStatus?: { housekeepingRoomStatus?: unknown } }
}

const overview = '/hsk/v1/hotels/{hotelId}/housekeepingOverview'
const pageSize = 500
const mostPages = 10

/** OPERA's statuses, as unit statuses here. */
const statuses: Readonly<Record<string, string>> = {
  Dirty: 'Dirty',
  Pickup: 'Dirty',
  Clean: 'Clean',
  Inspected: 'Inspected',
  OutOfOrder: 'OutOfOrder',
  OutOfService: 'OutOfService',
}

/** The statuses that can be set at OPERA without a period and a reason. */
const settable = ['Dirty', 'Clean', 'Inspected']

/** The status of each room, as unit statuses here; of one room where its name is given. */
async function roomStatuses(
  client: OperaClient,
  call: OperaCall,
  only?: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const range = only === undefined ? {} : { fromRoomNumber: only, toRoomNumber: only }
  for (let page = 0, offset = 0; page < mostPages; page++) {
    const query = { limit: pageSize, offset, ...range }
    const answer = await client.ask({ method: 'GET', path: overview, query }, call)
    const { housekeepingRooms, hasMore } = (answer?.housekeepingRoomInfo ?? {}) as Record<string, unknown>
    const rooms = listOf<OperaRoom>((housekeepingRooms as { room?: unknown } | undefined)?.room)
    for (const { roomId, housekeeping } of rooms) {
      const status = statuses[String(housekeeping?.housekeepingRoomStatus?.housekeepingRoomStatus)]
      if (typeof roomId === 'string' && status) found.set(roomId, status)
    }
    if (hasMore !== true || rooms.length === 0) break
    offset += rooms.length
  }
  return found
}

/** The maximum number of rooms in one report. */
const mostReported = 800

interface RoomReport {
  changes: HousekeepingChange[]
  /** Stands for what is reported now, in the cursor. */
  digest: string
}

/**
 * Reports the rooms whose status has changed since the report with this digest. OPERA has no time of such a change: the
 * time of its report is its revision. After a restart all rooms are reported if one has changed meanwhile.
 */
export function roomWatch(client: OperaClient, now: () => number) {
  let reported: ReadonlyMap<string, string> = new Map()
  return async (digest: string, call: OperaCall): Promise<RoomReport> => {
    const statuses = await roomStatuses(client, call)
    const before = digestOf(reported) === digest ? reported : new Map<string, string>()
    if (digestOf(statuses) === digest) {
      reported = statuses
      return { changes: [], digest }
    }
    const changed = [...statuses]
      .filter(([name, status]) => before.get(name) !== status)
      .slice(0, mostReported)
    reported = new Map([...before, ...changed])
    const revision = now()
    return {
      changes: changed.map(([unitName, status]) => ({ is: 'housekeeping', unitName, revision, status })),
      digest: digestOf(reported),
    }
  }
}

function digestOf(statuses: ReadonlyMap<string, string>): string {
  const text = JSON.stringify([...statuses].sort())
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}

/** Sets the status at OPERA of the rooms whose units have got another one here by these events. */
export async function tellRoomStates(
  events: readonly CloudEvent[],
  { client, reader }: { client: OperaClient; reader: Reader },
  call: OperaCall,
): Promise<void> {
  const changed = events.filter(({ type }) => type === 'unit.status-changed')
  const ids = new Set(changed.map(({ subject }) => subject.split('/')[1] ?? ''))
  if (ids.size === 0) return
  const there = await roomStatuses(client, call)
  for (const id of ids) {
    const { name, status } = reader.row(unit, id) ?? {}
    // OPERA has it already where the change came from there.
    if (!name || !status || !there.has(name) || there.get(name) === status || !settable.includes(status))
      continue
    try {
      await setStatus(name, status, client, call)
    } catch (error) {
      // A room that OPERA does not let be set keeps no other back.
      if (!(error instanceof OperaRefusal)) throw error
    }
  }
}

/** A property may check guests only into inspected rooms. A room that was inspected here is set so at OPERA before. */
export async function setInspected(
  roomId: string | undefined,
  { client, isInspected }: StepOptions,
  call: OperaCall,
): Promise<void> {
  if (roomId === undefined || !isInspected(roomId)) return
  try {
    const there = await roomStatuses(client, call, roomId)
    if (there.get(roomId) !== 'Inspected') await setStatus(roomId, 'Inspected', client, call)
  } catch (error) {
    // The check-in decides: a property may take rooms that are not inspected.
    if (!(error instanceof OperaRefusal)) throw error
  }
}

async function setStatus(
  roomId: string,
  status: string,
  client: OperaClient,
  call: OperaCall,
): Promise<void> {
  const body = { roomList: [{ roomId }], housekeepingRoomStatus: status }
  await client.ask({ method: 'PUT', path: '/hsk/v1/hotels/{hotelId}/rooms/status', body }, call)
}
