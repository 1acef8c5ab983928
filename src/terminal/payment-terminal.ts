import { terminalPayment } from '../reservation/resources/terminal-payment.ts'
import { integer, reference, text } from '../resource/fields.ts'
import { Problem } from '../resource/problem.ts'
import { type Row, resource, type Writing } from '../resource/resource.ts'
import { toDecimal } from '../resource/values/currency.ts'

const fields = {
  name: text({ required: true, max: 60 }),
  driver: text({ required: true, max: 60 }),
  path: text({
    required: true,
    max: 200,
    note: 'Where the terminal is reached, such as tcp://10.0.0.7:9600; the one of the sample property is simulated:terminal.',
  }),
  controllerId: reference('access-controller', {
    note: 'The controller of the kiosk beside which the terminal stands. None: any kiosk uses it.',
  }),
  timeoutSeconds: integer({
    min: 10,
    max: 300,
    default: 120,
    note: 'How long a guest may take to pay. Then the payment is canceled.',
  }),
}

/** A payment terminal, beside a kiosk or at the desk. */
export const paymentTerminal = resource('payment-terminal', {
  base: '/api/config/v1',
  path: 'payment-terminals',
  scopes: { read: 'devices.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  fields,
  example: { name: 'Desk terminal', driver: 'json-line', path: 'tcp://10.0.0.7:9600' },
  rules: { write: [keepsConnection], remove: [nothingIsOpen] },
  problems: ['resource-referenced'],
})

export type PaymentTerminalRow = Row<typeof paymentTerminal.fields>

/**
 * The outcome of an open payment can be queried only at the terminal that ran it: another device does not know the
 * payment, and would report that it was never begun.
 */
function nothingIsOpen({ tx, id }: Pick<Writing, 'tx' | 'id'>): void {
  const open = tx.select(terminalPayment, [
    { path: 'terminalId', operator: 'eq', value: id },
    { path: 'state', operator: 'eq', value: 'open' },
  ])
  const [first] = open
  if (!first) return
  throw new Problem(
    'resource-referenced',
    `A payment of ${toDecimal(first.amount, first.currency)} ${first.currency} at this terminal is open. Only this terminal can say how it ended: wait until it has, or settle the payment by hand on the sheet of the guest at /desk.`,
    { meta: { by: 'terminal-payment', count: open.length, id: first.id, stayId: first.stayId } },
  )
}

function keepsConnection({ tx, id, before, after }: Writing<typeof fields>): void {
  if (before !== null && (before.path !== after.path || before.driver !== after.driver))
    nothingIsOpen({ tx, id })
}
