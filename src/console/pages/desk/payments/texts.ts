import { translated } from '../../lib/language/language.ts'

/** The English texts of the check-out with a balance, of the refund of a payment, and of a stay that is canceled. */
const en = {
  payFirst: 'Take the payment before the guest leaves.',
  mayNotRecord: 'Your role records no such payment. Ask a colleague whose role does.',
  howToPay: 'Paid with',
  howToGive: 'Given back by',
  leaveOpen: 'Leave it open',
  later: 'Give it back later',
  whyOpen: 'Why is it left open?',
  whyHint: 'At least three letters. It is written into the comment of the stay.',
  endsAs: {
    NoShow: 'The guest has not come. The room is free again, and keys of the stay end.',
    Canceled: 'The stay is canceled, and its room is free again.',
  },
  feeMay: 'A fee may be due by the conditions of the booking: the box fixes it now, and the sheet shows it.',
  feeNow: (sum: string) => `A fee of ${sum} is due now by the conditions of the booking.`,
  noFee: 'No fee is due now by the conditions of the booking.',
  whyEnded: 'Reason',
  takeAndGo: (sum: string) => `Take ${sum} and check out`,
  takePart: (sum: string) => `Take ${sum}`,
  giveAndGo: (sum: string) => `Give back ${sum} and check out`,
  givePart: (sum: string) => `Give back ${sum}`,
  leaveAndGo: (sum: string) => `Leave ${sum} open and check out`,
  leftOpen: (sum: string, reason: string) => `${sum} left open at check-out: ${reason}`,
  nothingDone: 'No money was recorded, and the guest is not checked out.',
  notOut: 'The guest is not checked out yet',
  goOn: 'Go on with the check-out: what is recorded is not recorded again.',
  giveBackTitle: 'Give back a payment',
  left: (sum: string) => `Of this payment, ${sum} can be given back. The stay then owes it again.`,
  whyGiven: 'Why is it given back?',
}

export type MoneyTexts = typeof en

/** The texts of the check-out with a balance, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
