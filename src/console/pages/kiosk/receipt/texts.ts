import { translated } from '../../lib/language/language.ts'

/** The English texts of the receipt that a kiosk prints. */
const en = {
  print: 'Print a receipt',
  isPrinted: 'Your receipt is being printed. If it does not come out, please ask at the desk.',
  receipt: 'Receipt',
  booking: 'Booking',
  stay: 'Stay',
  byCard: 'Paid by card',
  due: 'Total',
  paid: 'Paid',
  open: 'Still to be paid',
  noInvoice: 'This is not an invoice.',
  printed: 'Printed',
}

export type ReceiptTexts = typeof en

/** The texts of the receipt, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
