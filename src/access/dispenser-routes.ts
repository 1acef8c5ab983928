import { type CardDispenser, type Position, positions } from '../devices/capability.ts'
import { DeviceFault } from '../devices/fault.ts'
import { type Description, documentOf, exactly } from '../jsonapi/description.ts'
import type { Keeping } from '../jsonapi/resource-routes.ts'
import { noContent, type Request, type Route } from '../jsonapi/route.ts'
import { earnestOptions, expectSeen } from '../jsonapi/write-options.ts'
import type { WriteOptions } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { acceptReturn, backInService } from './accept-return.ts'
import type { Access } from './access.ts'
import { refuseUnlessLive } from './card-in-path.ts'
import { orDeviceProblem } from './device-problem.ts'
import { expectCommandable } from './dispenser-states.ts'
import { dispenserStatus } from './dispenser-status.ts'
import { dispenserStatusSchema } from './dispenser-status-schema.ts'
import type { DispenserHandle } from './handles.ts'
import { patchDispenser } from './key-changes.ts'
import { restart } from './machine-health.ts'
import { commandedStates, type Dispenser } from './resources/dispenser.ts'

const base = '/api/v2'
const one = 'access/dispensers/:dispenserId'
const scope = 'dispensers.operate'

/** What a card dispenser is asked to do by people and kiosks. */
export function dispenserRoutes(_keeping: Keeping, access: Access): Route[] {
  const row = (request: Request) => access.dispenserBy(request.params.dispenserId ?? '')
  return [
    {
      method: 'GET',
      path: `${one}/status`,
      base,
      scope: 'dispensers.read',
      description: says.status,
      handle: async (request) => {
        const found = row(request)
        const attributes = await dispenserStatus(found, access.open.dispenser(found), access.now())
        const data = { type: 'dispenser-status', id: found.id, attributes }
        return { status: 200, text: JSON.stringify({ data }) }
      },
    },
    {
      method: 'PUT',
      path: `${one}/status/:state`,
      base,
      scope,
      description: says.command,
      handle: (request) => orDeviceProblem(setState(access, request, row(request))),
    },
    {
      method: 'PUT',
      path: `${one}/place-card/:cardPosition`,
      base,
      scope,
      description: says.placeCard,
      handle: (request) => orDeviceProblem(placeCard(access, request, row(request))),
    },
    {
      method: 'POST',
      path: `${one}/reset-cache`,
      base,
      scope,
      description: says.reset,
      handle: (request) => {
        const { id } = row(request)
        if (!access.open.drop(id))
          throw new Problem('dispenser-cache-empty', 'The dispenser has no open handle.')
        return { status: 200, text: JSON.stringify({ meta: { dispenserId: id, cleared: 1 } }) }
      },
    },
    {
      method: 'POST',
      path: 'access/dispensers/reset-all-cache',
      base,
      scope,
      description: says.resetAll,
      handle: () => {
        const cleared = access.open.dropAll()
        const message = `${cleared} cached dispenser ${cleared === 1 ? 'handle was' : 'handles were'} cleared.`
        return { status: 200, text: JSON.stringify({ meta: { cleared, message } }) }
      },
    },
  ]
}

async function setState(access: Access, request: Request, row: Dispenser) {
  const state = commandedStates.find((each) => each === request.params.state)
  if (!state) {
    throw new Problem('unknown-state', 'There is no such state.', { meta: { allowed: commandedStates } })
  }
  const options = earnestOptions(request)
  expectSeen(request, row)
  const handle = access.open.dispenser(row)
  if (state === (row.commandedState ?? 'active') && !handle.fault) return noContent(row.revision)
  expectCommandable(state, row, handle)
  if (state === 'accepting') return startAccepting(access, options, handle)
  await command(state, handle, () => expectCommandable(state, access.dispenserBy(row.id), handle))
  const kept = state === 'initialize' ? (row.commandedState ?? 'active') : state
  const input = { dispenserId: row.id, values: { commandedState: kept }, event: 'dispenser.state-changed' }
  const { revision } = await access.door.write(patchDispenser, input, options)
  return noContent(revision)
}

/** The dispenser gives out nothing from before its entry opens; one whose entry does not open is in service again. */
async function startAccepting(access: Access, options: WriteOptions, handle: DispenserHandle) {
  const { id } = handle
  const values = { commandedState: 'accepting' }
  const revision = await handle.bay.use(async (machine) => {
    expectCommandable('accepting', access.dispenserBy(id), handle)
    const input = { dispenserId: id, values, event: 'dispenser.state-changed' }
    const written = await access.door.write(patchDispenser, input, options)
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

/** What the machine itself does for a state. Out of service, a card in the path is captured. */
async function command(
  state: Exclude<(typeof commandedStates)[number], 'accepting'>,
  handle: DispenserHandle,
  expectStill: () => void,
): Promise<void> {
  if (state === 'initialize' || state === 'active') return restart(handle)
  try {
    await handle.bay.use(async (machine) => {
      expectStill()
      if (state === 'inactive') await capturePath(machine, handle)
      await machine.entry(false)
    })
  } catch (error) {
    // A machine that is away can be taken out of service; its next start closes the entry.
    if (!(error instanceof DeviceFault)) throw error
  }
}

async function capturePath(machine: CardDispenser, { guest }: DispenserHandle): Promise<void> {
  const { card } = await machine.status()
  if (card !== 'none' && !guest) await machine.move('capture')
}

async function placeCard(access: Access, request: Request, row: Dispenser) {
  const position = positions.find((each) => each === request.params.cardPosition)
  if (!position) {
    throw new Problem('unknown-position', 'There is no such position.', { meta: { allowed: positions } })
  }
  earnestOptions(request)
  const handle = access.open.dispenser(row)
  expectMovable(position, row, handle)
  await handle.bay.use(async (machine) => {
    // A card may have been made while this waited for its turn.
    expectMovable(position, access.dispenserBy(row.id), handle)
    if (!machine.positions.includes(position)) {
      throw new Problem('position-not-supported', `This model has no position ${position}.`, {
        meta: { supported: machine.positions },
      })
    }
    const { card } = await machine.status()
    const feeds = position === 'encoder' || position === 'chip'
    if (card === 'none' && !feeds) throw new Problem('no-card-in-path', 'No card is in the path.')
    if (position === 'front' || position === 'eject') await refuseUnlessLive(access, row, request.caller)
    await machine.move(position)
  })
  return noContent()
}

function expectMovable(
  position: Position,
  { commandedState }: Dispenser,
  { guest, activity }: DispenserHandle,
): void {
  const inService = (commandedState ?? 'active') === 'active'
  if (!inService && (position === 'encoder' || position === 'chip')) {
    throw new Problem(
      'dispenser-state',
      `The dispenser is ${commandedState}; a card is fed only in service.`,
      {
        meta: { state: commandedState, allowed: ['active'] },
      },
    )
  }
  if (guest || activity) throw new Problem('dispenser-busy-with-guest', 'A card is on its way to a guest.')
}

const uuid = { type: 'string', format: 'uuid' }
const cleared = { type: 'integer', minimum: 0 }

const says = {
  status: {
    id: 'readDispenserStatus',
    summary: 'Ask a dispenser how it is',
    notes: 'A machine that is away is an answer: `online` is false.',
    answers: { 200: { schema: documentOf('dispenser-status', dispenserStatusSchema) } },
  },
  command: {
    id: 'commandDispenser',
    summary: 'Take a dispenser into another state',
    path: { state: { schema: { enum: commandedStates } } },
    answers: { 204: {} },
    trial: false,
    problems: ['unknown-state', 'dispenser-state', 'dispenser-busy-with-guest'],
    device: true,
  },
  placeCard: {
    id: 'placeCard',
    summary: 'Move the card in a dispenser',
    notes: 'A card that holds no live key comes within reach only with the scope dispensers.service.',
    path: { cardPosition: { schema: { enum: positions } } },
    answers: { 204: {} },
    trial: false,
    problems: [
      'unknown-position',
      'position-not-supported',
      'no-card-in-path',
      'key-not-live',
      'dispenser-state',
      'dispenser-busy-with-guest',
    ],
    device: true,
  },
  reset: {
    id: 'resetDispenserCache',
    summary: 'Open a dispenser anew',
    answers: { 200: { schema: exactly({ meta: exactly({ dispenserId: uuid, cleared: { const: 1 } }) }) } },
    trial: false,
    problems: ['dispenser-cache-empty'],
  },
  resetAll: {
    id: 'resetAllDispenserCaches',
    summary: 'Open every dispenser anew',
    answers: { 200: { schema: exactly({ meta: exactly({ cleared, message: { type: 'string' } }) }) } },
    trial: false,
  },
} satisfies Record<string, Description>
