import type { Loop } from '../../host/background-work.ts'
import type { Clock } from '../../host/clock.ts'
import type { Actor } from '../../resource/command.ts'
import type { Access } from '../access.ts'
import { watchGate } from '../cards/watch-gate.ts'
import { correctedCards, type DispenserAlarm, foundDispenser } from '../dispensers/dispenser-commands.ts'
import { isStuck, levelsOf, look } from '../dispensers/dispenser-status.ts'
import { type AlarmStates, type ControllerAlarm, foundController, isNews } from '../handles/device-alarms.ts'
import type { DispenserHandle } from '../handles/device-handle.ts'
import { allOf } from '../lookups.ts'
import { type AccessController, accessController } from '../resources/access-controller.ts'
import { accessProvider } from '../resources/access-provider.ts'
import { type Dispenser, dispenser } from '../resources/dispenser.ts'

const actor: Actor = { by: 'device-watch', requestId: null }

/** The interval between comparisons of the known state, which send nothing to a device. */
const compareEveryMs = 1_000
/** The age of an idle dispenser's status after which a new one is requested, and the time from start to opening. */
const lookEveryMs = 10_000
/** A device is reported as absent after this time, not after a shorter absence such as a reset or a moved plug. */
const awayForMs = 10_000

type Watch = ReturnType<typeof newWatch>

/** The state of the watch between comparisons. */
function newWatch(access: Access) {
  return {
    access,
    /** Its start, and that of each device's absence, in milliseconds of the monotonic clock. */
    started: access.clock.monotonic(),
    away: new Map<string, number>(),
    /** The status that last corrected each count. Each is used once: cards are fed between two of them. */
    corrected: new Map<string, DispenserHandle['seen']>(),
    /** Dispensers in maintenance: their last status may be older than the work on them. */
    muted: new Set<string>(),
    /** Devices with a running status request or write. */
    atWork: new Set<string>(),
  }
}

/**
 * Detects changes of the devices between requests, and publishes them. It opens devices that are not open, and closes
 * those that are no longer configured, and the lock systems. It sends nothing to a dispenser while a card is on its way.
 */
export function deviceWatch(access: Access): Pick<Loop, 'close'> {
  const watch = newWatch(access)
  return access.background.every('devices', compareEveryMs, () => compare(watch))
}

function compare(watch: Watch): void {
  const { access } = watch
  const { devices } = access
  const dispensers = allOf(access, dispenser)
  for (const row of dispensers) compareDispenser(watch, row)
  for (const { id } of devices.openDispensers())
    if (!dispensers.some((row) => row.id === id)) devices.drop(id)
  access.systems.keepOnly(allOf(access, accessProvider).map(({ id }) => id))
  const controllers = allOf(access, accessController)
  for (const row of controllers) compareController(watch, row)
  for (const id of devices.openEncoders()) {
    const hasDevice = controllers.some((row) => row.id === id && row.device?.path)
    if (!hasDevice && access.lines.queued(id) === 0) devices.dropEncoder(id)
  }
}

function compareController(watch: Watch, row: AccessController): void {
  const { devices, lines, writer, clock } = watch.access
  const hasDevice = Boolean(row.device?.path)
  const isKnown = devices.encoderAt(row.id) !== null
  // A changed configuration takes effect when the queue of the controller is empty.
  if (hasDevice && (isKnown ? lines.queued(row.id) === 0 : isDue(clock, watch.started))) devices.encoder(row)
  const isOnline = devices.encoderAt(row.id)?.bay.state() === 'online'
  const isGone = hasDevice && isLongAway(watch, row.id, isOnline)
  const found: AlarmStates<ControllerAlarm> = {
    ...(hasDevice && (isOnline || isGone) && { offline: isGone }),
    // Only the end of `busy` is found here; the request that found the device busy reports the beginning.
    ...(lines.queued(row.id) === 0 && { busy: false }),
  }
  if (watch.atWork.has(row.id) || !isNews(row.alarms, found)) return
  write(watch, row.id, writer.execute(foundController, { controllerId: row.id, found }, { actor }))
}

function compareDispenser(watch: Watch, row: Dispenser): void {
  const { access, atWork, muted } = watch
  const { devices, clock } = access
  const known = devices.dispenserAt(row.id)
  if (known ? isIdle(known) : isDue(clock, watch.started)) devices.dispenser(row)
  const handle = devices.dispenserAt(row.id)
  if (!handle) return
  const isMuted = row.commandedState === 'maintenance'
  // Otherwise no job watches a card at the gate: a person has put it there.
  const isAttended = isMuted || row.commandedState === 'accepting'
  if (isAtRest(handle) && !isAttended && handle.seen?.status.card === 'gate')
    void watchGate(access, handle, row, { runId: null })
  if (atWork.has(row.id)) return
  if (isMuted) muted.add(row.id)
  const mustLook =
    isAtRest(handle) &&
    ((!isMuted && muted.delete(row.id)) || isDue(clock, handle.seen?.looked ?? watch.started))
  write(watch, row.id, mustLook ? lookAgain(watch, row, handle) : compareSeen(watch, row, handle))
}

async function lookAgain(watch: Watch, { id }: Dispenser, handle: DispenserHandle): Promise<void> {
  await look(handle)
  const row = watch.access.reader.row(dispenser, id)
  if (row) await compareSeen(watch, row, handle)
}

/** Stores and publishes the differences; null when there are none. */
function compareSeen(watch: Watch, row: Dispenser, handle: DispenserHandle): Promise<null> | null {
  const { access, corrected } = watch
  const isAway = isLongAway(watch, row.id, handle.bay.state() === 'online')
  const { found, hasCards } = foundAt(row, handle, isAway)
  const sensed = handle.seen !== corrected.get(row.id) ? hasCards : null
  corrected.set(row.id, handle.seen)
  const cards = row.estimatedCards ?? null
  const isMuted = row.commandedState === 'maintenance'
  const isNew = (!isMuted && isNews(row.alarms, found)) || correctedCards(cards, sensed) !== cards
  const input = { dispenserId: row.id, found, hasCards: sensed }
  return isNew ? access.writer.execute(foundDispenser, input, { actor }) : null
}

/** Whether a device has been absent for 10 s or more. It ends the absence of a device that is online. */
function isLongAway({ access, away }: Watch, id: string, isOnline: boolean): boolean {
  if (isOnline) return away.delete(id) && false
  const now = access.clock.monotonic()
  const since = away.get(id) ?? now
  away.set(id, since)
  return now - since >= awayForMs
}

/** Whether 10 s have passed since an instant, which is in milliseconds of the monotonic clock. */
function isDue({ monotonic }: Clock, since: number): boolean {
  return monotonic() - since >= lookEveryMs
}

function write({ access, atWork }: Watch, id: string, work: Promise<unknown> | null): void {
  if (!work) return
  atWork.add(id)
  work.catch(access.failed).finally(() => atWork.delete(id))
}

/** Whether the dispenser is online and idle. A card on its way or at the gate is watched by its own job. */
function isAtRest(handle: DispenserHandle): boolean {
  return handle.bay.state() === 'online' && isIdle(handle)
}

function isIdle({ activity, guest }: DispenserHandle): boolean {
  return activity === null && guest === null
}

function foundAt(row: Dispenser, { bay, fault, seen }: DispenserHandle, isAway: boolean) {
  // A device that does not answer is offline, whatever the state of its line.
  const lasting = fault && fault.fault.code !== 'dispenser-offline' ? fault.fault : null
  const isOnline = bay.state() === 'online'
  if (!isOnline && !lasting) return { found: isAway ? { offline: true } : {}, hasCards: null }
  const { stacker, bin, hasCards } = levelsOf(row, seen?.status ?? null, lasting)
  const found: AlarmStates<DispenserAlarm> = {
    offline: false,
    fault: lasting !== null,
    jammed: isStuck(lasting),
    ...(stacker !== 'unknown' && {
      'stacker-low': stacker === 'nearEmpty' || stacker === 'empty',
      'stacker-empty': stacker === 'empty',
    }),
    ...(bin !== 'unknown' && { 'bin-full': bin === 'full' }),
  }
  return { found, hasCards: seen ? hasCards : null }
}
