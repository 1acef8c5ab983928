import {
  type CardDispenser,
  type CardPosition,
  type DispenserStatus,
  type Position,
  positions,
} from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Clock } from '../../host/clock.ts'
import { type Answer, noContent, type Request } from '../../jsonapi/route.ts'
import { withoutDryRun } from '../../jsonapi/write-options.ts'
import type { WriteOptions } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access, Machines, Property } from '../access.ts'
import { antennaIn } from '../cards/antenna.ts'
import { captureCard } from '../cards/capture-card.ts'
import { expectLive } from '../cards/card-in-path.ts'
import { lookInPath } from '../cards/card-seen.ts'
import { watchGate } from '../cards/gate.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import { dispenserBy } from '../lookups.ts'
import type { Dispenser } from '../resources/dispenser.ts'
import { fedCard } from './dispenser-changes.ts'
import { failedAt } from './machine-health.ts'

/** Whoever asks waits no longer for the sensors, even if a machine goes on working a bent card. */
const confirmsWithinMs = 8_000

const activities: Record<Position, NonNullable<DispenserHandle['activity']>> = {
  encoder: 'dispensing',
  chip: 'dispensing',
  front: 'presenting',
  eject: 'presenting',
  hold: 'capturing',
  capture: 'capturing',
  stacker: 'capturing',
}

const feeds = (to: Position) => to === 'encoder' || to === 'chip'
const givesOut = (to: Position) => to === 'front' || to === 'eject'

/** PUT place-card/{cardPosition}: answers once the machine's sensors confirm that the card is there. */
export async function placeCard(access: Access, request: Request, row: Dispenser): Promise<Answer> {
  const position = positions.find((each) => each === request.params.cardPosition)
  if (!position) {
    throw new Problem('unknown-position', 'There is no such position.', { meta: { allowed: positions } })
  }
  const options = withoutDryRun(request)
  const handle = access.devices.dispenser(row)
  const way = { isMoving: false, isLate: false }
  if (position === 'front' && isPresented(handle)) return noContent()
  expectMovable(position, row, handle)
  const moved = handle.bay.use(async (machine) => {
    // A card may have been made while this waited for its turn.
    if (position === 'front' && isPresented(handle)) return
    expectMovable(position, dispenserBy(access, row.id), handle)
    expectReachable(position, machine)
    // Whoever asks for the status meanwhile is answered at once.
    handle.activity = activities[position]
    try {
      const card = await lookInPath(handle, machine)
      if (card === 'none' && !feeds(position)) throw new Problem('no-card-in-path', 'No card is in the path.')
      const uid = givesOut(position) ? await expectLive(access, row, request.caller) : null
      if (way.isLate) return
      way.isMoving = true
      await carry(access, { machine, handle, row, position, card, uid, options })
    } finally {
      handle.activity = null
    }
  })
  moved.catch((error) => {
    void failedAt(access, handle, error)
    // Nobody else hears of it then.
    if (way.isLate && !(error instanceof DeviceFault || error instanceof Problem)) access.failed(error)
  })
  await within(access.clock, confirmsWithinMs * (row.device.patience ?? 1), moved, () => {
    way.isLate = true
    if (!way.isMoving) return new DeviceFault('encoder-busy', `${row.name} is busy; nothing was moved.`)
    return new DeviceFault('dispenser-timeout', `${row.name} did not confirm the position ${position}.`)
  })
  return noContent()
}

/** The card that was made is at the gate, or on its way there: that is where it was asked for. */
function isPresented({ guest, activity }: DispenserHandle): boolean {
  return guest !== null || activity === 'presenting'
}

function expectReachable(position: Position, machine: CardDispenser): void {
  if (machine.positions.includes(position)) return
  throw new Problem('position-not-supported', `This model has no position ${position}.`, {
    meta: { supported: machine.positions },
  })
}

/** A card is fed only in service, and none is moved that is on its way to a guest. */
function expectMovable(
  position: Position,
  { name, commandedState }: Dispenser,
  { guest, activity }: DispenserHandle,
): void {
  if (feeds(position) && (commandedState ?? 'active') !== 'active')
    throw new DeviceFault(
      'dispenser-inactive',
      `${name} is ${commandedState}; a card is fed only in service.`,
    )
  if (guest || activity) throw new Problem('dispenser-busy-with-guest', 'A card is on its way to a guest.')
}

interface Carried {
  machine: CardDispenser
  handle: DispenserHandle
  row: Dispenser
  position: Position
  /** Where it was before. */
  card: CardPosition
  uid: string | null
  options: WriteOptions
}

/** Moves the card and writes down what that changes. What comes within reach is watched, however late it is there. */
async function carry(access: Property & Machines, carried: Carried): Promise<void> {
  const { machine, handle, row, position, card, uid, options } = carried
  const { writer } = access
  const { actor } = options
  const watchAtGate = (seen: DispenserStatus | null) => {
    if (seen?.card === 'gate') void watchGate(access, handle, row, { runId: null, uid, actor })
  }
  try {
    if (position === 'capture' || position === 'stacker') {
      const antenna = antennaIn(access, row.id)
      await captureCard(writer, { handle, machine, card, antenna, to: position, actor })
      return
    }
    const after = await machine.move(position)
    if (givesOut(position)) watchAtGate(after)
    if (card === 'none') await writer.execute(fedCard, { dispenserId: row.id }, { actor })
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    // A card that jams on its way from the encoder may be anywhere.
    if (error.code === 'dispenser-jam') error.outcomeUnknown = card !== 'none'
    if (givesOut(position)) watchAtGate(await machine.status().catch(() => null))
    throw error
  }
}

/** What `work` comes to, or what `late` says when the time is over before. */
async function within<T>(clock: Clock, ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const tooLate = Promise.withResolvers<never>()
  const timer = clock.setTimeout(() => tooLate.reject(late()), ms)
  try {
    return await Promise.race([work, tooLate.promise])
  } finally {
    timer.cancel()
  }
}
