import { DeviceFault } from '../../devices/fault.ts'
import { ModuleMissing } from '../../devices/native-modules.ts'
import { type Refusals, refusalText } from '../../devices/network/visitors.ts'
import type { Access, Machines, Work } from '../access.ts'
import { type DispenserStatusAttributes, look, recovery, statusSeen } from '../dispensers/dispenser-status.ts'
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
  /** The advice; null when all is well. */
  output: string | null
  /** The number of requests at the device, including the running one. */
  waiting: number
}

export type HealthJudgement = Pick<DeviceHealth, 'status' | 'state' | 'output'>

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
    return { status: 'fail', state, output: bay.lastFault.message }
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

const notOpen: HealthJudgement = {
  status: 'warn',
  state: 'closed',
  output: 'The device is not open. Its next use opens it.',
}

const encoderStates = {
  online: { status: 'pass', output: null },
  starting: { status: 'warn', output: 'The device is starting. Wait a moment.' },
  offline: {
    status: 'fail',
    output: 'The device does not answer. Check its power and its cable. It is connected again automatically.',
  },
} as const satisfies Record<string, Omit<HealthJudgement, 'state'>>

type States = Record<'online' | 'starting' | 'offline', Omit<HealthJudgement, 'state'>>

function lockSystemStates(fault: Error | null): States {
  const why = fault ? `${sentence(fault.message)} ` : ''
  return {
    ...encoderStates,
    offline: {
      status: 'fail',
      output: `${why}The lock system does not answer, so no key can be made; existing keys still open. Check the lock system, its gateway and the network. It is connected again automatically.`,
    },
  }
}

/** The health of a key service by its line. A PMS that is not connected is a warning, not a failure. */
function serviceStates(fault: Error | null): States {
  const why = fault ? `${sentence(fault.message)} ` : ''
  return {
    ...encoderStates,
    offline: {
      status: 'warn',
      output: `${why}The PMS is not connected, so it cannot order keys. Check the PMS and its line. Until then, make keys at the front desk.`,
    },
  }
}

/** Adds refused connections to the health. A person must look at these, so the status is at least a warning. */
function withRefusals(
  { status, state, output }: HealthJudgement,
  refusals: readonly Refusals[],
): HealthJudgement {
  if (refusals.length === 0) return { status, state, output }
  const advice = [output, ...refusals.map(refusalText)].filter(Boolean).join(' ')
  return { status: status === 'fail' ? 'fail' : 'warn', state, output: advice }
}

/** The health of a dispenser, the most severe condition first. */
function judge({ state, fault, overall, commandedState }: DispenserStatusAttributes): HealthJudgement {
  const health = (status: DeviceHealth['status'], output: string | null) => ({ status, state, output })
  if (state === 'starting') return health('warn', 'The device is starting. Wait a moment.')
  if (fault) return health('fail', [sentence(fault.detail), ...fault.recovery].join(' '))
  if (overall === 'empty') return health('fail', steps('dispenser-empty'))
  if (overall === 'binFull') return health('fail', steps('dispenser-bin-full'))
  if (commandedState === 'inactive' || commandedState === 'maintenance')
    return health(
      'warn',
      `The dispenser was set to ${commandedState} and gives out no cards. Set it to active to use it.`,
    )
  if (overall === 'nearEmpty') return health('warn', 'Few cards are left. Refill the stacker soon.')
  return health('pass', null)
}

/** Ends a fault's text with a period, as some drivers do not. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function steps(code: string): string {
  return (recovery[code] ?? []).join(' ')
}
