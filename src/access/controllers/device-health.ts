import { DeviceFault } from '../../devices/fault.ts'
import type { OnlineLockSystem } from '../../devices/lock-system.ts'
import { ModuleMissing } from '../../devices/native-modules.ts'
import type { Refusals } from '../../devices/network/visitors.ts'
import { LineTrouble } from '../../devices/wires/line-trouble.ts'
import {
  failureMessage,
  type Message,
  type MessageCode,
  type MessageValue,
} from '../../jsonapi/locales/message.ts'
import type { Access, Machines } from '../access.ts'
import { look, recoverySteps, statusSeen } from '../dispensers/dispenser-status.ts'
import type { DispenserHandle } from '../handles/device-handle.ts'
import type { KeyServices } from '../key-services/key-services.ts'
import { allOf } from '../lookups.ts'
import { lockSystemOrNull } from '../providers/lock-system-of.ts'
import { type AccessController, accessController } from '../resources/access-controller.ts'
import { type AccessProvider, accessProvider } from '../resources/access-provider.ts'
import { type Dispenser, dispenser } from '../resources/dispenser.ts'
import { keyService } from '../resources/key-service.ts'

/** The health of one device, and what a person should do about it. */
export interface DeviceHealth {
  kind: 'dispenser' | 'encoder' | 'lock-system' | 'key-service'
  id: string
  name: string
  status: 'pass' | 'warn' | 'fail'
  /** The reported state of a dispenser; for another device, the state of its line. */
  state: string
  /** What is wrong and what to do; empty when all is well. */
  messages: readonly Message[]
  /** The number of requests at the device, including the running one. */
  waiting: number
}

export type HealthJudgement = Pick<DeviceHealth, 'status' | 'state' | 'messages'>

/** The state of the line to a lock system or a key service. */
type LineState = ReturnType<OnlineLockSystem['state']>

/** The age of a dispenser's status after which a new one is requested. */
const seenForMs = 10_000

/**
 * Returns a function that reports the last known health of every device, without waiting. It requests a new status of a
 * dispenser whose status is older than 10 s, for the next report.
 */
export function deviceHealth(access: Access, services: Pick<KeyServices, 'stateOf'>): () => DeviceHealth[] {
  /** Dispensers whose status request is running. */
  const refreshing = new Set<DispenserHandle>()
  return () => [
    ...allOf(access, accessProvider).flatMap((row) => lockSystemHealth(access, row)),
    ...allOf(access, keyService).flatMap((row) => {
      const found = services.stateOf(row.id)
      // A PMS that is not connected is a warning, not a failure.
      return found ? [entry('key-service', row, lineJudgement(found, 'warn', 'pms-line-away'))] : []
    }),
    ...allOf(access, dispenser).map((row) => dispenserHealth(access, row, refreshing)),
    ...allOf(access, accessController)
      .filter(({ device }) => device?.path)
      .map((row) => entry('encoder', row, encoderJudgement(access, row), access.lines.queued(row.id))),
  ]
}

function entry(
  kind: DeviceHealth['kind'],
  { id, name }: { id: string; name: string },
  judged: HealthJudgement,
  waiting = 0,
): DeviceHealth {
  return { kind, id, name, ...judged, waiting }
}

function dispenserHealth(access: Access, row: Dispenser, refreshing: Set<DispenserHandle>): DeviceHealth {
  const handle = access.devices.dispenserAt(row.id)
  if (handle) lookAgain(access, handle, refreshing)
  return entry('dispenser', row, dispenserJudgement(access, row), handle?.activity ? 1 : 0)
}

/** The last known health of a dispenser. Nothing is sent to the machine. */
export function dispenserJudgement({ devices }: Machines, row: Dispenser): HealthJudgement {
  const handle = devices.dispenserAt(row.id)
  return handle ? judge(row, handle) : notOpen
}

function lookAgain({ failed }: Access, handle: DispenserHandle, refreshing: Set<DispenserHandle>): void {
  const isFresh = handle.seen !== null && handle.clock.monotonic() - handle.seen.looked < seenForMs
  if (isFresh || refreshing.has(handle)) return
  refreshing.add(handle)
  look(handle)
    .catch(failed)
    .finally(() => refreshing.delete(handle))
}

/** The last known health of the encoder of a controller. */
export function encoderJudgement({ devices }: Machines, { id }: AccessController): HealthJudgement {
  const bay = devices.encoderAt(id)?.bay
  if (!bay) return notOpen
  const state = bay.state()
  if (state !== 'offline') return judgements[state]
  return { status: 'fail', state, messages: [troubleOf(bay.lastFault) ?? { code: 'device-offline' }] }
}

/** What keeps a device away when neither its power nor its cable is at fault; null in other cases. */
function troubleOf(fault: Error | null): Message | null {
  if (fault instanceof ModuleMissing) return { code: 'module-missing', values: { detail: fault.message } }
  if (fault instanceof LineTrouble) return { code: fault.code, values: fault.values }
  return null
}

/** The health of a lock system that keeps the rights itself; empty for another, and for one that is switched off. */
export function lockSystemHealth(access: Machines, row: AccessProvider): DeviceHealth[] {
  // Without a driver for it, the error appears when a key is requested.
  const lockSystem = row.enabled === false ? null : lockSystemOrNull(access, row)
  if (lockSystem?.kind !== 'online') return []
  return [entry('lock-system', row, lineJudgement(lockSystem.system.state(), 'fail', 'lock-system-away'))]
}

const notOpen: HealthJudgement = { status: 'warn', state: 'closed', messages: [{ code: 'device-not-open' }] }

const judgements: Record<'online' | 'starting', HealthJudgement> = {
  online: { status: 'pass', state: 'online', messages: [] },
  starting: { status: 'warn', state: 'starting', messages: [{ code: 'device-starting' }] },
}

/** The health of a line to another system. A person must look at refused connections: at least a warning. */
function lineJudgement(
  { line, fault, refusals = [] }: LineState,
  statusAway: 'warn' | 'fail',
  away: MessageCode,
): HealthJudgement {
  const failure = fault && failureMessage(fault instanceof DeviceFault ? fault.code : '', fault.message)
  const { status, messages } =
    line === 'offline'
      ? { status: statusAway, messages: [...(failure ? [failure] : []), { code: away }] }
      : judgements[line]
  return {
    status: status === 'pass' && refusals.length > 0 ? 'warn' : status,
    state: line,
    messages: [...messages, ...refusals.map(refusalMessage)],
  }
}

function refusalMessage({ why, address, count }: Refusals): Message {
  const times: MessageValue = count === 1 ? '' : { code: 'times-within-hour', values: { count } }
  return { code: `refused-${why}`, values: { address, times } }
}

/** The health of a dispenser, the most severe condition first. */
function judge(row: Dispenser, handle: DispenserHandle): HealthJudgement {
  const { state, fault, overall, commandedState } = statusSeen(row, handle)
  const health = (status: DeviceHealth['status'], ...messages: Message[]) => ({ status, state, messages })
  if (state === 'starting') return health('warn', { code: 'device-starting' })
  const trouble = handle.bay.lastFault instanceof LineTrouble ? troubleOf(handle.bay.lastFault) : null
  if (trouble) return health('fail', trouble)
  if (fault) return health('fail', failureMessage(fault.errorCode, fault.detail), ...fault.steps)
  if (overall === 'empty') return health('fail', ...recoverySteps('dispenser-empty'))
  if (overall === 'binFull') return health('fail', ...recoverySteps('dispenser-bin-full'))
  if (commandedState === 'inactive' || commandedState === 'maintenance')
    return health('warn', { code: 'dispenser-out-of-service', values: { state: commandedState } })
  if (overall === 'nearEmpty') return health('warn', { code: 'few-cards' })
  return health('pass')
}
