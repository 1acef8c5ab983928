import { unlessAborted } from '../../../devices/at-most.ts'
import {
  type CardPosition,
  type DispenserStatus,
  type Position,
  positions,
} from '../../../devices/capability.ts'
import { DeviceFault } from '../../../devices/fault.ts'
import type { Answer, Caller, Request } from '../../../jsonapi/route.ts'
import { expectSeen, noContent, withoutDryRun } from '../../../jsonapi/write-options.ts'
import type { Actor } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Access, Machines } from '../../access.ts'
import { antennaIn } from '../../cards/antenna.ts'
import { atEncoder } from '../../cards/at-encoder.ts'
import { captureCard } from '../../cards/capture-card.ts'
import { uidText } from '../../cards/card-in-field.ts'
import type { Feeder } from '../../cards/card-maker.ts'
import { watchGate } from '../../cards/watch-gate.ts'
import type { DispenserHandle } from '../../handles/device-handle.ts'
import { faultBehind } from '../../handles/device-problem.ts'
import { keysOnCard } from '../../keys/life/keys-on-card.ts'
import { controllerIn, dispenserBy } from '../../lookups.ts'
import type { Dispenser } from '../../resources/dispenser.ts'
import { lookInPath } from '../card-seen.ts'
import { fedCard } from '../dispenser-commands.ts'
import { expectNoGuest, failedAt } from '../machine-health.ts'

/** The longest wait for the sensors, times the patience of the device. The machine may still work on a bent card. */
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

/**
 * PUT place-card/{cardPosition}: moves the card and answers once the machine's sensors confirm the position. Rejects
 * after 8 s, times the patience of the device: with encoder-busy when nothing was moved, otherwise with
 * dispenser-timeout.
 */
export async function placeCard(access: Access, row: Dispenser, request: Request): Promise<Answer> {
  const position = positions.find((each) => each === request.params.cardPosition)
  if (!position)
    throw new Problem('unknown-position', 'position is not one of the allowed positions.', {
      meta: { allowed: positions },
    })
  const { actor } = withoutDryRun(request)
  expectSeen(request, row)
  const handle = access.devices.dispenser(row)
  if (!isToMove(position, row, handle)) return noContent(row.revision)
  const late = new AbortController()
  let isMoving = false
  const moved = handle.bay.use(async (machine) => {
    // A card may have been made while this request waited.
    if (!isToMove(position, dispenserBy(access, row.id), handle)) return
    const supported = machine.positions
    if (!supported.includes(position))
      throw new Problem('position-not-supported', `This model has no position ${position}.`, {
        meta: { supported },
      })
    // Status requests are answered at once while `activity` is set.
    handle.activity = activities[position]
    try {
      const card = await lookInPath(handle, machine)
      if (card === 'none' && !feeds(position)) throw new Problem('no-card-in-path', 'No card is in the path.')
      const uid = givesOut(position) ? await expectLive(access, row, request.caller) : null
      if (late.signal.aborted) return
      isMoving = true
      await carry(access, { handle, machine }, row, { position, card, uid, actor })
    } finally {
      handle.activity = null
    }
  })
  moved.catch((error) => {
    void failedAt(access, handle, error)
    // The caller was answered before, so the error is reported here.
    if (late.signal.aborted && !(error instanceof DeviceFault || error instanceof Problem))
      access.failed(error)
  })
  const timer = access.clock.setTimeout(
    () => late.abort(lateFault(row, position, isMoving)),
    confirmsWithinMs * (row.device.patience ?? 1),
  )
  await unlessAborted(moved, late.signal).finally(timer.cancel)
  return noContent(dispenserBy(access, row.id).revision)
}

/** The fault for a caller whose time is over. */
function lateFault({ name }: Dispenser, position: Position, isMoving: boolean): DeviceFault {
  if (!isMoving) return new DeviceFault('encoder-busy', `${name} is busy, so no card was moved. Try again.`)
  return new DeviceFault(
    'dispenser-timeout',
    `${name} did not confirm that the card is at ${position}. Read its status.`,
  )
}

/**
 * Whether a card is to be moved: false when the issued card is at the requested gate or on its way there. Throws when
 * the dispenser is not in service and a card is to be fed, and when a card is on its way to a guest.
 */
function isToMove(position: Position, { name, commandedState }: Dispenser, handle: DispenserHandle): boolean {
  if (position === 'front' && (handle.guest || handle.activity === 'presenting')) return false
  if (feeds(position) && (commandedState ?? 'active') !== 'active')
    throw new DeviceFault(
      'dispenser-inactive',
      `${name} is ${commandedState}; a card is fed only in the state active.`,
    )
  expectNoGuest(handle)
  return true
}

/**
 * Reads the card in the path and expects a live key on it; only such a card may be presented. Resolves with its serial
 * number, null where it cannot be read. Throws key-not-live, unless the caller may service the machine.
 */
async function expectLive(access: Access, row: Dispenser, caller: Caller): Promise<string | null> {
  const services = caller.may('dispensers.service')
  const uid = await uidInPath(access, row).catch((error) => {
    if (services && faultBehind(error)) return null
    throw error
  })
  if (services || (uid !== null && keysOnCard(access, uid, 'live').length > 0)) return uid
  throw new Problem('key-not-live', 'The card in the path holds no live key.', {
    meta: { scope: 'dispensers.service' },
  })
}

/** The serial number of the card at the encoder; null without one, or without an encoder. */
async function uidInPath(access: Access, { id }: Dispenser): Promise<string | null> {
  const controller = controllerIn(access, id)
  if (!controller) return null
  const found = await atEncoder(access, controller, async ({ encoder }) => {
    const card = await encoder.find()
    await encoder.off()
    return card
  })
  return found && uidText(found)
}

interface Placement {
  position: Position
  /** Where the card was before the motion. */
  card: CardPosition
  uid: string | null
  actor: Actor
}

/** Moves the card and stores the effect. A card at the gate is watched, even if the motion fails or is late. */
async function carry(
  access: Machines,
  { handle, machine }: Feeder,
  row: Dispenser,
  { position, card, uid, actor }: Placement,
): Promise<void> {
  const { writer } = access
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
    // A jammed card may be anywhere if it had been at the encoder.
    if (error.code === 'dispenser-jam') error.outcomeUnknown = card !== 'none'
    if (givesOut(position)) watchAtGate(await machine.status().catch(() => null))
    throw error
  }
}
