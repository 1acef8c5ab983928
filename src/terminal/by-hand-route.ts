import type { Description } from '../jsonapi/description.ts'
import { documentAnswer } from '../jsonapi/document-answers.ts'
import { parametersIn } from '../jsonapi/envelope.ts'
import type { Answer, Request, Route } from '../jsonapi/route.ts'
import { validate } from '../jsonapi/schemas/validate.ts'
import { writeOptions } from '../jsonapi/write-options.ts'
import { terminalPayment } from '../reservation/resources/terminal-payment.ts'
import { exampleId } from '../resource/example-id.ts'
import type { Terminals } from './terminals.ts'

/** The route by which a person settles a payment whose terminal does not say how it ended. */
export function byHandRoute(terminals: Terminals): Route {
  return {
    method: 'POST',
    path: 'stays/:stayId/actions/settle-terminal-payment',
    base: '/api/v2',
    scope: 'payments.settle',
    handle: (request) => settle(terminals, request),
    description,
  }
}

interface SettlementParameters {
  terminalPaymentId: string
  charged: boolean
  reason: string
  terminalTransactionId?: string | null
}

async function settle(terminals: Terminals, request: Request): Promise<Answer> {
  const parameters = parametersIn(await request.body())
  await validate(schema, parameters)
  const {
    terminalPaymentId: id,
    charged,
    reason,
    terminalTransactionId = null,
  } = parameters as SettlementParameters
  const { stayId = '' } = request.params
  const said = { stayId: stayId.toLowerCase(), id, charged, reason, transactionId: terminalTransactionId }
  return documentAnswer(await terminals.byHand(said, writeOptions(request)))
}

const schema = {
  type: 'object',
  properties: {
    terminalPaymentId: { type: 'string', format: 'uuid', description: 'The open payment.' },
    charged: { type: 'boolean', description: 'Whether the guest was charged.' },
    reason: {
      type: 'string',
      pattern: '^[^\\p{Cc}\\p{Cs}]{3,200}$',
      $comment: '3 to 200 characters without control characters',
      description: 'How the person knows it. The audit shows it, and events do not.',
    },
    terminalTransactionId: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 128,
      description:
        "The terminal's number of the transaction, such as on the receipt of the guest. A transaction that is recorded on the stay already is not recorded again.",
    },
  },
  required: ['terminalPaymentId', 'charged', 'reason'],
  additionalProperties: false,
}

const description: Description = {
  id: 'settleTerminalPayment',
  summary: 'State by hand how a payment at a terminal ended, with a reason',
  notes: `For a payment that stays \`open\` because its terminal does not say how it ended. \`charged: true\` records the amount on the stay, once,
also when the terminal reports it later. \`charged: false\` ends the payment with the reason \`not-charged\`; when the terminal reports later that it has
taken the amount, the payment is recorded then. A repeat changes nothing. The reason is in the audit entry \`stay.payment-settled-by-hand\`.`,
  body: {
    schema,
    example: {
      terminalPaymentId: exampleId('terminal-payment'),
      charged: true,
      reason: 'The guest has shown the receipt of the terminal.',
    },
  },
  answers: { 200: { one: terminalPayment } },
  problems: ['not-found', 'terminal-busy', 'payment-settled'],
}
