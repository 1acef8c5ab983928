import { json, parts } from '../../resource/compound.ts'
import { currency, flag, instant, integer, oneOf, reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { paymentBrands } from '../values/payment-brand.ts'
import { kindSql, named, paymentKinds } from '../values/payment-kind.ts'
import { type Receipt, receiptSchema } from '../values/payment-receipt.ts'

/**
 * A payment that was received for a stay or for a whole reservation, or a refund for a stay. It is recorded once, never changed
 * and never removed. What was recorded by mistake is voided.
 */
export const payment = resource('payment', {
  path: 'payments',
  scopes: { read: 'payments.read', write: 'payments.record' },
  operations: ['read'],
  events: { created: named('recorded', 'refunded'), changed: named('voided', 'refund-voided') },
  fields: {
    reservationId: reference('reservation', { required: true, readOnly: true }),
    stayId: reference('stay', {
      readOnly: true,
      note: 'The stay of the payment; none if it is for the whole reservation.',
    }),
    kind: oneOf(paymentKinds, {
      computed: kindSql,
      note: 'Refund: the guest has got the amount back. It counts less than nothing for the balance, although amount is positive.',
    }),
    currency: currency({ required: true }),
    amount: integer({ required: true, min: 1, note: 'In minor units of the currency: 100 is 1.00 EUR.' }),
    brand: oneOf(paymentBrands, { required: true }),
    brandText: text({ personal: false, max: 60, note: 'The name of the brand if brand is Other.' }),
    // Accounting needs the receipts.
    customerReceipt: json<Receipt>(receiptSchema, { personal: false }),
    merchantReceipt: json<Receipt>(receiptSchema, {
      personal: false,
      scope: 'payments.read-merchant',
      note: 'Visible only with the scope payments.read-merchant.',
    }),
    terminalTransactionId: text({
      personal: false,
      max: 128,
      note: 'The id of the transaction at the terminal. An id that is already recorded is refused.',
    }),
    /** The share of each stay when the payment was recorded. The shares sum up to the amount; that of a refund is below zero. */
    allotments: parts(
      'payment_allotment',
      { stayId: reference('stay', { required: true }), share: integer({ required: true }) },
      { readOnly: true, indexes: ['stayId'] },
    ),
    refundOf: reference('payment', {
      note: 'Only for a refund: the payment of which a part or all is given back. Without it, a refund is of what is paid too much.',
    }),
    // Accounting needs it. The desk asks to write no name of a guest.
    reason: text({
      personal: false,
      min: 3,
      max: 200,
      note: 'Why it is given back. Required with refundOf.',
    }),
    voidedAt: instant({ readOnly: true }),
    voided: flag({ computed: 'payment.voidedAt IS NOT NULL' }),
  },
  indexes: [
    { fields: ['reservationId'], why: 'the payments of a reservation' },
    { fields: ['stayId'], where: 'stayId IS NOT NULL', why: 'the payments of a stay' },
    { fields: ['createdAt'], why: 'the payments of a day' },
    {
      fields: ['refundOf'],
      where: 'refundOf IS NOT NULL',
      why: 'the refunds of a payment, also when it is deleted',
    },
  ],
  example: {
    currency: 'EUR',
    amount: 10_900,
    brand: 'Visa',
    customerReceipt: 'SALE 109.00 EUR\nVISA ************1111\nThank you',
    terminalTransactionId: '000471',
  },
})

export type Payment = Row<typeof payment.fields>
