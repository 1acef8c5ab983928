import { orDeviceProblem } from '../access/handles/device-problem.ts'
import type { TerminalDriver } from '../devices/payment-terminal.ts'
import { checkedRoutes } from '../jsonapi/checked-routes.ts'
import type { Description } from '../jsonapi/description.ts'
import { exactly } from '../jsonapi/description.ts'
import { documentAnswer } from '../jsonapi/document-answers.ts'
import { parametersIn } from '../jsonapi/envelope.ts'
import { expectNoParameters } from '../jsonapi/query/query.ts'
import { created, resourceRoutes, type Store } from '../jsonapi/resource-routes.ts'
import type { Answer, Request, Route } from '../jsonapi/route.ts'
import { validate } from '../jsonapi/schemas/validate.ts'
import { withoutDryRun } from '../jsonapi/write-options.ts'
import type { Recorded } from '../reservation/payments/payment-commands.ts'
import { payment } from '../reservation/resources/payment.ts'
import { terminalPayment } from '../reservation/resources/terminal-payment.ts'
import { ofGuest } from '../reservation/stays/rules/expect-guest.ts'
import { exampleId } from '../resource/example-id.ts'
import { didYouMean } from '../resource/nearest.ts'
import { expectAll, Problem } from '../resource/problem.ts'
import { byHandRoute } from './by-hand-route.ts'
import { paymentTerminal } from './payment-terminal.ts'
import { lastPaymentOf, type Terminals } from './terminals.ts'

interface TerminalChecks {
  drivers: readonly TerminalDriver[]
  /** Returns null when a wire can be opened at the address; otherwise the expected form of an address. */
  addressProblem(path: string): string | null
}

/** The routes of payment terminals, and of the payments over them. */
export function terminalRoutes(store: Store, terminals: Terminals, checks: TerminalChecks): Route[] {
  return [
    ...resourceRoutes(store, paymentTerminal),
    ...checkedRoutes(store, paymentTerminal, async (sent, _kept, whole) => {
      await expectUsable(whole, checks)
      return sent
    }),
    ...resourceRoutes(store, terminalPayment),
    ofGuest({
      method: 'POST',
      path: 'stays/:stayId/actions/pay-at-terminal',
      base: '/api/v2',
      scope: payment.scopes.write,
      handle: (request) => payAtTerminal(terminals, request),
      description: says.pay,
    }),
    ofGuest({
      method: 'POST',
      path: 'stays/:stayId/actions/cancel-terminal-payment',
      base: '/api/v2',
      scope: payment.scopes.write,
      handle: (request) => cancelTerminalPayment(store, terminals, request),
      description: says.cancel,
    }),
    ofGuest({
      method: 'GET',
      path: 'stays/:stayId/terminal-payment',
      base: '/api/v2',
      scope: payment.scopes.write,
      handle: (request) => readLast(store, request),
      description: says.last,
    }),
    byHandRoute(terminals),
  ]
}

/** Throws validation-failed for a driver that this build does not have, and for an address that cannot be opened. */
function expectUsable(
  { driver, path }: Record<string, unknown>,
  { drivers, addressProblem }: TerminalChecks,
): Promise<void> {
  const names = drivers.map(({ name }) => name)
  return expectAll(
    () => {
      if (names.includes(String(driver))) return
      throw new Problem('validation-failed', 'This build has no such driver for payment terminals.', {
        pointer: '/driver',
        meta: { allowed: names },
        didYouMean: didYouMean(String(driver), names),
      })
    },
    () => {
      const problem = addressProblem(String(path))
      if (problem !== null) throw new Problem('validation-failed', problem, { pointer: '/path' })
    },
  )
}

async function payAtTerminal(terminals: Terminals, request: Request): Promise<Answer> {
  const parameters = parametersIn((await request.body()) ?? {})
  await validate(schema, parameters)
  const options = withoutDryRun(request)
  const before = request.idempotency?.answered?.output as Recorded | undefined
  if (before) return answer(before)
  const { terminalId = null, language = null } = parameters as { terminalId?: string; language?: string }
  const { stayId = '' } = request.params
  const atKiosk = !request.caller.may('reservations.write')
  return answer(await orDeviceProblem(terminals.pay({ stayId, terminalId, language, atKiosk, options })))
}

async function cancelTerminalPayment(store: Store, terminals: Terminals, request: Request): Promise<Answer> {
  const { actor } = withoutDryRun(request)
  const id = await orDeviceProblem(terminals.cancel({ stayId: request.params.stayId ?? '', actor }))
  return answerWith(store, id, request)
}

function readLast(store: Store, request: Request): Answer {
  expectNoParameters(request.query)
  const last = lastPaymentOf(store.reader, request.params.stayId ?? '')
  return answerWith(store, last.id, request)
}

function answerWith({ reader, serializer }: Store, id: string, { caller }: Request): Answer {
  const shape = serializer.shape(terminalPayment, undefined, caller)
  return documentAnswer(reader.document(terminalPayment, id, shape))
}

function answer({ document, outstanding, currency }: Recorded): Answer {
  return created(payment, document, { outstanding, currency })
}

const schema = {
  type: 'object',
  properties: {
    terminalId: { type: 'string', format: 'uuid', description: 'May be omitted when there is one terminal.' },
    language: {
      ...{ type: 'string', pattern: '^[a-z]{2}$', $comment: 'a language code (two lower-case letters)' },
      description: 'The language of the guest.',
    },
  },
  additionalProperties: false,
}

const pay: Description = {
  id: 'payAtTerminal',
  summary: 'Have a guest pay the outstanding amount of a stay at a payment terminal',
  notes: `Answers when the guest has paid. The payment is stored before the terminal is asked, and is recorded exactly once. When the answer is
lost, send the request again: a payment that is under way is asked for, and not started again. After 502 \`payment-outcome-unknown\` nobody knows yet
whether the guest has paid: the appliance asks the terminal until it says so, and records the payment then. No number of a card leaves the terminal.
A caller without the scope reservations.write, such as a kiosk, gets 409 \`stay-status-transition\` with \`meta.guard\` \`not-over-at-kiosk\` for a guest to be checked in
whose departure has come, or comes within five minutes: nothing is charged, because a key would not open.`,
  body: { optional: true, schema, example: { terminalId: exampleId('payment-terminal'), language: 'en' } },
  answers: {
    201: { one: payment, meta: exactly({ outstanding: { type: 'integer' }, currency: { type: 'string' } }) },
  },
  problems: [
    'not-found',
    'terminal-missing',
    'terminal-busy',
    'payment-refused',
    'payment-due-unknown',
    'payment-exceeds-outstanding',
    'stay-status-transition',
  ],
  device: true,
  trial: false,
}

const cancel: Description = {
  id: 'cancelTerminalPayment',
  summary: 'Cancel the payment of a stay that is under way at a payment terminal',
  notes: `Answers with the last payment of the stay at a terminal, when it has ended: \`refused\` with the reason \`canceled\`, or \`paid\` when the
terminal had taken the amount before. A payment that has ended stays as it is, so the request can be repeated. After 502
\`payment-outcome-unknown\` the terminal has not reported the end: the guest may still pay, or may have paid. Repeat the request, or wait for the
answer of the payment.`,
  answers: { 200: { one: terminalPayment } },
  problems: ['not-found', 'terminal-busy'],
  device: true,
  trial: false,
}

const last: Description = {
  id: 'readLastTerminalPayment',
  summary: 'Read the last payment of a stay at a payment terminal',
  notes:
    'It is `open` until the terminal has reported how it ended. A client that lost its power while the guest paid learns the outcome here, and starts no payment.',
  answers: { 200: { one: terminalPayment } },
  problems: ['not-found', 'unknown-parameter'],
}

const says = { pay, cancel, last }
