import type { MoneyTexts } from '../texts.ts'

export const de: MoneyTexts = {
  payFirst: 'Nehmen Sie die Zahlung ein, bevor der Gast geht.',
  mayNotRecord: 'Ihre Rolle bucht keine solche Zahlung. Fragen Sie jemanden, dessen Rolle es darf.',
  howToPay: 'Bezahlt mit',
  howToGive: 'Zurückgegeben mit',
  leaveOpen: 'Offen lassen',
  later: 'Später zurückgeben',
  whyOpen: 'Warum bleibt es offen?',
  whyHint: 'Mindestens drei Buchstaben. Es wird in den Kommentar des Aufenthalts geschrieben.',
  endsAs: {
    NoShow: 'Der Gast ist nicht gekommen. Das Zimmer wird frei, und Schlüssel des Aufenthalts enden.',
    Canceled: 'Der Aufenthalt wird storniert, und sein Zimmer wird frei.',
  },
  feeMay:
    'Nach den Bedingungen der Buchung kann eine Gebühr fällig sein: Die Box legt sie jetzt fest, und das Blatt zeigt sie.',
  feeNow: (sum) => `Nach den Bedingungen der Buchung ist jetzt eine Gebühr von ${sum} fällig.`,
  noFee: 'Nach den Bedingungen der Buchung ist jetzt keine Gebühr fällig.',
  whyEnded: 'Grund',
  takeAndGo: (sum) => `${sum} einnehmen und auschecken`,
  takePart: (sum) => `${sum} einnehmen`,
  giveAndGo: (sum) => `${sum} zurückgeben und auschecken`,
  givePart: (sum) => `${sum} zurückgeben`,
  leaveAndGo: (sum) => `${sum} offen lassen und auschecken`,
  leftOpen: (sum, reason) => `${sum} bei der Abreise offen: ${reason}`,
  nothingDone: 'Es wurde kein Geld gebucht, und der Gast ist nicht ausgecheckt.',
  notOut: 'Der Gast ist noch nicht ausgecheckt',
  goOn: 'Fahren Sie mit dem Check-out fort: Was gebucht ist, wird nicht noch einmal gebucht.',
  giveBackTitle: 'Eine Zahlung zurückgeben',
  left: (sum) =>
    `Von dieser Zahlung können ${sum} zurückgegeben werden. Der Aufenthalt schuldet sie dann wieder.`,
  whyGiven: 'Warum wird es zurückgegeben?',
}
