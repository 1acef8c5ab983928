import type { CardDispenser } from '../../devices/capability.ts'
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
import { expectCommandable } from './dispenser-states.ts'
import { failedAt, restart } from './machine-health.ts'

/** PUT status/{state}: sets the state of a dispenser and sends its machine the matching commands. */
export async function setState(
  access: Property & Machines,
  request: Request,
  row: Dispenser,
): Promise<Answer> {
  const state = commandedStates.find((each) => each === request.params.state)
  if (!state) {
    throw new Problem('unknown-state', 'state is not one of the allowed states.', {
      meta: { allowed: commandedStates },
    })
  }
  const options = withoutDryRun(request)
  expectSeen(request, row)
  const handle = access.devices.dispenser(row)
  if (state === (row.commandedState ?? 'active') && !standsStill(handle)) return noContent(row.revision)
  expectCommandable(state, row, handle)
  if (state === 'accepting') return startAccepting(access, options, handle)
  await command(access, state, row, handle, options)
  // `initialize` does not change the commanded state.
  if (state === 'initialize') return noContent(dispenserBy(access, row.id).revision)
  const input = { dispenserId: row.id, state }
  const { revision } = await access.writer.execute(commandDispenser, input, options)
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
  state: Exclude<(typeof commandedStates)[number], 'accepting'>,
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
      if (state !== 'maintenance') await capturePath(access, machine, handle, options)
    })
  } catch (error) {
    // An offline machine can be taken out of service; its next start closes the entry.
    if (!(error instanceof DeviceFault)) throw error
    await failedAt(access, handle, error)
  }
}

async function capturePath(
  access: Property & Machines,
  machine: CardDispenser,
  handle: DispenserHandle,
  { actor }: WriteOptions,
): Promise<void> {
  const card = await lookInPath(handle, machine)
  if (card === 'none' || handle.guest) return
  await captureCard(access.writer, { handle, machine, card, antenna: antennaIn(access, handle.id), actor })
}
