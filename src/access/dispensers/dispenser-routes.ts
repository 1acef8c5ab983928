import { positions } from '../../devices/capability.ts'
import { type Description, documentOf, exactly } from '../../jsonapi/description.ts'
import { type Language, preferredLanguage } from '../../jsonapi/locales/language.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access, Machines, Property } from '../access.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import { orDeviceProblem } from '../controllers/device-problem.ts'
import { dispenserBy } from '../lookups.ts'
import { commandedStates, type Dispenser } from '../resources/dispenser.ts'
import { setState } from './dispenser-control.ts'
import { dispenserCounterRoutes } from './dispenser-counter-routes.ts'
import { placeCard } from './dispenser-place-card.ts'
import { dispenserStatus, shownStatus } from './dispenser-status.ts'
import { dispenserStatusSchema } from './dispenser-status-schema.ts'
import { withStartReason } from './machine-health.ts'

const route = routesAt('/api/v2')
const one = 'access/dispensers/:dispenserId'
const scope = 'dispensers.operate'

/** The routes of a card dispenser for people and kiosks. */
export function dispenserRoutes(access: Access): Route[] {
  const row = (request: Request) => dispenserBy(access, request.params.dispenserId ?? '')
  return [
    route('GET', `${one}/status`, 'dispensers.read', says.status, (request) =>
      status(access, row(request), preferredLanguage(request.header('accept-language'))),
    ),
    route('PUT', `${one}/status/:state`, scope, says.command, (request) =>
      answerOrProblem(access, row(request), (found) => setState(access, request, found)),
    ),
    route('PUT', `${one}/place-card/:cardPosition`, scope, says.placeCard, (request) =>
      answerOrProblem(access, row(request), (found) => placeCard(access, request, found)),
    ),
    route('POST', `${one}/reset-cache`, scope, says.reset, (request) => reset(access, row(request))),
    route('POST', 'access/dispensers/reset-all-cache', scope, says.resetAll, () => resetAll(access)),
    ...dispenserCounterRoutes(access),
  ]
}

async function status({ devices }: Machines, row: Dispenser, language: Language): Promise<Answer> {
  const cached = devices.dispenserAt(row.id) !== null
  const attributes = shownStatus(await dispenserStatus(row, devices.dispenser(row), cached), language)
  const data = { type: 'dispenser-status', id: row.id, attributes }
  return { status: 200, text: JSON.stringify({ data }) }
}

function reset(access: Property & Machines, { id }: Dispenser): Answer {
  const dropped = access.devices.drop(id)
  if (!dropped)
    throw new Problem('dispenser-cache-empty', 'The dispenser is not open, so there is nothing to close.')
  watchOn(access, dropped)
  return { status: 200, text: JSON.stringify({ meta: { dispenserId: id, cleared: 1 } }) }
}

function resetAll(access: Property & Machines): Answer {
  const dropped = access.devices.openDispensers()
  for (const { id } of dropped) access.devices.drop(id)
  const cleared = dropped.length
  for (const each of dropped) watchOn(access, each)
  const message = `${cleared} cached dispenser ${cleared === 1 ? 'handle was' : 'handles were'} cleared.`
  return { status: 200, text: JSON.stringify({ meta: { cleared, message } }) }
}

/** Answers a DeviceFault with a 502. For a machine that cannot start, the 502 names the reason. */
function answerOrProblem(
  { devices }: Machines,
  row: Dispenser,
  work: (row: Dispenser) => Promise<Answer>,
): Promise<Answer> {
  const done = work(row).catch((error) => {
    const handle = devices.dispenserAt(row.id)
    throw handle ? withStartReason(handle, error) : error
  })
  return orDeviceProblem(done)
}

/** Opens the machine again at once when a card is at the gate or on its way there, so that the card is watched. */
function watchOn(access: Property & Machines, { id, guest, activity }: DispenserHandle): void {
  if (guest || activity) access.devices.dispenser(dispenserBy(access, id))
}

const uuid = { type: 'string', format: 'uuid' }
const cleared = { type: 'integer', minimum: 0 }

const says = {
  status: {
    id: 'readDispenserStatus',
    summary: 'Read the status of a dispenser',
    notes:
      'If the machine does not answer, `online` is false. `handle.cached` is false if this request opened the machine.',
    answers: { 200: { schema: documentOf('dispenser-status', dispenserStatusSchema) } },
  },
  command: {
    id: 'commandDispenser',
    summary: 'Set the state of a dispenser',
    path: { state: { schema: { enum: commandedStates } } },
    answers: { 204: {} },
    trial: false,
    problems: ['unknown-state', 'dispenser-state', 'dispenser-busy-with-guest'],
    device: true,
  },
  placeCard: {
    id: 'placeCard',
    summary: 'Move the card in a dispenser',
    notes:
      'A card without a live key is moved to the gate only with the scope dispensers.service. A card that is not taken from the gate in time is captured, or held inside.',
    path: { cardPosition: { schema: { enum: positions } } },
    answers: { 204: {} },
    trial: false,
    problems: [
      'unknown-position',
      'position-not-supported',
      'no-card-in-path',
      'key-not-live',
      'dispenser-busy-with-guest',
    ],
    device: true,
  },
  reset: {
    id: 'resetDispenserCache',
    summary: 'Close the connection to a dispenser',
    notes: 'The next request opens it again. If a card waits at the gate, it is opened again at once.',
    answers: { 200: { schema: exactly({ meta: exactly({ dispenserId: uuid, cleared: { const: 1 } }) }) } },
    trial: false,
    problems: ['dispenser-cache-empty'],
  },
  resetAll: {
    id: 'resetAllDispenserCaches',
    summary: 'Close the connections to all dispensers',
    answers: { 200: { schema: exactly({ meta: exactly({ cleared, message: { type: 'string' } }) }) } },
    trial: false,
  },
} satisfies Record<string, Description>
