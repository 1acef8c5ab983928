import { bay } from '../../devices/bay/bay.ts'
import type { CardDispenser } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import { LineTrouble } from '../../devices/wires/line-trouble.ts'
import type { AddressedDevice } from '../resources/device-address.ts'
import { bayOptions, type DispenserHandle } from './device-handle.ts'
import type { DeviceLine } from './device-lines.ts'
import type { Workshop } from './workshop.ts'

/** Recovers unfinished cards before a dispenser may be used. */
export type Recover = (handle: DispenserHandle, machine: CardDispenser) => Promise<void>

interface StartOptions {
  workshop: Workshop
  line: DeviceLine<'dispenser'>
  /** Resolves when the line is free of an earlier handle of the dispenser. */
  left(): Promise<void> | undefined
  /** Resolves when the card that an earlier job was making has ended, successfully or not. */
  cardEnded(): Promise<unknown> | undefined
  /** Called when the machine has answered on its line, on which an encoder may stand. */
  answered(): void
  recover: Recover
}

/** Opens a dispenser, which connects, and reconnects after a loss. Each attempt first waits for `left`. */
export function startDispenser(options: StartOptions, dispenser: AddressedDevice): DispenserHandle {
  const { workshop, line, left } = options
  const { clock } = workshop
  const handle: DispenserHandle = {
    id: dispenser.id,
    bay: bay<CardDispenser>({
      ...bayOptions(workshop, dispenser),
      offlineCode: 'dispenser-offline',
      // Each start of a machine that answers moves its mechanics, so a waiting job does not bring the next start
      // forward.
      standsStill: (fault) => fault instanceof DeviceFault && fault.code !== 'dispenser-offline',
      open: async (signal) => {
        await left()
        return line.open(signal).catch((error) => {
          // Without a line, the state of the machine is unknown, including its last fault.
          handle.fault = null
          throw error
        })
      },
      started: (machine) => begin(options, handle, machine),
    }),
    openedAt: clock.now(),
    clock,
    identity: null,
    starts: 0,
    restartRequested: false,
    acceptance: null,
    activity: null,
    guest: null,
    fault: null,
    seen: null,
    positions: [],
  }
  return handle
}

async function begin(
  { line, answered, cardEnded, recover }: StartOptions,
  handle: DispenserHandle,
  machine: CardDispenser,
): Promise<void> {
  try {
    handle.starts++
    // A card in the path is moved only when its issuance is known.
    handle.identity = await line.firstAnswer(machine.initialise('leave'))
    // An encoder on the same line could not start before, and the recovery may need it.
    answered()
    handle.positions = machine.positions
    // A job that lost the machine stores what it knows of its card first.
    await cardEnded()
    await recover(handle, machine)
    handle.fault = null
    handle.restartRequested = false
  } catch (error) {
    const before = handle.fault
    if (error instanceof DeviceFault) {
      // The same fault again keeps its earlier start time.
      const since = before?.fault.code === error.code ? before.since : handle.clock.now()
      handle.fault = { fault: error, since }
    } else if (error instanceof LineTrouble) handle.fault = null
    throw error
  }
}
