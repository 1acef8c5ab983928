import { type Bay, bay } from '../../devices/bay/bay.ts'
import type { CardDispenser } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import type { CardsInMaking } from './cards-in-making.ts'
import type { DeviceAddress } from './device-address.ts'
import { bayOptions, type DispenserHandle } from './device-handle.ts'
import type { DeviceLine, DeviceLines } from './device-lines.ts'
import type { OpenEncoders } from './open-encoders.ts'
import type { Workshop } from './workshop.ts'

/** Recovers unfinished cards before a dispenser may be used. */
export type Recover = (handle: DispenserHandle, machine: CardDispenser) => Promise<void>

/** The parts that a dispenser needs to start. */
interface StartOptions {
  workshop: Workshop
  lines: DeviceLines
  making: CardsInMaking
  /** The encoders, one of which may stand on the dispenser's line. */
  encoders: Pick<OpenEncoders, 'retryOn'>
  recover: Recover
}

/**
 * Opens a dispenser, which connects, and reconnects after a loss. Each attempt first waits for the promise that `left`
 * returns.
 */
export function startDispenser(
  options: StartOptions,
  row: Dispenser,
  left: () => Promise<void> | undefined,
): DispenserHandle {
  const { workshop, lines } = options
  const line = lines.of('dispenser', row.name, row.device)
  const open = async (signal: AbortSignal) => {
    await left()
    return line.open(signal).catch((error) => {
      // Without a line, the state of the machine is unknown, including its last fault.
      handle.fault = null
      throw error
    })
  }
  const handle = idle(
    workshop,
    row,
    bay<CardDispenser>({
      ...bayOptions(workshop, row.name, row.device),
      offlineCode: 'dispenser-offline',
      // Each start of a machine that answers moves its mechanics, so a waiting job does not bring the next start
      // forward.
      standsStill: (fault) => fault instanceof DeviceFault && fault.code !== 'dispenser-offline',
      open,
      started: (machine) => begin(options, handle, row.device, machine, line),
    }),
  )
  return handle
}

function idle({ clock }: Workshop, { id }: Dispenser, dispenserBay: Bay<CardDispenser>): DispenserHandle {
  return {
    id,
    bay: dispenserBay,
    openedAt: clock.now(),
    clock,
    identity: null,
    starts: 0,
    restartRequested: false,
    acceptances: 0,
    activity: null,
    guest: null,
    fault: null,
    seen: null,
    positions: [],
  }
}

async function begin(
  { encoders, making, recover }: StartOptions,
  handle: DispenserHandle,
  { path }: DeviceAddress,
  machine: CardDispenser,
  line: DeviceLine<'dispenser'>,
): Promise<void> {
  try {
    handle.starts++
    // A card in the path is moved only when its issuance is known.
    handle.identity = await machine.initialise('leave')
    line.answered()
    // An encoder on the same line could not start before, and the recovery may need it.
    encoders.retryOn(path)
    handle.positions = machine.positions
    // A job that lost the machine stores what it knows of its card first.
    await making.ended(handle.id)
    await recover(handle, machine)
    handle.fault = null
    handle.restartRequested = false
  } catch (error) {
    if (error instanceof DeviceFault) stand(handle, error)
    throw error
  }
}

/** Stores the fault of the machine. The same fault again keeps its earlier start time. */
function stand(handle: DispenserHandle, fault: DeviceFault): void {
  const same = handle.fault?.fault.code === fault.code
  handle.fault = { fault, since: same && handle.fault ? handle.fault.since : handle.clock.now() }
}
