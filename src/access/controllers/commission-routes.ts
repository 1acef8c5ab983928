import { exactly } from '../../jsonapi/description.ts'
import type { Route } from '../../jsonapi/route.ts'
import { bodyOf } from '../../jsonapi/schemas/validate.ts'
import { flag, list, moment, text, textOrNull, uuid } from '../../jsonapi/schemas/words.ts'
import { withoutDryRun } from '../../jsonapi/write-options.ts'
import type { Access } from '../access.ts'
import { controllerBy } from '../lookups.ts'
import { testSteps } from './commission.ts'
import { orDeviceProblem } from './device-problem.ts'

interface Body {
  step: keyof typeof testSteps
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
        const { step, unitName } = await bodyOf<Body>(request, bodySchema)
        const meta = await orDeviceProblem<object>(testSteps[step]({ access, controller, unitName, options }))
        return { status: 200, text: JSON.stringify({ meta: { step, ...meta } }) }
      },
    },
  ]
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
