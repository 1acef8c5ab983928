import { exactly } from '../../jsonapi/description.ts'
import type { Request, Route } from '../../jsonapi/route.ts'
import { validate } from '../../jsonapi/schemas/validate.ts'
import { withoutDryRun } from '../../jsonapi/write-options.ts'
import type { WriteOptions } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access } from '../access.ts'
import { controllerBy } from '../lookups.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { endTestKeys, makeDoorCard, readTestCard, tryCard } from './commission.ts'
import { orDeviceProblem } from './device-problem.ts'

const steps = ['read', 'card', 'door-card', 'end'] as const

interface Step {
  step: (typeof steps)[number]
  unitName?: string
}

/** The route for testing an encoder and its dispenser with test cards, for a token that may make no keys. */
export function commissionRoutes(access: Access): Route[] {
  return [
    {
      method: 'POST',
      path: 'access-controllers/:controllerId/actions/commission-step',
      base: '/api/config/v1',
      scope: 'devices.commission',
      description: {
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
      },
      handle: async (request) => {
        const options = withoutDryRun(request)
        const controller = controllerBy(access, request.params.controllerId ?? '')
        const tested = await stepIn(request)
        const { step } = tested
        const meta = await orDeviceProblem(deeds[step](access, controller, tested, options))
        return { status: 200, text: JSON.stringify({ meta: { step, ...meta } }) }
      },
    },
  ]
}

type Deed = (
  access: Access,
  controller: AccessController,
  tested: Step,
  options: WriteOptions,
) => Promise<object>

const deeds: Record<Step['step'], Deed> = {
  read: readTestCard,
  card: (access, controller, tested, options) => tryCard(access, controller, unitOf(tested), options),
  'door-card': (access, controller, tested, options) =>
    makeDoorCard(access, controller, unitOf(tested), options),
  end: async (access, controller, _tested, options) => ({
    ended: await endTestKeys(access, controller, options),
  }),
}

async function stepIn(request: Request): Promise<Step> {
  const body = (await request.body()) ?? {}
  await validate(bodySchema, body)
  return body as Step
}

function unitOf({ unitName }: Step): string {
  if (unitName !== undefined) return unitName
  throw new Problem('unit-name-required', 'A test card needs a unit. Give unitName.', {
    pointer: '/unitName',
  })
}

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }

const bodySchema = {
  type: 'object',
  properties: { step: { enum: steps }, unitName: { type: 'string', minLength: 1, maxLength: 60 } },
  required: ['step'],
  additionalProperties: false,
}

const ended = exactly({
  keyId: { type: 'string', format: 'uuid' },
  ending: { enum: ['erased', 'blocked'] },
})

const answerSchema = {
  oneOf: [
    exactly({
      step: { const: 'read' },
      uid: text,
      format: text,
      blank: { type: 'boolean' },
      defect: textOrNull,
    }),
    exactly({ step: { const: 'card' }, uid: textOrNull, isErased: { type: 'boolean' } }),
    exactly({
      step: { const: 'door-card' },
      keyId: { type: 'string', format: 'uuid' },
      uid: textOrNull,
      validUntil: { type: 'string', format: 'date-time' },
    }),
    exactly({ step: { const: 'end' }, ended: { type: 'array', items: ended } }),
  ],
}
