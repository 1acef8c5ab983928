import { join } from 'node:path'
import { type Description, documentOf, exactly, listOf } from '../jsonapi/description.ts'
import { expectNoParameters } from '../jsonapi/query/query.ts'
import { type Answer, type Request, type Route, routesAt } from '../jsonapi/route.ts'
import { validate } from '../jsonapi/schemas/validate.ts'
import { withoutDryRun } from '../jsonapi/write-options.ts'
import { invalidValue, Problem } from '../resource/problem.ts'
import {
  type Misbehaviour,
  misbehaviourKinds,
  mostMisbehaviours,
  mostSkipped,
} from '../simulators/devices/misbehaviour.ts'
import { actAt, cardsInHand, deedNames, inHand, lobbyState } from './lobby-actions.ts'
import { type DoorProgram, rememberingDoor } from './simulated-door.ts'
import { type LobbyDevice, lobbyDevices, type SimulatedLobby } from './simulated-lobby.ts'

const base = '/api/config/v1'
const route = routesAt(base)
const all = 'simulated-devices'
const queue = `${all}/:device/misbehaviours`

/** The lobby, and whether a device is configured at the address of one of its devices. */
interface LobbyOptions {
  lobby: SimulatedLobby
  isUsed(device: LobbyDevice): boolean
  now(): number
  doors: Doors
}

/** The doors of the property. */
interface Doors {
  /** The lock of a door by its name, and the name of the file with its simulated memory; null for no such door. */
  lock(door: string): (Omit<DoorProgram, 'memory'> & { file: string }) | null
  /** The name of the unit that a card was made for; null for a card that nobody made. */
  unitOf(uid: string): string | null
  /** The folder with the memories of the simulated doors. */
  folder: string
}

/**
 * The routes that make the devices of the simulated lobby misbehave while it runs, for those who integrate a kiosk. A
 * device that the property does not use is not found.
 */
export function simulatedDeviceRoutes(options: LobbyOptions): Route[] {
  const { lobby, isUsed } = options
  const scope = 'simulate.run'
  return [
    route('GET', all, scope, says.list, ({ query }) => {
      expectNoParameters(query)
      const data = lobbyDevices.filter(isUsed).map((name) => documentFor(lobby, name))
      return { status: 200, text: JSON.stringify({ data, links: { self: `${base}/${all}` } }) }
    }),
    route('POST', queue, scope, says.add, (request) => add(options, request)),
    route('POST', `${all}/:device/actions/clear`, scope, says.clear, (request) => clear(options, request)),
    route('POST', `${all}/:device/actions/act`, scope, says.act, (request) => act(options, request)),
    route('GET', 'simulated-cards', scope, says.cards, ({ query }) => {
      expectNoParameters(query)
      const data = cardsInHand(lobby).map(({ uid }) => cardDocument(uid, options.doors.unitOf(uid)))
      return { status: 200, text: JSON.stringify({ data, links: { self: `${base}/simulated-cards` } }) }
    }),
    route('POST', 'simulated-cards/actions/present', scope, says.present, (request) =>
      present(options, request),
    ),
  ]
}

async function add({ lobby, isUsed }: LobbyOptions, request: Request): Promise<Answer> {
  const body = (await request.body()) ?? {}
  withoutDryRun(request)
  const name = namedIn(request, isUsed)
  await validate(misbehaviourSchema, body)
  const { at, does, skip, code } = body as Misbehaviour
  const { commands, misbehaviours } = lobby.devices[name]
  if (at !== '*' && !commands.includes(at)) {
    throw invalidValue('/at', `The simulated ${name} has no command ${at}.`, { allowed: ['*', ...commands] })
  }
  if (misbehaviours.length >= mostMisbehaviours) {
    const detail = `At most ${mostMisbehaviours} misbehaviours wait at a device. Clear them first.`
    throw new Problem('validation-failed', detail, { pointer: '' })
  }
  misbehaviours.push({ at, does, ...(skip && { skip }), ...(code !== undefined && { code }) })
  return { status: 201, text: JSON.stringify({ data: documentFor(lobby, name) }) }
}

async function clear({ lobby, isUsed }: LobbyOptions, request: Request): Promise<Answer> {
  await request.body()
  withoutDryRun(request)
  const name = namedIn(request, isUsed)
  lobby.devices[name].misbehaviours.length = 0
  return { status: 200, text: JSON.stringify({ data: documentFor(lobby, name) }) }
}

async function act({ lobby, isUsed }: LobbyOptions, request: Request): Promise<Answer> {
  const body = await request.body()
  withoutDryRun(request)
  const name = namedIn(request, isUsed)
  await validate(deedSchema, body)
  actAt(lobby, name, body as { does: string; card?: string })
  return { status: 200, text: JSON.stringify({ data: documentFor(lobby, name) }) }
}

/** Holds a card to a door, which decides from the bytes of the card alone. */
async function present({ lobby, doors, now }: LobbyOptions, request: Request): Promise<Answer> {
  const body = ((await request.body()) ?? {}) as { card?: string; door?: string }
  withoutDryRun(request)
  await validate(presentSchema, body)
  const card = inHand(lobby, body.card)
  if (!card) throw new Problem('not-found', 'Nobody has this card in the hand.')
  const name = body.door ?? doors.unitOf(card.uid)
  const lock = name === null ? null : doors.lock(name)
  const door = lock && rememberingDoor(lock, join(doors.folder, `${lock.file}.json`))
  if (!door) throw invalidValue('/door', `The property has no door ${name ?? ''} with simulated locks.`)
  const { opens, reason } = door.present(card, now())
  const data = { ...cardDocument(card.uid, doors.unitOf(card.uid)), meta: { door: name, opens, reason } }
  return { status: 200, text: JSON.stringify({ data }) }
}

function cardDocument(uid: string, unitName: string | null) {
  return { type: 'simulated-card', id: uid, attributes: { unitName } }
}

/** The device in the path. Throws not-found unless the property uses it. */
function namedIn({ params }: Request, isUsed: LobbyOptions['isUsed']): LobbyDevice {
  const found = lobbyDevices.find((name) => name === params.device)
  if (found && isUsed(found)) return found
  const detail =
    'The property uses no simulated device of this name. GET /api/config/v1/simulated-devices lists them.'
  throw new Problem('not-found', detail)
}

function documentFor(lobby: SimulatedLobby, name: LobbyDevice) {
  const { model, commands, misbehaviours } = lobby.devices[name]
  const waiting = misbehaviours.map(({ at, does, skip = 0, code = null }) => ({ at, does, skip, code }))
  const attributes = { model, commands, misbehaviours: waiting, state: lobbyState(lobby, name) }
  return { type: 'simulated-device', id: name, attributes }
}

const text = { type: 'string', minLength: 1, maxLength: 60 }
const members = {
  at: { ...text, description: 'The command, one of `commands` of the device; `*` is any command.' },
  does: {
    enum: Object.keys(misbehaviourKinds),
    description: Object.entries(misbehaviourKinds)
      .map(([kind, what]) => `\`${kind}\`: ${what}`)
      .join('\n\n'),
  },
  skip: {
    type: 'integer',
    minimum: 0,
    maximum: mostSkipped,
    default: 0,
    description: 'How many such commands pass first.',
  },
  code: {
    type: 'string',
    pattern: '^-?\\w{1,40}$',
    $comment: '1 to 40 letters and digits',
    description: "The device's own error code of a `refuse`, such as `A0` for an empty dispenser.",
  },
}

const misbehaviourSchema = exactly(members, ['skip', 'code'])

const attributes = exactly({
  model: { type: 'string' },
  commands: { type: 'array', items: { type: 'string' } },
  misbehaviours: {
    type: 'array',
    maxItems: mostMisbehaviours,
    description: 'Those that wait for their command. Each happens once.',
    items: exactly({ ...members, code: { type: ['string', 'null'] } }),
  },
  state: {
    type: 'object',
    description:
      'Where its cards are, and what it shows. Its members depend on the device, and may change with any version.',
    properties: { isPlugged: { type: 'boolean' } },
    required: ['isPlugged'],
  },
})

const serial = { type: 'string', pattern: '^(?:[0-9A-Fa-f]{2}){4,10}$', $comment: '4 to 10 bytes in hex' }
const deedSchema = exactly(
  {
    does: { enum: deedNames },
    card: { ...serial, description: 'A card in the hand, by its serial number; the newest unless named.' },
  },
  ['card'],
)
const presentSchema = exactly(
  {
    card: { ...serial, description: 'A card in the hand, by its serial number; the newest unless named.' },
    door: { ...text, description: "A unit or a common door; the unit of the card's key unless named." },
  },
  ['card', 'door'],
)
const presented = exactly({ door: text, opens: { type: 'boolean' }, reason: { type: 'string' } })
const cardAttributes = exactly({
  unitName: { type: ['string', 'null'], description: 'The unit that it was made for; null for none.' },
})

const path = { device: { schema: { enum: lobbyDevices } } }
const notes = 'Only while a dispenser or controller of the property is configured at `simulated:` devices.'

const says = {
  list: {
    id: 'listSimulatedDevices',
    summary: 'List the simulated devices, and how each is about to misbehave',
    notes,
    answers: { 200: { schema: listOf('simulated-device', attributes) } },
    problems: ['unknown-parameter'],
  },
  add: {
    id: 'addMisbehaviour',
    summary: 'Make a simulated device misbehave at its next such command',
    notes: `${notes} To show a kiosk how it must react to a jam, a lost cable or a bad card.`,
    path,
    body: { schema: misbehaviourSchema, example: { at: 'status', does: 'silence', skip: 1000 } },
    answers: { 201: { schema: documentOf('simulated-device', attributes) } },
    trial: false,
  },
  clear: {
    id: 'clearMisbehaviours',
    summary: 'Make a simulated device behave well again',
    notes,
    path,
    answers: { 200: { schema: documentOf('simulated-device', attributes) } },
    trial: false,
  },
  act: {
    id: 'actAtSimulatedDevice',
    summary: 'Do what a person does at a simulated device',
    notes: `${notes} Guests take cards and return them; staff pull cables, and fill and empty the machine.`,
    path,
    body: { schema: deedSchema, example: { does: 'leave-cards' } },
    answers: { 200: { schema: documentOf('simulated-device', attributes) } },
    problems: ['validation-failed'],
    trial: false,
  },
  cards: {
    id: 'listSimulatedCards',
    summary: 'List the cards that simulated guests have in their hands',
    notes: 'The newest first, at most 20.',
    answers: { 200: { schema: listOf('simulated-card', cardAttributes) } },
    problems: ['unknown-parameter'],
  },
  present: {
    id: 'presentSimulatedCard',
    summary: 'Hold a card to a simulated door',
    notes: 'The door decides from the bytes of the card alone, and remembers the newest key as a lock does.',
    body: { schema: presentSchema, optional: true, example: { door: '201' } },
    answers: {
      200: {
        schema: documentOf('simulated-card', cardAttributes, { meta: presented }),
      },
    },
    problems: ['validation-failed', 'not-found'],
    trial: false,
  },
} satisfies Record<string, Description>
