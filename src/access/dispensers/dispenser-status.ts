import type { CardPosition, DispenserStatus } from '../../devices/capability.ts'
import { DeviceFault, faults } from '../../devices/fault.ts'
import { ModuleMissing } from '../../devices/native-modules.ts'
import { LineTrouble } from '../../devices/wires/line-trouble.ts'
import type { Language } from '../../jsonapi/locales/language.ts'
import { type Message, type MessageCode, shownMessage } from '../../jsonapi/locales/message.ts'
import type { DispenserHandle } from '../handles/device-handle.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { cardSeen } from './card-seen.ts'
import { correctedCards, shownCounters } from './dispenser-commands.ts'
import { resetIfStuck } from './machine-health.ts'

/** The steps that clear each fault, for a person in front of the machine. */
const recovery: Partial<Record<string, readonly MessageCode[]>> = {
  'dispenser-empty': ['open-stacker', 'report-refill'],
  'dispenser-jam': ['open-machine', 'take-out-card', 'close-machine'],
  'dispenser-bin-full': ['empty-bin', 'report-empty-bin', 'starts-by-itself'],
  'dispenser-offline': ['check-power-and-cable', 'connects-by-itself'],
  'dispenser-motor': ['switch-off-and-on', 'service-if-again'],
  'dispenser-reset-required': ['initialize', 'switch-if-again'],
  'dispenser-timeout': ['look-for-stuck-card', 'initialize', 'service-if-again'],
}

/** Returns the steps that clear a fault. */
export function recoverySteps(code: string): Message[] {
  return (recovery[code] ?? ['call-service']).map((step) => ({ code: step }))
}

/**
 * The attributes from the last known status, without a request to the machine. `fault` is that of the last look.
 * `cached`: the handle was open before the request.
 */
export function statusSeen(
  row: Dispenser,
  handle: DispenserHandle,
  fault = offlineFault(handle),
  cached = true,
) {
  const status = handle.seen?.status ?? null
  const online = handle.bay.state() === 'online' && fault === null
  const lasting = handle.fault?.fault ?? fault
  const { stacker, cards, bin } = levelsOf(row, status, lasting)
  return {
    state: stateOf(row, handle, lasting),
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
    overall: overall(lasting, stacker, bin, online),
    fault: lasting
      ? faultOf(lasting, handle.fault?.since ?? handle.bay.since)
      : levelFault(stacker, bin, handle.seen?.at ?? handle.bay.since),
    guestWaiting: handle.guest && { since: text(handle.guest.since), deadline: text(handle.guest.deadline) },
    model: handle.identity?.model || row.device.driver,
    firmware: handle.identity?.firmware || null,
    serialNumber: handle.identity?.serialNumber || null,
    driver: row.device.driver,
    counters: Object.fromEntries(shownCounters.map((name) => [name, row[name] ?? 0])),
    capabilities: {
      positions: handle.positions,
      recycle: handle.positions.includes('stacker'),
      acceptReturns: row.acceptReturns ?? false,
      levelSensor: status ? status.stacker !== 'unknown' : null,
    },
    observedAt: handle.seen ? text(handle.seen.at) : null,
    handle: { openedAt: text(handle.openedAt), cached },
  }
}

function offlineFault({ bay }: DispenserHandle): DeviceFault | null {
  if (bay.state() === 'online') return null
  const why = bay.lastFault
  return new DeviceFault('dispenser-offline', why?.message ?? 'The machine is not open yet.', { cause: why })
}

/** Requests the status if the machine is online and idle. Resolves with its fault; a busy machine has none (null). */
export async function look(handle: DispenserHandle): Promise<DeviceFault | null> {
  const { bay } = handle
  if (bay.state() !== 'online') return offlineFault(handle)
  if (handle.activity) return null
  try {
    await cardSeen(handle)
    return null
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    resetIfStuck(bay, 'dispenser', error)
    return error
  }
}

/** The position of the card. A machine that moves a card is not asked, so that the motion is not delayed. */
function cardPosition({ activity, seen }: DispenserHandle): CardPosition {
  if (activity === 'encoding') return 'encoder'
  return activity ? 'unknown' : (seen?.status.card ?? 'unknown')
}

function stateOf({ commandedState }: Dispenser, handle: DispenserHandle, fault: DeviceFault | null): string {
  const line = handle.bay.state()
  // A machine with a fault restarts repeatedly and keeps the state `fault`.
  if (line === 'starting' && !handle.fault) return 'starting'
  if (fault?.code === 'dispenser-offline') return 'offline'
  if (fault) return 'fault'
  if (handle.activity) return handle.activity
  if (handle.guest || handle.seen?.status.card === 'gate') return 'presenting'
  return commandedState ?? 'active'
}

/** The levels of stacker and bin: by the fault, then the sensors, then the counts where they see nothing or less. */
export function levelsOf(row: Dispenser, seen: DispenserStatus | null, fault: DeviceFault | null) {
  const sensor = fault?.code === 'dispenser-empty' ? 'empty' : (seen?.stacker ?? 'unknown')
  const hasCards = sensor === 'unknown' ? null : sensor !== 'empty'
  const cards = correctedCards(row.estimatedCards ?? null, hasCards)
  const isLow = cards !== null && cards <= (row.lowThreshold ?? 20)
  const counted = cards === 0 ? 'empty' : isLow ? 'nearEmpty' : cards === null ? 'unknown' : 'ok'
  const isCounted = seen !== null && (sensor === 'unknown' || (sensor === 'ok' && isLow))
  return {
    stacker: isCounted ? counted : sensor,
    cards,
    bin: binLevel(row, fault?.code === 'dispenser-bin-full' ? 'full' : (seen?.bin ?? 'unknown')),
    hasCards,
  }
}

function binLevel({ binCount, binCapacity }: Dispenser, seen: string): string {
  if (seen === 'full') return 'full'
  if (typeof binCount !== 'number' || !binCapacity) return seen
  if (binCount >= binCapacity) return 'full'
  return binCount >= binCapacity * 0.8 ? 'nearFull' : seen
}

/** The most severe condition; null while it cannot be seen. */
function overall(fault: DeviceFault | null, stacker: string, bin: string, online: boolean): string | null {
  if (isStuck(fault)) return 'jam'
  if (!online && fault?.code !== 'dispenser-empty' && fault?.code !== 'dispenser-bin-full') return null
  if (stacker === 'empty') return 'empty'
  if (bin === 'full') return 'binFull'
  return stacker === 'nearEmpty' ? 'nearEmpty' : 'ok'
}

/** Whether the fault is mechanical. */
export function isStuck(fault: DeviceFault | null | undefined): boolean {
  return fault?.code === 'dispenser-jam' || fault?.code === 'dispenser-motor'
}

/** The fault for an empty stacker or a full bin: nothing is broken, but the front desk must act. */
function levelFault(stacker: string, bin: string, since: number) {
  if (stacker === 'empty') return faultOf(new DeviceFault('dispenser-empty', 'The stacker is empty.'), since)
  if (bin === 'full') return faultOf(new DeviceFault('dispenser-bin-full', 'The bin is full.'), since)
  return null
}

function faultOf(fault: DeviceFault, since: number) {
  return {
    errorCode: fault.code,
    vendorCode: fault.vendorCode ?? null,
    detail: fault.message,
    since: text(since),
    guestSafe: faults[fault.code].guest,
    // These messages contain their own remedy: the cable is not at fault.
    steps:
      fault.cause instanceof ModuleMissing || fault.cause instanceof LineTrouble
        ? []
        : recoverySteps(fault.code),
  }
}

/** The attributes as an answer shows them, in the language of its reader. */
export function shownStatus({ fault, ...status }: ReturnType<typeof statusSeen>, language: Language) {
  if (!fault) return { ...status, fault }
  const { steps, ...rest } = fault
  const messages = steps.map((each) => shownMessage(language, each))
  return { ...status, fault: { ...rest, recovery: messages.map((each) => each.text), messages } }
}

function text(instant: number): string {
  return new Date(instant).toISOString()
}
