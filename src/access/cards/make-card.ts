import { DeviceFault } from '../../devices/fault.ts'
import type { Document, WriteOptions } from '../../resource/change.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access } from '../access.ts'
import { standing, suspect } from '../dispensers/machine-health.ts'
import type { DispenserHandle } from '../equipment/handles.ts'
import type { KeyOrder } from '../keys/key-order.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { type CardMaker, encoderMaker } from './card-maker.ts'
import { issueCard, type Progress, type Station } from './issue-card.ts'
import { lockSystemMaker } from './lock-system-maker.ts'
import { overwritable } from './overwritable.ts'

/** Makes a card through a controller whose turn it is: one that its dispenser feeds, or one that a hand lays down. */
export function makeCard(
  access: Access,
  controller: AccessController,
  order: KeyOrder,
  options: WriteOptions,
  progress: Progress,
): Promise<Document> {
  const { door } = access
  const { dispenserId } = controller
  const made = (dispenser: Station['dispenser']) =>
    withMaker(access, controller, order, progress, dispenser !== null, (maker) =>
      issueCard(door, { maker, dispenser }, order, options, progress),
    )
  return dispenserId ? fromDispenser(access, dispenserId, progress, made) : made(null)
}

/** The machine is the card's alone until it is at the gate; from then on it is busy with its guest. */
async function fromDispenser(
  { open, dispenserBy, watch }: Access,
  dispenserId: string,
  progress: Progress,
  make: (from: NonNullable<Station['dispenser']>) => Promise<Document>,
): Promise<Document> {
  const before = dispenserBy(dispenserId)
  const handle = open.dispenser(before)
  refuseUnfit(before, handle)
  try {
    return await open.make(handle, async (machine) => {
      const row = dispenserBy(dispenserId)
      refuseUnfit(row, handle)
      handle.activity = 'dispensing'
      try {
        const document = await make({ handle, machine })
        if (progress.begun) watch(handle, row, { runId: progress.begun.runId })
        return document
      } finally {
        handle.activity = null
      }
    })
  } catch (error) {
    suspect(handle.bay, 'dispenser', error)
    throw standing(handle, error)
  }
}

/** A dispenser gives out a card when it is in service and nobody's card waits at its gate. */
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

/** Whoever makes the controller's cards: our own encoder, or the lock system with one of its own. */
function withMaker<T>(
  { clock, systems, providerOf, reader, onEncoder }: Access,
  controller: AccessController,
  order: KeyOrder,
  progress: Progress,
  isFed: boolean,
  work: (maker: CardMaker) => Promise<T>,
): Promise<T> {
  const found = systems.of(providerOf(controller))
  if (found.kind === 'online')
    return work(lockSystemMaker({ clock, system: found.system, controller, order, progress, isFed }))
  const expectOverwritable = overwritable(reader, order)
  return onEncoder(controller, (station) =>
    work(encoderMaker({ station, order, progress, isFed, expectOverwritable })),
  )
}
