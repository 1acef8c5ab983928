import { DeviceFault } from '../../devices/fault.ts'
import { ModuleMissing } from '../../devices/native-modules.ts'
import type { Refusals } from '../../devices/network/visitors.ts'
import { failureMessage, type Message, type MessageValue } from '../../jsonapi/locales/message.ts'
import type { Access, Machines, Work } from '../access.ts'
import {
  type DispenserStatusAttributes,
  look,
  recoverySteps,
  statusSeen,
} from '../dispensers/dispenser-status.ts'
import { allOf } from '../lookups.ts'
import type { KeyServices } from '../providers/key-services.ts'
import type { LockSystem } from '../providers/lock-systems.ts'
import { type AccessController, accessController } from '../resources/access-controller.ts'
import { type AccessProvider, accessProvider } from '../resources/access-provider.ts'
import { type Dispenser, dispenser } from '../resources/dispenser.ts'
import { type KeyService, keyService } from '../resources/key-service.ts'
import type { DispenserHandle } from './device-handle.ts'

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

/** The age of a dispenser's status after which a new one is requested. */
const seenForMs = 10_000

/** The sources of the health report. */
interface Health {
  access: Access
  services: Pick<KeyServices, 'stateOf'>
  /** Dispensers whose status request is running. */
  refreshing: Set<DispenserHandle>
}

/**
 * Returns a function that reports the last known health of every device, without waiting. It requests a new status of a
 * dispenser whose status is older than 10 s, for the next report.
 */
export function deviceHealth(access: Access, services: Health['services']): () => DeviceHealth[] {
  const health: Health = { access, services, refreshing: new Set() }
  return () => [
    ...allOf(access, accessProvider).flatMap((row) => lockSystemHealth(access, row)),
    ...allOf(access, keyService).flatMap((row) => serviceHealth(health, row)),
    ...allOf(access, dispenser).map((row) => dispenserHealth(health, row)),
    ...allOf(access, accessController)
      .filter(({ device }) => device?.path)
      .map((row) => encoderHealth(access, row)),
  ]
}

function dispenserHealth(health: Health, row: Dispenser): DeviceHealth {
  const handle = health.access.devices.dispenserAt(row.id)
  if (handle) lookAgain(health, handle)
  const judged = dispenserJudgement(health.access, row)
  return { kind: 'dispenser', id: row.id, name: row.name, ...judged, waiting: handle?.activity ? 1 : 0 }
}

/** The last known health of a dispenser. Nothing is sent to the machine. */
export function dispenserJudgement({ devices }: Machines, row: Dispenser): HealthJudgement {
  const handle = devices.dispenserAt(row.id)
  return handle ? judge(statusSeen(row, handle)) : notOpen
}

function lookAgain({ access, refreshing }: Health, handle: DispenserHandle): void {
  const isFresh = handle.seen !== null && handle.clock.monotonic() - handle.seen.looked < seenForMs
  if (isFresh || refreshing.has(handle)) return
  refreshing.add(handle)
  look(handle)
    .catch(access.failed)
    .finally(() => refreshing.delete(handle))
}

function encoderHealth(access: Machines & Work, row: AccessController): DeviceHealth {
  const { id, name } = row
  return { kind: 'encoder', id, name, ...encoderJudgement(access, row), waiting: access.lines.queued(id) }
}

/** The last known health of the encoder of a controller. */
export function encoderJudgement({ devices }: Machines, { id }: AccessController): HealthJudgement {
  const bay = devices.encoderAt(id)?.bay
  if (!bay) return notOpen
  const state = bay.state()
  // Without the module, neither the power nor the cable is at fault.
  if (state === 'offline' && bay.lastFault instanceof ModuleMissing)
    return {
      status: 'fail',
      state,
      messages: [{ code: 'module-missing', values: { detail: bay.lastFault.message } }],
    }
  return { ...encoderStates[state], state }
}

/** The health of a lock system that keeps the rights itself; empty for another, and for one that is switched off. */
export function lockSystemHealth(access: Machines, row: AccessProvider): DeviceHealth[] {
  const lockSystem = row.enabled === false ? null : openedBy(access, row)
  if (lockSystem?.kind !== 'online') return []
  const { line, fault, refusals = [] } = lockSystem.system.state()
  const judged = withRefusals({ ...lockSystemStates(fault)[line], state: line }, refusals)
  return [{ kind: 'lock-system', id: row.id, name: row.name, ...judged, waiting: 0 }]
}

/** The lock system; null when this build has no driver for it. The error appears when a key is requested. */
function openedBy({ systems }: Machines, row: AccessProvider): LockSystem | null {
  try {
    return systems.of(row)
  } catch (error) {
    if (error instanceof DeviceFault) return null
    throw error
  }
}

function serviceHealth({ services }: Health, { id, name }: KeyService): DeviceHealth[] {
  const found = services.stateOf(id)
  if (!found) return []
  const { line, fault, refusals } = found
  const judged = withRefusals({ ...serviceStates(fault)[line], state: line }, refusals)
  return [{ kind: 'key-service', id, name, ...judged, waiting: 0 }]
}

const notOpen: HealthJudgement = { status: 'warn', state: 'closed', messages: [{ code: 'device-not-open' }] }

type States = Record<'online' | 'starting' | 'offline', Omit<HealthJudgement, 'state'>>

const encoderStates: States = {
  online: { status: 'pass', messages: [] },
  starting: { status: 'warn', messages: [{ code: 'device-starting' }] },
  offline: { status: 'fail', messages: [{ code: 'device-offline' }] },
}

function lockSystemStates(fault: Error | null): States {
  const messages = [...failures(fault), { code: 'lock-system-away' as const }]
  return { ...encoderStates, offline: { status: 'fail', messages } }
}

/** The health of a key service by its line. A PMS that is not connected is a warning, not a failure. */
function serviceStates(fault: Error | null): States {
  const messages = [...failures(fault), { code: 'pms-line-away' as const }]
  return { ...encoderStates, offline: { status: 'warn', messages } }
}

function failures(fault: Error | null): Message[] {
  return fault ? [failureMessage(fault instanceof DeviceFault ? fault.code : '', fault.message)] : []
}

/** Adds refused connections to the health. A person must look at these, so the status is at least a warning. */
function withRefusals(
  { status, state, messages }: HealthJudgement,
  refusals: readonly Refusals[],
): HealthJudgement {
  if (refusals.length === 0) return { status, state, messages }
  const advice = [...messages, ...refusals.map(refusalMessage)]
  return { status: status === 'fail' ? 'fail' : 'warn', state, messages: advice }
}

function refusalMessage({ why, address, count }: Refusals): Message {
  const times: MessageValue = count === 1 ? '' : { code: 'times-within-hour', values: { count } }
  return { code: `refused-${why}`, values: { address, times } }
}

/** The health of a dispenser, the most severe condition first. */
function judge({ state, fault, overall, commandedState }: DispenserStatusAttributes): HealthJudgement {
  const health = (status: DeviceHealth['status'], ...messages: Message[]) => ({ status, state, messages })
  if (state === 'starting') return health('warn', { code: 'device-starting' })
  if (fault) return health('fail', failureMessage(fault.errorCode, fault.detail), ...fault.steps)
  if (overall === 'empty') return health('fail', ...recoverySteps('dispenser-empty'))
  if (overall === 'binFull') return health('fail', ...recoverySteps('dispenser-bin-full'))
  if (commandedState === 'inactive' || commandedState === 'maintenance')
    return health('warn', { code: 'dispenser-out-of-service', values: { state: commandedState } })
  if (overall === 'nearEmpty') return health('warn', { code: 'few-cards' })
  return health('pass')
}
