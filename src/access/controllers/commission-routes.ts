import { DeviceFault } from '../../devices/fault.ts'
import { localDate } from '../../host/zone.ts'
import { type Description, exactly } from '../../jsonapi/description.ts'
import { metaAnswer } from '../../jsonapi/document-answers.ts'
import { type Route, routesAt } from '../../jsonapi/route.ts'
import { bodyOf } from '../../jsonapi/schemas/validate.ts'
import { flag, list, moment, text, textOrNull, uuid } from '../../jsonapi/schemas/words.ts'
import { withoutDryRun } from '../../jsonapi/write-options.ts'
import { stay } from '../../reservation/resources/stay.ts'
import type { WriteOptions } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { first, having } from '../../resource/query.ts'
import type { Access } from '../access.ts'
import { wipeCard } from '../cards/antenna.ts'
import { atEncoder } from '../cards/at-encoder.ts'
import { erasedCard } from '../cards/card-commands.ts'
import { uidText } from '../cards/card-in-field.ts'
import { makeTrialCard } from '../cards/make-card.ts'
import { readOnEncoder } from '../cards/read-card.ts'
import { orDeviceProblem, orNull } from '../handles/device-problem.ts'
import { issueKey } from '../keys/issuing/make-key.ts'
import { orderOf } from '../keys/issuing/order-of.ts'
import { isOpen } from '../keys/life/key-life.ts'
import type { KeyOrder } from '../keys/orders/key-order.ts'
import { revokeKey } from '../keys/revoke-keys.ts'
import { controllerBy, settingsOf } from '../lookups.ts'
import { expectMayMakeKeys } from '../may-make-keys.ts'
import { inTurn } from '../providers/in-turn.ts'
import { isOnline } from '../providers/lock-system-of.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { type Key, key } from '../resources/key.ts'
import { readKeyRequest } from '../resources/key-request.ts'

type Body = { step: keyof typeof testSteps; unitName?: string }

/** The route for testing an encoder and its dispenser with test cards, for a token that may make no keys. */
export function commissionRoutes(access: Access): Route[] {
  const path = 'access-controllers/:controllerId/actions/commission-step'
  return [
    routesAt('/api/config/v1')('POST', path, 'devices.commission', says, async (request) => {
      const options = withoutDryRun(request)
      const controller = controllerBy(access, request.params.controllerId ?? '')
      const { step, unitName } = await bodyOf<Body>(request, bodySchema)
      const meta = await orDeviceProblem<object>(testSteps[step]({ access, controller, unitName, options }))
      return metaAnswer({ step, ...meta })
    }),
  ]
}

/** The externalId of test keys. No stay has it. */
const testId = 'commissioning'

/** The longest time that a test key opens. */
const opensForMs = 15 * 60_000
const cardLiesMs = 2_000

/** A test of a controller; `unitName` is the unit of a key. */
interface Tested {
  access: Access
  controller: AccessController
  unitName: string | undefined
  options: WriteOptions
}

/** What can be tested of a controller, step by step. Each resolves with what the step has found or made. */
const testSteps = { read: readTestCard, card: tryCard, 'door-card': makeDoorCard, end: endTestKeys }

/** Reads the card on the controller's encoder. Rejects with no-card after 2 s. */
async function readTestCard({ access, controller }: Tested) {
  const content = await readOnEncoder(access, controller, cardLiesMs)
  const { format, blank, defect } = content
  return { uid: uidText(content), format, blank, defect }
}

/**
 * Makes a card for the unit, proves it, erases it, proves it blank, and captures it if a dispenser fed it. Its key is
 * never live. Rejects with the fault, and with unsupported-operation where the lock system makes the keys. The keys that
 * it superseded are restored.
 */
async function tryCard(tested: Tested) {
  const { access, controller } = tested
  const order = await testOrder(tested)
  if (isOnline(access, controller))
    throw new DeviceFault(
      'unsupported-operation',
      'The lock system makes the keys itself, so this step is not possible.',
    )
  const options = { actor: tested.options.actor }
  return inTurn(access, controller, options, async (job) => {
    if (order.opensAt === null) expectMayMakeKeys(access)
    const isErased = await makeTrialCard(access, { controller, order, options, job })
    return { uid: job.progress().uid, isErased }
  })
}

/** Makes a key for a test at the door of the unit. It ends after 15 minutes or with the last step. */
async function makeDoorCard(tested: Tested) {
  const { access, controller, options } = tested
  const { id } = await issueKey(access, controller, await testOrder(tested), options)
  const { uid = null, validUntil } = access.reader.row(key, id)!
  return { keyId: id, uid, validUntil: new Date(validUntil ?? 0).toISOString() }
}

/**
 * Ends every open test key of the controller: erased where its card lies on the encoder, blocked otherwise. A key that
 * is being made is completed first. Resolves with the ending of each.
 */
async function endTestKeys(tested: Tested) {
  const { access, controller } = tested
  // Several commands follow, and a repeated request is answered as a whole: none of them is its answer.
  const options = { actor: tested.options.actor }
  await inTurn(access, controller, options, async () => {})
  const ended: { keyId: string; ending: 'erased' | 'blocked' }[] = []
  for (const row of testKeys(tested)) {
    const isErased = await erased(tested, row)
    if (!isErased) {
      const input = { keyId: row.id, as: 'blocked', reason: testId } as const
      await access.writer.execute(revokeKey, input, options)
      // A lock system that stores the rights receives the revocation at once.
      access.chase()
    }
    ended.push({ keyId: row.id, ending: isErased ? 'erased' : 'blocked' })
  }
  return { ended }
}

/** The open test keys of the controller, the newest first. */
function testKeys({ access, controller }: Tested): Key[] {
  const sort = [{ path: 'createdAt', descending: true }]
  return access.reader
    .rows(key, { ...first(having({ externalId: testId }), 100), sort })
    .filter(
      ({ status, controllerId }) =>
        controllerId === controller.id && isOpen(status) && status !== 'blocked' && status !== 'pendingWrite',
    )
}

/** Resolves with whether the card on the encoder is blank now. A card in a dispenser cannot be erased. */
async function erased({ access, controller, options }: Tested, { uid }: Key): Promise<boolean> {
  if (!uid || controller.dispenserId) return false
  const wiped = await orNull(() => atEncoder(access, controller, (station) => wipeCard(station, uid)))
  const { providerId } = controller
  const { actor } = options
  if (wiped?.blank) await access.writer.execute(erasedCard, { uid, providerId, erased: true }, { actor })
  return wiped?.blank ?? false
}

async function testOrder({ access, controller, unitName }: Tested): Promise<KeyOrder> {
  const vacantUnit = expectVacant(access, unitName)
  const { timeZone } = settingsOf(access)
  const now = access.clock.now()
  const window = { validFrom: now - 60_000, validUntil: now + opensForMs }
  const body = {
    type: controller.keyType,
    unitName: vacantUnit,
    original: true,
    startDate: localDate(window.validFrom, timeZone),
    endDate: localDate(window.validUntil, timeZone),
    externalId: testId,
  }
  return orderOf(access, controller, await readKeyRequest(body, controller), { confirmed: null, window })
}

/** Throws without a unit, and with a guest in it: the first use of a test key would end the guest's keys. */
function expectVacant({ reader }: Access, unitName: string | undefined): string {
  const pointer = '/unitName'
  if (unitName === undefined)
    throw new Problem('unit-name-required', 'A test card needs a unit. Give unitName.', { pointer })
  const guests = reader.rows(stay, first(having({ status: 'InHouse', 'units.name': unitName }), 1))
  if (guests.length === 0) return unitName
  throw new Problem('unit-occupied', 'A guest is in house in this unit. Choose a vacant unit for the test.', {
    pointer,
  })
}

const bodySchema = exactly(
  { step: { enum: Object.keys(testSteps) }, unitName: { type: 'string', minLength: 1, maxLength: 60 } },
  ['unitName'],
)

const ended = exactly({ keyId: uuid, ending: { enum: ['erased', 'blocked'] } })

const answerSchema = {
  oneOf: [
    exactly({ step: { const: 'read' }, uid: text, format: text, blank: flag, defect: textOrNull }),
    exactly({ step: { const: 'card' }, uid: textOrNull, isErased: flag }),
    exactly({ step: { const: 'door-card' }, keyId: uuid, uid: textOrNull, validUntil: moment }),
    exactly({ step: { const: 'end' }, ended: list(ended) }),
  ],
}

const says: Description = {
  id: 'commissionStep',
  summary: 'Try a controller with a test card, one step at a time',
  notes:
    '`read`: reads the card on the encoder. `card`: makes a card, verifies and erases it, and captures it if it came from a dispenser; its key is never live. `door-card`: makes a key that opens for 15 minutes. `end`: ends all test keys of the controller. `card` and `door-card` need a vacant unit.',
  body: { schema: bodySchema, example: { step: 'end' } },
  answers: { 200: { schema: exactly({ meta: answerSchema }) } },
  trial: false,
  problems: [
    'controller-not-found',
    'unit-name-required',
    'unit-occupied',
    'key-type-not-supported',
    'clock-implausible',
    'box-fenced',
  ],
  device: true,
}
