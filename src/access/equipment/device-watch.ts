import type { Clock } from '../../host/clock.ts'
import type { Actor } from '../../resource/change.ts'
import type { Access } from '../access.ts'
import { correctedCards, type DispenserAlarm, foundDispenser } from '../dispensers/dispenser-alarms.ts'
import { isStuck, levelsOf, look } from '../dispensers/dispenser-status.ts'
import { type AccessController, accessController } from '../resources/access-controller.ts'
import { type Dispenser, dispenser } from '../resources/dispenser.ts'
import { type ControllerAlarm, foundController } from './controller-alarms.ts'
import { type Found, isNews } from './device-alarms.ts'
import type { DispenserHandle } from './handles.ts'

const actor: Actor = { by: 'device-watch', requestId: null }

/** What is known already is compared so often: that asks no device anything. */
const compareEveryMs = 1_000
/** A dispenser at rest is asked how it is when nobody has asked for so long. */
const lookEveryMs = 10_000
/** A device that is away is told of when it has not come back within this: a reset, or a plug that was moved, is no news. */
const awayForMs = 10_000

/**
 * Notices what happens to the devices while nobody asks, and has it told. It opens those that nobody has opened yet, and
 * closes those that are no longer set up. A dispenser is not disturbed while a card is on its way.
 */
export function deviceWatch(access: Access, clock: Clock): { close(): void } {
  const { monotonic } = clock
  const { reader, door, open, queued, failed } = access
  const all = { filters: [], sort: [], page: { size: 1_000 } }
  const started = monotonic()
  /** Since when each device is away, by its id. */
  const away = new Map<string, number>()
  /** The look by which the count of each stacker was corrected last: cards are fed between two looks. */
  const corrected = new Map<string, DispenserHandle['seen']>()
  /** Those in maintenance: what is seen of them may be of before somebody worked on them. */
  const muted = new Set<string>()
  /** Those at which something is looked up or written. */
  const atWork = new Set<string>()

  function compare(): void {
    const dispensers = reader.rows(dispenser, all)
    for (const row of dispensers) compareDispenser(row)
    for (const { id } of open.openDispensers()) if (!dispensers.some((row) => row.id === id)) open.drop(id)
    for (const row of reader.rows(accessController, all)) compareController(row)
  }

  function compareController(row: AccessController): void {
    const hasDevice = Boolean(row.device?.path)
    const isKnown = open.encoderAt(row.id) !== null
    // Another device is taken up when nobody is at work with the one before.
    if (hasDevice && (isKnown ? queued(row.id) === 0 : isDue(null))) open.encoder(row)
    const bay = open.encoderAt(row.id)?.bay
    const isOnline = bay?.state() === 'online'
    const isGone = hasDevice && isAway(row.id, isOnline)
    const found: Found<ControllerAlarm> = {
      ...(hasDevice && (isOnline || isGone) && { offline: isGone }),
      // Only that it is over: whoever was kept waiting tells that it is so.
      ...(queued(row.id) === 0 && { busy: false }),
    }
    if (atWork.has(row.id) || !isNews(row.alarms, found)) return
    write(row.id, door.write(foundController, { controllerId: row.id, found }, { actor }))
  }

  function compareDispenser(row: Dispenser): void {
    const known = open.dispenserAt(row.id)
    if (known ? isIdle(known) : isDue(null)) open.dispenser(row)
    const handle = open.dispenserAt(row.id)
    if (!handle) return
    if (isForgotten(row, handle)) access.watch(handle, row, { runId: null })
    if (atWork.has(row.id)) return
    const isMuted = row.commandedState === 'maintenance'
    if (isMuted) muted.add(row.id)
    if (isAtRest(handle) && ((!isMuted && muted.delete(row.id)) || isDue(handle.seen?.looked ?? null)))
      write(row.id, lookAgain(row, handle))
    else {
      const told = compareSeen(row, handle)
      if (told) write(row.id, told)
    }
  }

  async function lookAgain({ id }: Dispenser, handle: DispenserHandle): Promise<void> {
    await look(handle)
    const row = reader.row(dispenser, id)
    if (row) await compareSeen(row, handle)
  }

  /** Null when there is nothing to tell. */
  function compareSeen(row: Dispenser, handle: DispenserHandle): Promise<null> | null {
    const { found, hasCards } = foundAt(row, handle, isAway(row.id, handle.bay.state() === 'online'))
    const sensed = handle.seen !== corrected.get(row.id) ? hasCards : null
    corrected.set(row.id, handle.seen)
    const cards = row.estimatedCards ?? null
    const isMuted = row.commandedState === 'maintenance'
    const isNew = (!isMuted && isNews(row.alarms, found)) || correctedCards(cards, sensed) !== cards
    const input = { dispenserId: row.id, found, hasCards: sensed }
    return isNew ? door.write(foundDispenser, input, { actor }) : null
  }

  function isDue(looked: number | null): boolean {
    return monotonic() - (looked ?? started) >= lookEveryMs
  }

  function isAway(id: string, isOnline: boolean): boolean {
    if (isOnline) return away.delete(id) && false
    const since = away.get(id) ?? monotonic()
    away.set(id, since)
    return monotonic() - since >= awayForMs
  }

  function write(id: string, work: Promise<unknown>): void {
    atWork.add(id)
    work.catch(failed).finally(() => atWork.delete(id))
  }

  const timer = clock.setInterval(() => {
    try {
      compare()
    } catch (error) {
      failed(error)
    }
  }, compareEveryMs)
  timer.unref()
  return { close: timer.cancel }
}

/** A card on its way, or at the gate, is looked at by those who wait for it. */
function isAtRest(handle: DispenserHandle): boolean {
  return handle.bay.state() === 'online' && isIdle(handle)
}

function isIdle({ activity, guest }: DispenserHandle): boolean {
  return activity === null && guest === null
}

/**
 * A card lies at the gate and nobody watches it: somebody has pushed it in, or has put it there by hand. In maintenance, and
 * while it takes cards in, a person is at work there.
 */
function isForgotten({ commandedState }: Dispenser, handle: DispenserHandle): boolean {
  const isAttended = commandedState === 'maintenance' || commandedState === 'accepting'
  return isAtRest(handle) && !isAttended && handle.seen?.status.card === 'gate'
}

function foundAt(
  row: Dispenser,
  { bay, fault, seen }: DispenserHandle,
  isAway: boolean,
): { found: Found<DispenserAlarm>; hasCards: boolean | null } {
  // What gives no answer is away, whatever its line is.
  const standing = fault && fault.fault.code !== 'dispenser-offline' ? fault.fault : null
  const isOnline = bay.state() === 'online'
  if (!isOnline && !standing) return { found: isAway ? { offline: true } : {}, hasCards: null }
  const { stacker, bin, hasCards } = levelsOf(row, seen?.status ?? null, standing)
  const knowsStacker = stacker !== 'unknown'
  return {
    found: {
      offline: false,
      fault: standing !== null,
      jammed: isStuck(standing),
      ...(knowsStacker && {
        'stacker-low': stacker === 'nearEmpty' || stacker === 'empty',
        'stacker-empty': stacker === 'empty',
      }),
      ...(bin !== 'unknown' && { 'bin-full': bin === 'full' }),
    },
    hasCards: seen ? hasCards : null,
  }
}
