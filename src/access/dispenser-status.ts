import type { CardDispenser, CardPosition } from '../devices/capability.ts'
import { DeviceFault, faults } from '../devices/fault.ts'
import type { DispenserHandle } from './handles.ts'
import { suspect } from './machine-health.ts'
import type { Dispenser } from './resources/dispenser.ts'

/** Steps that make a machine work again, for a person standing in front of it. */
export const recovery: Partial<Record<string, string[]>> = {
  'dispenser-empty': ['Open the stacker and fill in cards.', 'Set estimatedCards to what is in it.'],
  'dispenser-jam': [
    'Open the machine.',
    'Take out the card that is stuck.',
    'Close it; it starts by itself.',
  ],
  'dispenser-bin-full': ['Empty the bin.', 'It starts by itself.'],
  'dispenser-offline': ['Check the power and the cable.', 'It is found again by itself.'],
  'dispenser-motor': ['Switch it off and on.', 'If it fails again, call service.'],
}

export type DispenserStatusAttributes = ReturnType<typeof statusSeen>

/** The status document's attributes. A machine that cannot be asked is an answer: `online` is false. */
export async function dispenserStatus(
  row: Dispenser,
  handle: DispenserHandle,
  now: number,
): Promise<DispenserStatusAttributes> {
  return statusSeen(row, handle, await look(handle, now))
}

/** The same as it was seen last, without asking the machine. */
export function statusSeen(row: Dispenser, handle: DispenserHandle, fault = offlineFault(handle)) {
  const status = handle.seen?.status
  const online = handle.bay.state() === 'online' && fault === null
  const standing = handle.fault?.fault ?? fault
  const level = status?.stacker ?? 'unknown'
  const cards = row.estimatedCards ?? null
  const stacker = level === 'ok' && cards !== null && cards <= (row.lowThreshold ?? 20) ? 'nearEmpty' : level
  const bin = binLevel(row, status?.bin ?? 'unknown')
  return {
    state: stateOf(row, handle, standing),
    commandedState: row.commandedState ?? 'active',
    online,
    cardPosition: online ? cardPosition(handle) : 'unknown',
    stacker: {
      level: stacker,
      estimatedCards: cards,
      capacity: row.capacity ?? null,
      lowThreshold: row.lowThreshold ?? null,
    },
    bin: { level: bin, count: row.binCount ?? null, capacity: row.binCapacity ?? null },
    overall: overall(standing, stacker, bin),
    fault: standing && faultOf(standing, handle.fault?.since ?? handle.bay.since),
    guestWaiting: handle.guest && { since: text(handle.guest.since), deadline: text(handle.guest.deadline) },
    model: handle.identity?.model || row.device.driver,
    firmware: handle.identity?.firmware || null,
    serialNumber: handle.identity?.serialNumber || null,
    driver: row.device.driver,
    counters: {
      dispensed: row.dispensed ?? 0,
      captured: row.captured ?? 0,
      returned: row.returned ?? 0,
      jams: row.jams ?? 0,
    },
    capabilities: {
      positions: handle.positions,
      recycle: handle.positions.includes('stacker'),
      acceptReturns: row.acceptReturns,
    },
    observedAt: handle.seen ? text(handle.seen.at) : null,
    handle: { openedAt: text(handle.openedAt), cached: true },
  }
}

function offlineFault({ bay }: DispenserHandle): DeviceFault | null {
  return bay.state() === 'online' ? null : offline(bay.lastFault)
}

/** Asks the machine when it can be asked at once; its failure is part of the status. */
export async function look(handle: DispenserHandle, now: number): Promise<DeviceFault | null> {
  const { bay } = handle
  if (bay.state() !== 'online') return offline(bay.lastFault)
  if (handle.activity) return null
  try {
    await bay.use(async (machine: CardDispenser) => {
      handle.seen = { status: await machine.status(), at: now }
    })
    return null
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    suspect(bay, 'dispenser', error)
    return error
  }
}

function offline(why: Error | null): DeviceFault {
  return new DeviceFault('dispenser-offline', why?.message ?? 'It is not open yet.')
}

/** While a card is on its way the machine is not asked, so that it is not held up. */
function cardPosition({ activity, seen }: DispenserHandle): CardPosition {
  if (activity === 'encoding') return 'encoder'
  return activity ? 'unknown' : (seen?.status.card ?? 'unknown')
}

function stateOf({ commandedState }: Dispenser, handle: DispenserHandle, fault: DeviceFault | null): string {
  const line = handle.bay.state()
  if (line === 'starting') return 'starting'
  if (fault?.code === 'dispenser-offline') return 'offline'
  if (fault) return 'fault'
  if (handle.activity) return handle.activity
  if (handle.guest || handle.seen?.status.card === 'gate') return 'presenting'
  return commandedState ?? 'active'
}

function binLevel({ binCount, binCapacity }: Dispenser, seen: string): string {
  if (seen === 'full') return 'full'
  if (typeof binCount !== 'number' || !binCapacity) return seen
  if (binCount >= binCapacity) return 'full'
  return binCount >= binCapacity * 0.8 ? 'nearFull' : seen
}

/** The worst of what stands in the way. */
function overall(fault: DeviceFault | null, stacker: string, bin: string): string {
  if (fault?.code === 'dispenser-jam' || fault?.code === 'dispenser-motor') return 'jam'
  if (stacker === 'empty') return 'empty'
  if (bin === 'full') return 'binFull'
  return stacker === 'nearEmpty' ? 'nearEmpty' : 'ok'
}

function faultOf(fault: DeviceFault, since: number) {
  return {
    errorCode: fault.code,
    vendorCode: fault.vendorCode ?? null,
    detail: fault.message,
    since: text(since),
    guestSafe: faults[fault.code].guest,
    recovery: recovery[fault.code] ?? ['Ask for service.'],
  }
}

function text(instant: number): string {
  return new Date(instant).toISOString()
}
