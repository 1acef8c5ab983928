import { currency, instant, integer, oneOf, text, uuid } from '../resource/fields.ts'
import { type Row, resource } from '../resource/resource.ts'

/**
 * A payment that a terminal was asked for. It is stored before the terminal is asked, and is open until the terminal has said what
 * became of it, so that a power cut loses no payment and repeats none.
 */
export const terminalPayment = resource('terminal-payment', {
  path: 'terminal-payments',
  scopes: { read: 'payments.read', write: 'payments.record' },
  operations: ['list', 'read'],
  fields: {
    terminalId: uuid({ required: true, readOnly: true }),
    reservationId: uuid({ required: true, readOnly: true }),
    stayId: uuid({ required: true, readOnly: true }),
    amount: integer({ required: true, readOnly: true, min: 1, note: 'In minor units of the currency.' }),
    currency: currency({ required: true, readOnly: true }),
    state: oneOf(['open', 'paid', 'refused'], { required: true, readOnly: true }),
    reason: text({ readOnly: true, max: 60, note: 'Why it was refused, in the word of the terminal.' }),
    inDoubtSince: instant({
      readOnly: true,
      note: 'Since when the terminal does not say whether the guest has paid. It is asked until it does.',
    }),
    paymentId: uuid({ readOnly: true, note: 'The payment that was recorded.' }),
    settledAt: instant({ readOnly: true }),
  },
  indexes: [
    { fields: ['stayId'], why: 'the open payment of a stay' },
    { fields: ['state'], where: "state = 'open'", why: 'what a start-up has to settle' },
  ],
})

export type TerminalPayment = Row<typeof terminalPayment.fields>
