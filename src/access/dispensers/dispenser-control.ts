import { DeviceFault } from '../../devices/fault.ts'
import type { Answer, Request } from '../../jsonapi/route.ts'
import { expectSeen, noContent, withoutDryRun } from '../../jsonapi/write-options.ts'
import type { WriteOptions } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Machines, Property } from '../access.ts'
import { antennaIn } from '../cards/antenna.ts'
import { captureCard } from '../cards/capture-card.ts'
import { lookInPath } from '../cards/card-seen.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import { dispenserBy } from '../lookups.ts'
import { commandedStates, type Dispenser } from '../resources/dispenser.ts'
import { acceptReturn, backInService } from './accept-return.ts'
import { commandDispenser } from './dispenser-commands.ts'
import { failedAt, restart } from './machine-health.ts'

type State = (typeof commandedStates)[number]

/** The states from which a state may be commanded; any other state may be commanded from all. */
const from: Partial<Record<State, readonly State[]>> = {
  active: ['inactive', 'maintenance', 'accepting', 'active'],
  accepting: ['active'],
}

/** PUT status/{state}: sets the state of a dispenser and sends its machine the matching commands. */
export async function setState(
  access: Property & Machines,
  row: Dispenser,
  request: Request,
): Promise<Answer> {
  const state = commandedStates.find((each) => each === request.params.state)
  if (!state)
    throw new Problem('unknown-state', 'state is not one of the allowed states.', {
      meta: { allowed: commandedStates },
    })
  const options = withoutDryRun(request)
  expectSeen(request, row)
  const handle = access.devices.dispenser(row)
  if (state === (row.commandedState ?? 'active') && !standsStill(handle)) return noContent(row.revision)
  expectCommandable(state, row, handle)
  if (state === 'accepting') return startAccepting(access, options, handle)
  await command(access, state, row, handle, options)
  // `initialize` does not change the commanded state.
  if (state === 'initialize') return noContent(dispenserBy(access, row.id).revision)
  const { revision } = await access.writer.execute(commandDispenser, { dispenserId: row.id, state }, options)
  return noContent(revision)
}

/** Whether only a restart can clear the fault. An offline machine is retried in any case. */
function standsStill({ fault }: DispenserHandle): boolean {
  return fault !== null && fault.fault.code !== 'dispenser-offline'
}

/**
 * Sets the dispenser to accepting before its entry opens, so that it gives out no card meanwhile. If the entry does not
 * open, the dispenser is active again.
 */
async function startAccepting(
  access: Property & Machines,
  options: WriteOptions,
  handle: DispenserHandle,
): Promise<Answer> {
  const { id } = handle
  const revision = await handle.bay.use(async (machine) => {
    expectCommandable('accepting', dispenserBy(access, id), handle)
    const input = { dispenserId: id, state: 'accepting' as const }
    const written = await access.writer.execute(commandDispenser, input, options)
    try {
      await machine.entry(true)
    } catch (error) {
      await backInService(access, id)
      throw error
    }
    return written.revision
  })
  void acceptReturn(access, handle, id).catch(access.failed)
  return noContent(revision)
}

/**
 * Sends the machine the commands for a state. For `inactive`, and when accepting ends, a card in the path is captured.
 */
async function command(
  access: Property & Machines,
  state: Exclude<State, 'accepting'>,
  row: Dispenser,
  handle: DispenserHandle,
  options: WriteOptions,
): Promise<void> {
  const isAccepting = row.commandedState === 'accepting' && !handle.fault
  if (state === 'initialize' || (state === 'active' && !isAccepting)) {
    await restart(handle)
    // Initialising closes the entry, and a guest may still be about to return a card.
    if (isAccepting) await handle.bay.use((machine) => machine.entry(true))
    return
  }
  try {
    await handle.bay.use(async (machine) => {
      expectCommandable(state, dispenserBy(access, row.id), handle)
      await machine.entry(false)
      if (state === 'maintenance') return
      const card = await lookInPath(handle, machine)
      if (card === 'none' || handle.guest) return
      const antenna = antennaIn(access, handle.id)
      await captureCard(access.writer, { handle, machine, card, antenna, actor: options.actor })
    })
  } catch (error) {
    // An offline machine can be taken out of service; its next start closes the entry.
    if (!(error instanceof DeviceFault)) throw error
    await failedAt(access, handle, error)
  }
}

/** Throws dispenser-state when the state may not follow, and dispenser-busy-with-guest while a card is on its way. */
function expectCommandable(
  to: State,
  { commandedState }: Dispenser,
  { guest, activity }: DispenserHandle,
): void {
  const now = commandedState ?? 'active'
  const allowed = from[to]
  if (allowed && !allowed.includes(now))
    throw new Problem('dispenser-state', `The dispenser is ${now}, and cannot be set to ${to} from there.`, {
      meta: { state: now, allowed },
    })
  // Maintenance may begin while a card is on its way: the card is finished, and its guest takes it.
  if (to !== 'maintenance' && (guest || activity))
    throw new Problem(
      'dispenser-busy-with-guest',
      'A card for a guest is being made or waits at the gate. Wait until it is taken.',
      { meta: { retryAfterSeconds: 5 } },
    )
}
