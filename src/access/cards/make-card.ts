import { DeviceFault } from '../../devices/fault.ts'
import type { Document, Writer } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access } from '../access.ts'
import { resetIfStuck, withStartReason } from '../dispensers/machine-health.ts'
import type { DispenserHandle } from '../handles/device-handle.ts'
import type { KeyJob } from '../keys/orders/job.ts'
import { dispenserBy } from '../lookups.ts'
import { lockSystemOf } from '../providers/lock-system-of.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { onEncoder } from './at-encoder.ts'
import type { Feeder, Making } from './card-maker.ts'
import { encoderMaker } from './encoder-maker.ts'
import { issueCard, issueOnTrial, type Made } from './issue-card.ts'
import { lockSystemMaker } from './lock-system-maker.ts'
import { watchGate } from './watch-gate.ts'

/** Makes a card, fed by the controller's dispenser or laid down by a person. Resolves with the key's document. */
export function makeCard(access: Access, wanted: KeyJob): Promise<Document> {
  return withMachine(access, wanted, issueCard)
}

/** Makes a card, then erases and captures it once it is proven. Resolves with whether it is proven blank. */
export function makeTrialCard(access: Access, wanted: KeyJob): Promise<boolean> {
  return withMachine(access, wanted, issueOnTrial)
}

/** Makes a card with its maker and its dispenser. */
type Make<T> = (writer: Writer, making: Making, wanted: KeyJob) => Promise<Made<T>>

/**
 * Reserves the controller's dispenser, if it has one, until the card is at the gate. After that, the dispenser refuses
 * other cards until the guest has taken this one.
 */
async function withMachine<T>(access: Access, wanted: KeyJob, make: Make<T>): Promise<T> {
  const { dispenserId } = wanted.controller
  if (!dispenserId) return (await withMaker(access, wanted, null, make)).result
  const { devices } = access
  const before = dispenserBy(access, dispenserId)
  const handle = devices.dispenser(before)
  refuseUnfit(before, handle)
  try {
    return await devices.make(handle, async (machine) => {
      const row = dispenserBy(access, dispenserId)
      refuseUnfit(row, handle)
      handle.activity = 'dispensing'
      try {
        const { result, issued } = await withMaker(access, wanted, { handle, machine }, make)
        if (issued !== null) void watchGate(access, handle, row, { runId: issued })
        return result
      } finally {
        handle.activity = null
      }
    })
  } catch (error) {
    resetIfStuck(handle.bay, 'dispenser', error)
    throw withStartReason(handle, error)
  }
}

/** Throws unless the dispenser is in service and no card waits at its gate. */
function refuseUnfit({ commandedState }: Dispenser, { guest }: DispenserHandle): void {
  if ((commandedState ?? 'active') !== 'active') {
    throw new DeviceFault('dispenser-inactive', `The dispenser is ${commandedState}.`)
  }
  if (guest) {
    throw new Problem('dispenser-busy-with-guest', 'A card waits at the gate for its guest.', {
      meta: { retryAfterSeconds: 3, until: new Date(guest.deadline).toISOString() },
    })
  }
}

/** Chooses the maker of the controller's cards: an encoder of this appliance, or one of the lock system. */
function withMaker<T>(
  access: Access,
  wanted: KeyJob,
  dispenser: Feeder | null,
  make: Make<T>,
): Promise<Made<T>> {
  const { clock, reader, writer } = access
  const { controller } = wanted
  const options = { ...wanted, clock, reader, isFed: dispenser !== null }
  const found = lockSystemOf(access, controller)
  if (found.kind === 'online')
    return make(writer, { maker: lockSystemMaker({ ...options, system: found.system }), dispenser }, wanted)
  return onEncoder(access, controller, (station) =>
    make(writer, { maker: encoderMaker({ ...options, station }), dispenser }, wanted),
  )
}
