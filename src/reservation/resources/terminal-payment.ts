import { currency, instant, integer, oneOf, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** The reason of a payment that took no money, as a person has said. */
export const notCharged = 'not-charged'

/**
 * The reason of a payment whose order the terminal has not known, asked for a while after the line was back. The terminal may have
 * received it later all the same.
 */
export const neverArrived = 'never-arrived'

/**
 * A payment at a terminal. It is stored before the request goes to the terminal, and stays open until the terminal has
 * reported the outcome. A power cut therefore neither loses a payment nor charges a guest twice.
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
    reason: text({
      readOnly: true,
      max: 60,
      note: 'Why it was refused, in the word of the terminal; `not-charged` when a person has settled it by hand, `never-arrived` when the terminal does not know it.',
    }),
    inDoubtSince: instant({
      readOnly: true,
      note: 'Since when the terminal does not say whether the guest has paid. It is asked until it does.',
    }),
    /** Since when the terminal, asked over a new line, does not know the payment; null while the line is dead. */
    missingSince: instant({ readOnly: true, hidden: true }),
    paymentId: uuid({ readOnly: true, note: 'The payment that was recorded.' }),
    settledAt: instant({ readOnly: true }),
    // The caller, the idempotency key and the fingerprint of the request that began it.
    request: text({ readOnly: true, hidden: true, filterable: false, max: 260 }),
  },
  indexes: [
    { fields: ['stayId'], why: 'the open payment of a stay' },
    { fields: ['state'], where: "state = 'open'", why: 'what a start-up has to settle' },
    { fields: ['reason'], where: "reason = 'not-charged'", why: 'what the terminal may still report' },
    { fields: ['settledAt'], where: "reason = 'never-arrived'", why: 'what the terminal may still report' },
  ],
})

export type TerminalPayment = Row<typeof terminalPayment.fields>
