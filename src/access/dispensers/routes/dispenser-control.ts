import { DeviceFault } from '../../../devices/fault.ts'
import { type Guests, noGuests } from '../../../jsonapi/guests.ts'
import type { Answer, Request } from '../../../jsonapi/route.ts'
import { expectSeen, noContent, withoutDryRun } from '../../../jsonapi/write-options.ts'
import type { Actor, WriteOptions } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Machines, Property } from '../../access.ts'
import { antennaIn, nothingSeen } from '../../cards/antenna.ts'
import { captureCard } from '../../cards/capture-card.ts'
import { isOwnCard, keyOnCard } from '../../cards/shown-card.ts'
import { watchGate } from '../../cards/watch-gate.ts'
import type { DispenserHandle } from '../../handles/device-handle.ts'
import { controllerIn, dispenserBy } from '../../lookups.ts'
import { commandedStates, type Dispenser } from '../../resources/dispenser.ts'
import { cardSeen, lookInPath, pauseOf } from '../card-seen.ts'
import { commandDispenser, returnedCard } from '../dispenser-commands.ts'
import { expectNoGuest, failedAt, restart } from '../machine-health.ts'

/** How long the entry stays open for a card that a guest returns. */
const acceptsForMs = 60_000
const retriedAfterMs = 1_000
const returning: Actor = { by: 'card-return', requestId: null }

type State = (typeof commandedStates)[number]

/** The states from which a state may be commanded; any other state may be commanded from all. */
const from: Partial<Record<State, readonly State[]>> = {
  active: ['inactive', 'maintenance', 'accepting', 'active'],
  accepting: ['active'],
}

/** PUT status/{state}: sets the state of a dispenser and sends its machine the matching commands. */
export async function setState(access: Machines, row: Dispenser, request: Request): Promise<Answer> {
  const state = commandedStates.find((each) => each === request.params.state)
  if (!state)
    throw new Problem('unknown-state', 'state is not one of the allowed states.', {
      meta: { allowed: commandedStates },
    })
  const options = withoutDryRun(request)
  expectSeen(request, row)
  const handle = access.devices.dispenser(row)
  // A fault that only a restart can clear. An offline machine is retried in any case.
  const standsStill = handle.fault !== null && handle.fault.fault.code !== 'dispenser-offline'
  if (state === (row.commandedState ?? 'active') && !standsStill) return noContent(row.revision)
  expectCommandable(state, row, handle)
  if (state === 'accepting') return startAccepting(access, options, handle, request.caller.guests)
  await command(access, state, row, handle, options)
  // `initialize` does not change the commanded state.
  if (state === 'initialize') return noContent(dispenserBy(access, row.id).revision)
  const { revision } = await access.writer.execute(commandDispenser, { dispenserId: row.id, state }, options)
  return noContent(revision)
}

/**
 * Sets the dispenser to accepting before its entry opens, so that it gives out no card meanwhile. If the entry does not
 * open, the dispenser is active again.
 */
async function startAccepting(
  access: Machines,
  options: WriteOptions,
  handle: DispenserHandle,
  guests: Guests,
): Promise<Answer> {
  const { id, bay } = handle
  const revision = await bay.use(async (machine) => {
    expectCommandable('accepting', dispenserBy(access, id), handle)
    const input = { dispenserId: id, state: 'accepting' } as const
    const written = await access.writer.execute(commandDispenser, input, options)
    try {
      await machine.entry(true)
    } catch (error) {
      await backInService(access, id)
      throw error
    }
    return written.revision
  })
  const accepted = acceptReturn(access, handle, guests).catch(access.failed)
  // The guests who have found their stays are there until then.
  for (const stayId of guests.all()) void guests.during(stayId, () => accepted)
  return noContent(revision)
}

/** Sends the machine the commands for a state. `inactive` captures a card in the path, and the end of accepting takes it in. */
async function command(
  access: Machines,
  state: Exclude<State, 'accepting'>,
  row: Dispenser,
  handle: DispenserHandle,
  { actor }: WriteOptions,
): Promise<void> {
  const isAccepting = row.commandedState === 'accepting' && !handle.fault
  if (state === 'initialize' || (state === 'active' && !isAccepting)) {
    await restart(handle)
    // Initialising closes the entry, and a guest may still be about to return a card.
    if (isAccepting) await handle.bay.use((machine) => machine.entry(true))
    return
  }
  try {
    // A guest may have put a card in just now. The entry is closed then, and a card that is handed back may wait at the gate.
    if (isAccepting && state !== 'maintenance' && (await takeIn(access, handle, () => true))) return
    await handle.bay.use(async (machine) => {
      expectCommandable(state, dispenserBy(access, row.id), handle)
      await machine.entry(false)
      if (state === 'maintenance') return
      const card = await lookInPath(handle, machine)
      if (card === 'none' || handle.guest) return
      const antenna = antennaIn(access, handle.id)
      await captureCard(access.writer, { handle, machine, card, antenna, actor })
    })
  } catch (error) {
    // An offline machine can be taken out of service; its next start closes the entry.
    if (!(error instanceof DeviceFault)) throw error
    await failedAt(access, handle, error)
  }
}

/** Throws dispenser-state when the state may not follow, and dispenser-busy-with-guest while a card is on its way. */
function expectCommandable(to: State, { commandedState }: Dispenser, handle: DispenserHandle): void {
  const now = commandedState ?? 'active'
  const allowed = from[to]
  if (allowed && !allowed.includes(now))
    throw new Problem('dispenser-state', `The dispenser is ${now}, and cannot be set to ${to} from there.`, {
      meta: { state: now, allowed },
    })
  // Maintenance may begin while a card is on its way: the card is finished, and its guest takes it.
  if (to !== 'maintenance') expectNoGuest(handle)
}

/**
 * Waits up to a minute for one card that a guest returns, erases and captures it, and puts the dispenser back in
 * service. A foreign card and a staff card are handed back unchanged. Rejects only with an error that is no
 * DeviceFault.
 */
async function acceptReturn(access: Machines, handle: DispenserHandle, guests: Guests): Promise<void> {
  const { id } = handle
  const { monotonic, sleep } = handle.clock
  const until = monotonic() + acceptsForMs
  const mine = { guests }
  handle.acceptance = mine
  const isAccepting = () =>
    handle.acceptance === mine && dispenserBy(access, id).commandedState === 'accepting'
  try {
    while (monotonic() < until && isAccepting()) {
      const card = await cardSeen(handle).catch((error) => {
        // A requested restart runs.
        if (error instanceof DeviceFault && handle.restartRequested) return 'unseen'
        throw error
      })
      if (card !== 'none' && card !== 'gate' && card !== 'unseen') {
        await takeIn(access, handle, isAccepting)
        return
      }
      await sleep(pauseOf(dispenserBy(access, id).device), { ref: false })
    }
    if (handle.acceptance === mine) await handle.bay.use((machine) => machine.entry(false))
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    await failedAt(access, handle, error)
    // The next start closes the entry and recovers a card in the path.
    if (isAccepting() && handle.bay.state() === 'online') handle.bay.reset()
  } finally {
    await endAcceptance(access, id, isAccepting)
  }
}

/** Puts the dispenser back in service. While the store cannot write, it is retried every second. */
async function endAcceptance(access: Property, id: string, isAccepting: () => boolean): Promise<void> {
  while (isAccepting()) {
    try {
      return await backInService(access, id)
    } catch (error) {
      access.failed(error)
      await access.clock.sleep(retriedAfterMs, { ref: false })
    }
  }
}

/** Sets the dispenser to active. */
export async function backInService({ writer }: Property, dispenserId: string): Promise<void> {
  await writer.execute(commandDispenser, { dispenserId, state: 'active' }, { actor: returning })
}

/**
 * Closes the entry behind a returned card and captures it, which adds to the proof of its guest. A foreign or staff card is handed back.
 * Resolves with whether there was one.
 */
async function takeIn(
  access: Machines,
  handle: DispenserHandle,
  isAccepting: () => boolean,
): Promise<boolean> {
  const { writer, devices } = access
  const row = dispenserBy(access, handle.id)
  const antenna = antennaIn(access, row.id)
  return devices.make(handle, async (machine) => {
    // Another request may have moved the card meanwhile.
    const place = await lookInPath(handle, machine)
    if (!isAccepting() || handle.guest || place === 'none' || place === 'gate') return false
    handle.activity = 'capturing'
    try {
      await machine.entry(false)
      // An encoder that does not answer does not keep the card in the path.
      const seen = antenna && (await antenna.isReady()) ? await antenna.look() : nothingSeen
      const { uid, kind } = seen
      const found = kind === 'guest' ? 'ours' : kind
      const own = antenna && (await keyOnCard(access, antenna.providerId, seen, returning))
      if (own)
        await isOwnCard(access, handle.acceptance?.guests ?? noGuests, own, {
          isReturned: true,
          actor: returning,
        })
      if (uid !== null)
        await writer.execute(returnedCard, { dispenserId: row.id, uid, found }, { actor: returning })
      if (kind === 'foreign' || kind === 'staff') {
        const { card } = await machine.move(machine.positions.includes('eject') ? 'eject' : 'front')
        // Some machines drop the card at once.
        if (card === 'gate') void watchGate(access, handle, row, { runId: null, uid })
        return true
      }
      await captureCard(writer, {
        handle,
        machine,
        card: place,
        antenna,
        seenUid: uid,
        isReturned: true,
        // The configuration keeps the content of returned cards for inspection; their keys are blocked.
        keepsContent: controllerIn(access, row.id)?.eraseBeforeReturn === false,
        actor: returning,
      })
      return true
    } finally {
      handle.activity = null
    }
  })
}
