import { integer, reference, text } from '../resource/fields.ts'
import { Problem } from '../resource/problem.ts'
import { type Row, resource, type Writing } from '../resource/resource.ts'
import { terminalPayment } from './terminal-payment.ts'

/** A payment terminal, beside a kiosk or at the desk. */
export const paymentTerminal = resource('payment-terminal', {
  base: '/api/config/v1',
  path: 'payment-terminals',
  scopes: { read: 'devices.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  fields: {
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
  },
  example: { name: 'Desk terminal', driver: 'json-line', path: 'tcp://10.0.0.7:9600' },
  rules: { remove: [nothingIsOpen] },
})

export type PaymentTerminalRow = Row<typeof paymentTerminal.fields>

/** Only this terminal can say what became of its open payments. */
function nothingIsOpen({ tx, id }: Pick<Writing, 'tx' | 'id'>): void {
  const open = tx.select(terminalPayment, [
    { path: 'terminalId', operator: 'eq', value: id },
    { path: 'state', operator: 'eq', value: 'open' },
  ])
  if (open.length === 0) return
  throw new Problem(
    'resource-referenced',
    `Payments at this terminal that are not settled: ${open.length}.`,
    {
      meta: { by: 'terminal-payment', count: open.length },
    },
  )
}
