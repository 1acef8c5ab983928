import { DeviceFault } from '../../devices/fault.ts'
import type { Document } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access } from '../access.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import { resetIfStuck, withStartReason } from '../dispensers/machine-health.ts'
import type { KeyJob } from '../keys/orders/job.ts'
import { dispenserBy } from '../lookups.ts'
import { lockSystemOf } from '../providers/lock-system-of.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { onEncoder } from './at-encoder.ts'
import type { Feeder, Making } from './card-maker.ts'
import { encoderMaker } from './encoder-maker.ts'
import { issueCard, issueOnTrial } from './issue-card.ts'
import { lockSystemMaker } from './lock-system-maker.ts'
import { watchGate } from './watch-gate.ts'

/** The result of making a card. */
interface Made<T> {
  result: T
  /** The issuance of the card that now waits at the gate; null when none waits. */
  presented: string | null
}

/** Makes a card, fed by the controller's dispenser or laid down by a person. Resolves with the key's document. */
export function makeCard(access: Access, wanted: KeyJob): Promise<Document> {
  const { order, options, job } = wanted
  return withMachine(access, wanted, async (making) => {
    const { document, runId } = await issueCard(access.writer, making, order, options, job)
    return { result: document, presented: runId }
  })
}

/** Makes a card, then erases and captures it once it is proven. Resolves with whether it is proven blank. */
export function makeTrialCard(access: Access, wanted: KeyJob): Promise<boolean> {
  const { order, options, job } = wanted
  return withMachine(access, wanted, async (making) => {
    const isErased = await issueOnTrial(access.writer, making, order, options, job)
    return { result: isErased, presented: null }
  })
}

/**
 * Reserves the controller's dispenser, if it has one, until the card is at the gate. After that, the dispenser refuses
 * other cards until the guest has taken this one.
 */
async function withMachine<T>(
  access: Access,
  wanted: KeyJob,
  make: (making: Making) => Promise<Made<T>>,
): Promise<T> {
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
        const { result, presented } = await withMaker(access, wanted, { handle, machine }, make)
        if (presented !== null) void watchGate(access, handle, row, { runId: presented })
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
  make: (making: Making) => Promise<T>,
): Promise<T> {
  const { clock, reader } = access
  const { controller } = wanted
  const options = { ...wanted, clock, reader, isFed: dispenser !== null }
  const found = lockSystemOf(access, controller)
  if (found.kind === 'online')
    return make({ maker: lockSystemMaker({ ...options, system: found.system }), dispenser })
  return onEncoder(access, controller, (station) =>
    make({ maker: encoderMaker({ ...options, station }), dispenser }),
  )
}
