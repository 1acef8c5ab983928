import { translated } from '../../lib/language/language.ts'

/** The English texts of the history of a stay. */
const en = {
  history: 'History',
  noHistory: 'Nothing yet.',
  events: {
    'stay.created': () => 'Booked',
    'stay.changed': (fields: string) => `Changed: ${fields}`,
    'stay.unit-assigned': () => 'Room assigned',
    'stay.unit-unassigned': () => 'Room taken away',
    'stay.checked-in': () => 'Checked in',
    'stay.checked-out': () => 'Checked out',
    'stay.check-in-reverted': () => 'Check-in undone',
    'stay.canceled': () => 'Canceled',
    'stay.no-show': () => 'No-show',
    'stay.check-out-reverted': () => 'Check-out undone',
    'stay.reinstated': () => 'Expected again',
    'stay.handed-over': () => 'Handed over by the kiosk',
    'stay.guest-registered': () => 'Guest registered',
    'stay.released': () => 'Released to the kiosk',
    'stay.payment-in-doubt': () => 'The terminal does not say whether the guest has paid',
    'stay.payment-settled-by-hand': () => 'Payment at the terminal settled by hand',
    'key.live': () => 'Key made',
    'key.blocked': () => 'Key blocked',
    'key.superseded': () => 'Key replaced by a newer one',
    'key.removed': () => 'Key removed',
    'key.invalidated': () => 'Key ended',
    'key.expired': () => 'Key is over',
    'key.write-failed': () => 'A key could not be made',
    'key.outcome-unknown': () => 'Not known whether a key was made',
    'key.proven-dead': () => 'Key proven dead',
    'key.override-used': () => 'Key made although it concerns another guest',
    'payment.recorded': () => 'Payment recorded',
    'payment.voided': () => 'Payment taken back',
    'payment.refunded': () => 'Refund recorded',
    'payment.refund-voided': () => 'Refund taken back',
  } as Record<string, (fields: string) => string>,
  older: 'Older',
  by: (name: string) => `by ${name}`,
  byBox: 'by the box',
}

export type HistoryTexts = typeof en

/** The texts of the history of a stay, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
